"""Spanish of Quito on every page and in every mail, whatever a browser asks for; no script in any name."""

import re

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.core import mail
from django.template.loader import render_to_string
from django.test import Client

from .asking import (
    PAGES_INSIDE,
    PAGES_OUTSIDE,
    RESET,
    add_key,
    code_of,
    link_of,
    log_in,
    reauthenticate,
    sign_up,
    without_password,
)

pytestmark = pytest.mark.django_db
ENGLISH = re.compile(
    r"\b(password|passwords|sign|log ?in|logout|email address|e-mail address|username|forgot|account|your|please|the|and|"
    r"code|codes|confirm|security key|authenticator|submit|error|welcome|hello|from|click|usuario|usted|introduzca|su correo)\b", re.I
)  # fmt: skip


def words_of(page):
    """What a person reads, and what is read to them."""
    page = re.sub(r"(?s)<script.*?</script>|<style.*?</style>|<title>[^·]*·", " ", page)
    said = " ".join(re.findall(r'(?:alt|aria-label|placeholder|title)="([^"]*)"', page))
    return re.sub(r"<[^>]+>|https?://\S+", " ", page) + said


def english_in(text):
    return {word.group().lower() for word in ENGLISH.finditer(text)}


@pytest.fixture
def equipped(inside, dolores):
    """Inside, with everything there is, and just asked who she is."""
    auth.TOTP.activate(dolores, auth.generate_totp_secret())
    RecoveryCodes.activate(dolores)
    add_key(dolores)
    reauthenticate(inside)
    return inside


def without_tokens(text):
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    return re.sub(r'<script id="js_data".*?</script>', "", text)


@pytest.mark.parametrize("path", PAGES_OUTSIDE)
def test_every_page_outside_is_the_same_spanish_for_everyone(client, path):
    pages = [client.get(f"/cuenta/{path}", headers={"accept-language": language}) for language in ("es", "en-US", "de")]

    assert [page.status_code for page in pages] == [200] * 3
    assert len({without_tokens(page.text) for page in pages}) == 1
    assert '<html lang="es"' in pages[0].text and "<h1>" in pages[0].text
    assert english_in(words_of(pages[0].text)) == set()


@pytest.mark.parametrize("path", PAGES_INSIDE)
def test_every_page_inside_is_the_same_spanish_for_everyone(equipped, dolores, path):
    path = path.replace("KEY", str(dolores.authenticator_set.get(type="webauthn").pk))
    pages = [
        equipped.get(f"/cuenta/{path}", headers={"accept-language": language}) for language in ("es", "en-US", "de")
    ]

    assert [page.status_code for page in pages] == [200] * 3
    assert len({without_tokens(page.text) for page in pages}) == 1
    assert '<html lang="es"' in pages[0].text and "<h1>" in pages[0].text
    assert english_in(words_of(pages[0].text)) == set()


@pytest.mark.parametrize("fields", [None, {"code": "x"}, {"credential": "x"}])
def test_the_page_of_the_second_step_is_spanish(client, dolores, fields):
    auth.TOTP.activate(dolores, auth.generate_totp_secret())
    add_key(dolores)
    log_in(client, "dolores")
    page = client.post("/cuenta/2fa/authenticate/", fields) if fields else client.get("/cuenta/2fa/authenticate/")

    assert page.status_code == 200 and "<h1>El segundo paso" in page.text
    assert english_in(words_of(page.text)) == set()


@pytest.mark.parametrize("password", [None, "123"])
def test_the_page_of_a_first_password_is_spanish(dolores, password):
    browser = without_password(dolores)
    page = (
        browser.post("/cuenta/password/set/", {"password1": password})
        if password
        else browser.get("/cuenta/password/set/")
    )

    assert page.status_code == 200 and "<h1>Poner una contraseña" in page.text
    assert english_in(words_of(page.text)) == set()


@pytest.mark.parametrize("path, fields", [
    ("login/", {}), ("login/", {"login": "nadie", "password": "x"}), ("signup/", {}),
    ("signup/", {"username": "ab", "email": "x", "password1": "123"}), ("signup/", {"username": "cantuna", "password1": "cantuna1"}),
    ("password/reset/", {"email": "x"}),
])  # fmt: skip
def test_every_refusal_is_spanish(client, path, fields):
    page = client.post(f"/cuenta/{path}", fields, headers={"accept-language": "en-US"})

    assert page.status_code == 200
    assert english_in(words_of(page.text)) == set()


