"""A second step: an app's codes, codes in reserve, keys."""

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.test import Client

from tests.support import client_of

from .asking import INSIDE, NEW_PASSWORD, add_key, code_of, errors, is_inside, link_of, log_in, reauthenticate

pytestmark = pytest.mark.django_db
APP = "/cuenta/2fa/totp/activate/"


@pytest.fixture
def secret(dolores):
    """Dolores has the app; this is its secret."""
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(dolores, secret)
    return secret


@pytest.mark.django_db(transaction=True)  # its mail waits for the commit
def test_the_app_is_activated_with_its_code_and_gives_codes_in_reserve(inside, mailoutbox):
    reauthenticate(inside)
    page = inside.get(APP)
    secret = page.context["form"].secret
    assert secret in page.text and "data:image/svg+xml" in page.text

    assert "Ese código no vale" in errors(inside.post(APP, {"code": "000000"}))
    assert inside.post(APP, {"code": code_of(secret)})["Location"] == "/cuenta/2fa/recovery-codes/"
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"totp", "recovery_codes"}
    assert "Segundo paso activado" in [message.subject for message in mailoutbox]


def test_setting_it_up_asks_who_one_is(inside):
    assert inside.get(APP)["Location"].startswith("/cuenta/reauthenticate/?next=")


def test_the_app_shows_the_name_not_the_email(dolores):
    assert get_adapter().build_totp_url(dolores, "X").startswith("otpauth://totp/dolores?")


def test_logging_in_asks_for_the_code(client, secret):
    assert log_in(client, "dolores")["Location"] == "/cuenta/2fa/authenticate/"
    assert not is_inside(client)
    assert "Ese código no vale" in errors(client.post("/cuenta/2fa/authenticate/", {"code": "123"}))

    assert client.post("/cuenta/2fa/authenticate/", {"code": code_of(secret)})["Location"] == INSIDE
    assert is_inside(client)


def test_codes_cannot_be_guessed_for_long(client, secret, limited):
    log_in(client, "dolores")
    said = [errors(client.post("/cuenta/2fa/authenticate/", {"code": f"{n:06}"})) for n in range(12)]

    assert "Espera diez minutos" in said[-1]


def test_a_code_in_reserve_opens_once(client, dolores, secret):
    RecoveryCodes.activate(dolores)
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    log_in(client, "dolores")
    assert client.post("/cuenta/2fa/authenticate/", {"code": code}).status_code == 302

    other = Client()
    log_in(other, "dolores")
    assert "no vale" in errors(other.post("/cuenta/2fa/authenticate/", {"code": code}))


def test_a_new_password_by_mail_does_not_go_round_it(client, dolores, secret, mailoutbox):
    client.post("/cuenta/password/reset/", {"email": "dolores@quito.ec"})
    path = client.get(link_of(mailoutbox[0], "/key/"), follow=True).redirect_chain[-1][0]

    assert client.post(path, {"password1": NEW_PASSWORD})["Location"] == "/cuenta/2fa/authenticate/"
    assert not is_inside(client)


def test_it_can_be_taken_away_and_codes_in_reserve_go_too(inside, dolores, secret):
    RecoveryCodes.activate(dolores)
    reauthenticate(inside)
    assert "Quitar la aplicación" in inside.get("/cuenta/2fa/totp/deactivate/").text
    inside.post("/cuenta/2fa/totp/deactivate/")

    assert not Authenticator.objects.exists()


def test_nobody_takes_away_anothers(dolores, secret, stranger):
    browser = client_of(stranger)
    reauthenticate(browser)
    browser.post("/cuenta/2fa/totp/deactivate/")

    assert Authenticator.objects.count() == 1


def test_codes_in_reserve_are_shown_and_downloaded_by_whose_they_are(inside, dolores, secret):
    RecoveryCodes.activate(dolores)
    reauthenticate(inside)
    codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()

    assert all(code in inside.get("/cuenta/2fa/recovery-codes/").text for code in codes)
    assert all(code in inside.get("/cuenta/2fa/recovery-codes/download/").text for code in codes)
    inside.post("/cuenta/2fa/recovery-codes/generate/")
    assert codes[0] not in inside.get("/cuenta/2fa/recovery-codes/").text


def test_a_key_can_be_called_otherwise_and_taken_away_by_whose_it_is(inside, dolores, stranger):
    address = f"/cuenta/2fa/webauthn/keys/{add_key(dolores).pk}"
    other = client_of(stranger)
    for browser in (inside, other):
        reauthenticate(browser)
    for post in ("edit", "remove"):
        assert other.post(f"{address}/{post}/", {"name": "Mía"}).status_code == 404

    inside.post(f"{address}/edit/", {"name": "La del bolsillo"})
    assert "La del bolsillo" in inside.get("/cuenta/2fa/webauthn/").text
    assert "Quitamos la llave" in inside.post(f"{address}/remove/", follow=True).text
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize(
    "path, words", [("", "Segundo paso"), ("webauthn/", "Tus llaves"), ("webauthn/add/", "Agregar una llave")]
)
def test_the_pages_of_keys_stand(inside, path, words):
    reauthenticate(inside)
    page = inside.get(f"/cuenta/2fa/{path}")

    assert page.status_code == 200 and words in page.text


def test_a_key_is_offered_only_where_there_is_script(client):
    page = client.get("/cuenta/login/").text

    assert '<p class="passkey" hidden>' in page and 'id="passkey_login"' in page
    options = client.get("/cuenta/2fa/webauthn/login/", headers={"accept": "application/json"}).json()
    assert options["request_options"]["publicKey"]["challenge"]


@pytest.mark.parametrize("credential", ["", "{}", "null", "[]", "x", '{"id": 1}'])
def test_an_invented_key_opens_nothing(client, dolores, credential):
    response = Client(raise_request_exception=False).post("/cuenta/2fa/webauthn/login/", {"credential": credential})

    assert response.status_code == 302 and response["Location"] == "/cuenta/login/"
