"""The e-mail of an account: put, confirmed, changed, taken away; only whose account it is confirms it."""

from urllib.parse import unquote

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from tests.support import PASSWORD, client_of

from .asking import errors, give_email, is_inside, link_of, log_in, reauthenticate, sign_up

pytestmark = pytest.mark.django_db
EMAIL = "/cuenta/email/"


@pytest.fixture
def lola(client, mailoutbox):
    """Has just signed up with an e-mail that waits to be confirmed."""
    sign_up(client, "lola", email="lola@quito.ec")
    return client


def put(browser, email):
    reauthenticate(browser)
    return browser.post(EMAIL, {"email": email, "action_add": ""})


def test_the_link_confirms_after_a_click(lola, mailoutbox):
    link = link_of(mailoutbox[0], "confirm-email")
    assert "lola@quito.ec" in lola.get(link).text
    assert not EmailAddress.objects.get().verified

    assert lola.post(link)["Location"] == "/cuenta/"
    assert EmailAddress.objects.get().verified
    assert "lola@quito.ec está confirmado" in lola.get("/cuenta/").text


def test_a_scanner_that_opens_the_link_first_confirms_nothing_and_spends_nothing(lola, mailoutbox):
    link, scanner = link_of(mailoutbox[0], "confirm-email"), Client()
    for method in (scanner.head, scanner.get, scanner.post):
        assert unquote(method(link)["Location"]) == f"/cuenta/login/?next={link}"
    assert not EmailAddress.objects.get().verified

    lola.post(link)
    assert EmailAddress.objects.get().verified


def test_the_second_time_there_is_nothing_to_confirm(lola, mailoutbox):
    link = link_of(mailoutbox[0], "confirm-email")
    lola.post(link)

    for answer in (lola.get(link), lola.head(link)):
        assert answer.status_code == 200
    assert "ya se usó" in lola.get(link).text
    assert "ya se usó" in lola.post(link).text


def test_in_another_browser_one_logs_in_first_and_is_led_back(lola, mailoutbox):
    link, phone = link_of(mailoutbox[0], "confirm-email"), Client()
    phone.get(link)

    assert log_in(phone, "lola", next=link)["Location"] == link
    phone.post(link)
    assert EmailAddress.objects.get().verified


def test_another_account_cannot_confirm_it(lola, stranger, mailoutbox):
    link, other = link_of(mailoutbox[0], "confirm-email"), client_of(stranger)

    assert "Es de otra cuenta" in other.get(link).text and "lola" not in other.get(link).text
    assert "Es de otra cuenta" in other.post(link).text
    assert is_inside(other)
    assert not EmailAddress.objects.get().verified


def test_the_mail_does_not_say_whose_account_it_is(lola, mailoutbox):
    body = mailoutbox[0].body.replace("lola@quito.ec", "")

    assert "lola" not in body


@pytest.mark.parametrize("key", ["x", "MQ:1abc:zzz", "%00", "a" * 500])
def test_an_invented_link_confirms_nothing(lola, key):
    assert lola.get(f"/cuenta/confirm-email/{key}/").status_code in (200, 404)
    assert "Nada que confirmar" in lola.post(f"/cuenta/confirm-email/{key}/").text
    assert not EmailAddress.objects.get().verified


def test_a_change_waits_for_its_confirmation_and_tells_the_old_address(inside, dolores, mailoutbox):
    assert put(inside, "nueva@quito.ec")["Location"] == EMAIL
    dolores.refresh_from_db()
    assert dolores.email == "dolores@quito.ec"
    assert [message.to for message in mailoutbox] == [["nueva@quito.ec"]]

    inside.post(link_of(mailoutbox[0], "confirm-email"))
    dolores.refresh_from_db()
    assert dolores.email == "nueva@quito.ec"
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [("nueva@quito.ec", True, True)]
    assert mailoutbox[-1].to == ["dolores@quito.ec"]


def test_an_old_address_that_nobody_confirmed_is_told_nothing(lola, mailoutbox):
    put(lola, "nueva@quito.ec")
    lola.post(link_of(mailoutbox[-1], "confirm-email"))

    assert [message.to[0] for message in mailoutbox] == ["lola@quito.ec", "nueva@quito.ec"]