@pytest.mark.parametrize("path, fields", [
    ("nombre/", {"username": "x"}), ("email/", {"email": "x", "action_add": ""}), ("email/", {"email": "dolores@quito.ec", "action_add": ""}),
    ("password/change/", {"oldpassword": "x", "password1": "123"}), ("borrar/", {"password": "x"}), ("reauthenticate/", {"password": "x"}),
    ("2fa/reauthenticate/", {"code": "x"}),
])  # fmt: skip
def test_every_refusal_inside_is_spanish(equipped, path, fields):
    page = equipped.post(f"/cuenta/{path}", fields, headers={"accept-language": "en-US"})

    assert page.status_code == 200
    assert english_in(words_of(page.text)) == set()


@pytest.mark.django_db(transaction=True)  # some mails wait for the commit
def test_every_mail_is_spanish_and_links_to_us_only(dolores, mailoutbox):
    english = {"accept-language": "en-US"}
    browser = Client(headers=english | {"user-agent": "Firefox"})
    for email in ("dolores@quito.ec", "nadie@quito.ec"):
        browser.post(RESET, {"email": email})
    sign_up(Client(headers=english), "lola", email="lola@quito.ec")
    sign_up(Client(headers=english), "lila", email="dolores@quito.ec")
    log_in(browser, "dolores")
    browser.post("/cuenta/password/change/", {"oldpassword": "cuarenta-tantos-1534", "password1": "otra-cosa-mariposa"})
    reauthenticate(browser, "otra-cosa-mariposa")
    secret = browser.get("/cuenta/2fa/totp/activate/").context["form"].secret
    browser.post("/cuenta/2fa/totp/activate/", {"code": code_of(secret)})
    browser.post(f"/cuenta/2fa/webauthn/keys/{add_key(dolores).pk}/remove/")
    browser.post("/cuenta/2fa/recovery-codes/generate/")
    browser.post("/cuenta/2fa/totp/deactivate/")
    browser.post("/cuenta/email/", {"email": "nueva@quito.ec", "action_add": ""})
    browser.post(link_of(mailoutbox[-1], "confirm-email"))
    browser.post("/cuenta/email/", {"email": "nueva@quito.ec", "action_remove": ""})

    assert "Una llave menos en tu cuenta" in [message.subject for message in mailoutbox]
    assert len(mailoutbox) == 11
    for message in mailoutbox:
        assert english_in(f"{message.subject} {re.sub(r'https?://[^ ]+', '', message.body)}") == set(), message.subject
        assert "\n\n\n" not in message.body and "{" not in message.body and "&" not in message.body
        assert set(re.findall(r"https?://([^/\s]+)", message.body)) == {"testserver"}
        assert message.from_email == "Cvarenta de Qvito <cuarenta@localhost>"


@pytest.mark.parametrize(
    "name", ["email_changed", "email_deleted", "password_changed", "password_reset", "password_set"]
)
def test_every_notice_says_what_to_do(name, rf):
    from django.utils import timezone

    context = {"timestamp": timezone.now(), "user_agent": "<Firefox>", "ip": "1.2.3.4", "request": rf.get("/"),
               "from_email": "a@x.ec", "to_email": "b@x.ec", "deleted_email": "a@x.ec"}  # fmt: skip
    text = render_to_string(f"account/email/{name}_message.txt", context)

    assert "Si no fuiste tú" in text and "hora de Quito" in text and "<Firefox>" in text
    assert english_in(text.replace("http://testserver/", "")) == set()
    assert english_in(render_to_string(f"account/email/{name}_subject.txt")) == set()


def test_what_looks_like_script_stays_text(client, dolores):
    for nasty in ("<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "{{7*7}}", "</script>"):
        for page in (
            sign_up(client, nasty, email=nasty, next=nasty),
            log_in(client, nasty, nasty, next=nasty),
            client.post(RESET, {"email": nasty, "next": nasty}),
            client.get("/cuenta/login/", {"next": nasty}),
            client.get("/cuenta/signup/", {"email": nasty}),
        ):
            assert "<img src=x" not in page.text and "<svg onload" not in page.text and ">49<" not in page.text
            assert "Content-Security-Policy" in page.headers
    assert mail.outbox == []


def test_a_browser_that_calls_itself_a_script_is_shown_as_text(dolores):
    browser = Client(headers={"user-agent": "<script>alert(1)</script> Firefox Android"})
    log_in(browser, "dolores")

    assert "<script>alert" not in browser.get("/cuenta/sessions/").text
    assert "<script>alert" not in browser.get("/cuenta/").text


@pytest.mark.parametrize("path", ["login/", "signup/"])
def test_no_page_carries_script_or_style_of_its_own(client, path):
    page = client.get(f"/cuenta/{path}").text

    assert not re.search(r"\sstyle=|\son[a-z]+=|<style", page)
    assert all("src=" in tag or 'type="application/json"' in tag for tag in re.findall(r"<script[^>]*>", page))
