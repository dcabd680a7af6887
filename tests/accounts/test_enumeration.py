"""Nothing tells whether an e-mail has an account: not the answer, not its cookies, not where it leads."""

import re

import pytest
from django.test import Client

from .asking import RESET, errors, give_email, log_in, reauthenticate, sign_up

pytestmark = pytest.mark.django_db
KNOWN, UNKNOWN = "dolores@quito.ec", "nadie-00@quito.ec"  # of one length


def shape(response, email):
    """What a stranger can compare, without what differs every time."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.text).replace(email, "CORREO")
    headers = {name: value for name, value in response.headers.items() if name not in ("Content-Length", "Expires")}
    # Messages hold the e-mail itself, compressed: their length tells of its letters only.
    cookies = {
        name: (morsel["path"], morsel["httponly"], name == "messages" or len(morsel.value))
        for name, morsel in response.cookies.items()
    }
    return response.status_code, headers, text, cookies


def test_a_reset_answers_alike(dolores, mailoutbox):
    shapes = []
    for email in (KNOWN, UNKNOWN):
        browser = Client()
        answer = browser.post(RESET, {"email": email})
        shapes.append((shape(answer, email), shape(browser.get(answer["Location"]), email)))

    assert shapes[0] == shapes[1]
    assert [message.to for message in mailoutbox] == [[KNOWN], [UNKNOWN]]


def test_signing_up_with_anothers_email_looks_like_any_sign_up(dolores, mailoutbox):
    shapes = []
    for name, email in (("lola", KNOWN), ("lila", UNKNOWN)):
        browser = Client()
        answer = sign_up(browser, name, email=email)
        pages = [browser.get(path) for path in ("/cuenta/", "/cuenta/email/")]
        shapes.append((shape(answer, email), [shape(page, email)[2].replace(name, "NOMBRE") for page in pages]))

    assert shapes[0] == shapes[1]
    assert [message.to for message in mailoutbox] == [[KNOWN], [UNKNOWN]]


def test_the_owner_is_told_and_the_other_gets_no_hold_of_it(dolores, client, mailoutbox):
    sign_up(client, "lola", email=KNOWN)

    assert "ya es de la tuya" in mailoutbox[0].body
    assert "confirm-email" not in mailoutbox[0].body
    client.post(RESET, {"email": KNOWN})
    assert len(mailoutbox) == 2 and "dolores" in mailoutbox[1].body  # the owner's, and no other


def test_adding_anothers_email_looks_like_adding_any(dolores, player, stranger, rival_player, mailoutbox):
    shapes = []
    for account, email in ((stranger, KNOWN), (rival_player, UNKNOWN)):
        browser = Client()
        browser.force_login(account)
        reauthenticate(browser)
        answer = browser.post("/cuenta/email/", {"email": email, "action_add": ""})
        page = browser.get("/cuenta/email/")
        shapes.append((shape(answer, email)[:2], shape(page, email)[2].replace(account.username, "NOMBRE")))

    assert shapes[0] == shapes[1]
    assert [message.to for message in mailoutbox] == [[KNOWN], [UNKNOWN]]


def test_logging_in_answers_alike(dolores):
    answers = [log_in(Client(), email, "no") for email in (KNOWN, UNKNOWN)]
    shapes = [shape(answer, email) for answer, email in zip(answers, (KNOWN, UNKNOWN), strict=True)]

    assert shapes[0] == shapes[1]


def test_being_locked_out_by_email_does_not_tell_whose_it_is(dolores, limited):
    for email in (KNOWN, UNKNOWN):
        said = [errors(log_in(Client(), email, f"no-{n}")) for n in range(12)]
        assert [("Van muchos" in text) for text in said] == [False] * 10 + [True] * 2
    assert "no coinciden" in errors(log_in(Client(), "dolores", "no"))  # the name counts apart


def test_an_unconfirmed_email_of_anothers_tells_nothing_either(stranger, mailoutbox):
    give_email(stranger, KNOWN, confirmed=False)
    shapes = []
    for email in (KNOWN, UNKNOWN):
        shapes.append(shape(Client().post(RESET, {"email": email}), email))

    assert shapes[0] == shapes[1]
