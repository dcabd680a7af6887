"""How the tests speak to the account's pages, as browsers do."""

import re

from allauth.account.models import EmailAddress
from django.core import mail

from tests.support import PASSWORD

SIGN_UP, LOG_IN, LOG_OUT, RESET = "/cuenta/signup/", "/cuenta/login/", "/cuenta/logout/", "/cuenta/password/reset/"
NEW_PASSWORD = "caida-y-limpia-1822"
INSIDE = "/campana/"


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


def last_mail():
    return mail.outbox[-1]
