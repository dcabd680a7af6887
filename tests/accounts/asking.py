"""How the tests speak to the account's pages, as browsers do."""

import re
from contextlib import contextmanager

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth
from allauth.mfa.webauthn.internal.auth import WebAuthn
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AuthenticatorData, CollectedClientData

from tests.support import PASSWORD, client_of

SIGN_UP, LOG_IN, LOG_OUT, RESET = "/cuenta/signup/", "/cuenta/login/", "/cuenta/logout/", "/cuenta/password/reset/"
NEW_PASSWORD = "caida-y-limpia-1822"
INSIDE = "/campana/"
# Every page there is, under /cuenta/; KEY is the number of a key.
PAGES_OUTSIDE = ["login/", "signup/", "password/reset/", "password/reset/done/", "password/reset/key/1-x/", "password/reset/key/done/",
                 "inactive/", "confirm-email/", "borrada/"]  # fmt: skip
PAGES_INSIDE = ["", "nombre/", "email/", "password/change/", "logout/", "sessions/", "borrar/", "reauthenticate/", "confirm-email/x/",
                "2fa/", "2fa/totp/deactivate/", "2fa/recovery-codes/", "2fa/recovery-codes/generate/", "2fa/webauthn/",
                "2fa/webauthn/add/", "2fa/webauthn/keys/KEY/edit/", "2fa/webauthn/keys/KEY/remove/", "2fa/reauthenticate/",
                "2fa/webauthn/reauthenticate/"]  # fmt: skip


def sign_up(browser, name, *, email="", password=PASSWORD, **fields):
    return browser.post(SIGN_UP, {"username": name, "email": email, "password1": password, **fields})


def log_in(browser, login, password=PASSWORD, **fields):
    return browser.post(LOG_IN, {"login": login, "password": password, **fields})


def reauthenticate(browser, password=PASSWORD):
    return browser.post("/cuenta/reauthenticate/", {"password": password})


def is_inside(browser):
    """Whether the browser is logged in, as the account's home shows."""
    return browser.get("/cuenta/").status_code == 200


def give_email(player, email, *, confirmed=True):
    player.email = email
    player.save(update_fields=["email"])
    return EmailAddress.objects.create(user=player, email=email, verified=confirmed, primary=True)


def errors(response):
    """What the form refuses, in one text."""
    return " ".join(str(error) for field in response.context["form"].errors.values() for error in field)


def link_of(message, part):
    """The path of the link in a mail that holds this part."""
    return re.search(rf"https?://[^/]+(/\S*{part}\S*)", message.body)[1]


@contextmanager
def listening(signal, *receivers):
    for receiver in receivers:
        signal.connect(receiver)
    try:
        yield
    finally:
        for receiver in receivers:
            signal.disconnect(receiver)


def code_of(secret):
    return auth.format_hotp_value(auth.hotp_value(secret, next(iter(auth.yield_hotp_counters_from_time()))))


def add_key(player):
    """A key of the player's, as a browser would tell of it; it opens nothing."""
    told = AttestationObject.create("none", AuthenticatorData.create(bytes(32), 0, 0), {})
    client = CollectedClientData.create("webauthn.create", b"x", "http://testserver")
    response = {"clientDataJSON": websafe_encode(client), "attestationObject": websafe_encode(told)}
    credential = {"id": "AA", "rawId": "AA", "type": "public-key", "response": response}
    return WebAuthn.add(player, "Mi llave", credential).instance


def without_password(player):
    """A browser of the player, who has an app and no password, and has just shown a code."""
    secret = auth.generate_totp_secret()
    auth.TOTP.activate(player, secret)
    player.set_unusable_password()
    player.save()
    browser = client_of(player)
    browser.post("/cuenta/2fa/reauthenticate/", {"code": code_of(secret)})
    return browser