def test_changing_asks_who_one_is_first_and_then_goes_on(inside, dolores, mailoutbox):
    answer = inside.post(EMAIL, {"email": "nueva@quito.ec", "action_add": ""})
    assert answer["Location"].startswith("/cuenta/reauthenticate/")
    assert mailoutbox == []
    assert "Esa no es tu contraseña" in errors(reauthenticate(inside, "no"))

    inside.post("/cuenta/reauthenticate/", {"password": PASSWORD, "next": EMAIL})
    assert [message.to for message in mailoutbox] == [["nueva@quito.ec"]]


def test_it_can_be_taken_away(inside, dolores):
    reauthenticate(inside)
    inside.post(EMAIL, {"email": "dolores@quito.ec", "action_remove": ""})
    dolores.refresh_from_db()

    assert (dolores.email, EmailAddress.objects.count()) == ("", 0)


def test_anothers_address_cannot_be_taken_away(inside, stranger):
    give_email(stranger, "otro@quito.ec")
    reauthenticate(inside)
    inside.post(EMAIL, {"email": "otro@quito.ec", "action_remove": ""})

    assert EmailAddress.objects.filter(email="otro@quito.ec").exists()


def test_the_link_can_be_sent_again(lola, mailoutbox):
    lola.post(EMAIL, {"email": "lola@quito.ec", "action_send": ""})

    assert [message.to for message in mailoutbox] == [["lola@quito.ec"]] * 2


def test_sent_again_at_once_it_says_to_wait(lola, mailoutbox, limited):
    for _ in range(2):
        page = lola.post(EMAIL, {"email": "lola@quito.ec", "action_send": ""}, follow=True)

    assert "Te lo enviamos hace un momento" in page.text
    assert len(mailoutbox) == 2


def test_two_who_wait_for_one_address_get_it_once(client, player, stranger):
    for account in (player, stranger):
        give_email(account, "dos@quito.ec", confirmed=False)
    links = [EmailAddress.objects.get(user=account) for account in (player, stranger)]
    one, other = [f"/cuenta/confirm-email/{EmailConfirmationHMAC(address).key}/" for address in links]
    client_of(player).post(one)
    browser = client_of(stranger)
    assert "No se puede confirmar" in browser.get(other).text
    browser.post(other)

    assert list(EmailAddress.objects.filter(verified=True).values_list("user", flat=True)) == [player.pk]


def test_two_who_confirm_one_address_at_once_get_it_once(player, dolores, stranger, monkeypatch):
    """Whoever looked before the other had written is stopped by the index."""
    address = EmailAddress.objects.create(user=stranger, email="dolores@quito.ec")
    before = give_email(stranger, "forastero@quito.ec")
    browser, looks = client_of(stranger), iter([True])
    look = EmailAddress.can_set_verified
    monkeypatch.setattr(EmailAddress, "can_set_verified", lambda self: next(looks, None) or look(self))
    answer = browser.post(f"/cuenta/confirm-email/{EmailConfirmationHMAC(address).key}/")

    assert answer.status_code == 200 and "No se puede confirmar" in answer.text
    assert "está confirmado" not in browser.get("/cuenta/").text
    assert list(EmailAddress.objects.filter(email="dolores@quito.ec", verified=True)) == [
        dolores.emailaddress_set.get()
    ]
    before.refresh_from_db()
    assert before.primary and before.verified  # nothing of it was done by half


def test_the_address_of_now_goes_after_the_one_that_waits(inside, dolores):
    put(inside, "nueva@quito.ec")
    for email, says in (("dolores@quito.ec", "Primero quita el correo que está sin confirmar"),
                        ("nueva@quito.ec", "Quitamos nueva@quito.ec"), ("dolores@quito.ec", "Quitamos dolores@quito.ec")):  # fmt: skip
        assert says in inside.post(EMAIL, {"email": email, "action_remove": ""}, follow=True).text

    assert not EmailAddress.objects.exists()


def test_the_wrong_method_changes_nothing(inside):
    reauthenticate(inside)
    inside.get(EMAIL, {"email": "dolores@quito.ec", "action_remove": ""})

    assert EmailAddress.objects.count() == 1


def test_a_mail_server_that_is_down_keeps_nobody_out(client, monkeypatch, caplog):
    def refuse(self, messages):
        raise ConnectionRefusedError("no server")

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    assert sign_up(client, "lola", email="lola@quito.ec").status_code == 302
    assert is_inside(client)
    assert client.post("/cuenta/password/reset/", {"email": "lola@quito.ec"}).status_code == 302
    assert "Could not send" in caplog.text
