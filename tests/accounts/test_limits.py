"""Guessing is stopped; a hall full of people behind one address is not."""

import subprocess
import sys

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client

from cvarenta import health
from cvarenta.models import Player
from tests.support import PASSWORD

from ..campaign.serving import ROOT, production
from .asking import RESET, errors, is_inside, log_in, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limited")]


def test_two_hundred_behind_one_address_sign_up_and_log_in():
    answers = [sign_up(Client(), f"jugadora-{n}").status_code for n in range(200)]
    again = [log_in(Client(), f"jugadora-{n}").status_code for n in range(200)]

    assert answers == again == [302] * 200
    assert Player.objects.count() == 200


def test_one_account_cannot_be_guessed_at_for_long(dolores):
    said = [errors(log_in(Client(), name, "no")) for name in ("dolores", "Dolores", "d0lores", "DOLÓRES") * 4]

    assert sum("no coinciden" in text for text in said) == 10
    assert "Espera diez minutos" in said[-1]
    assert "Espera diez minutos" in errors(log_in(Client(), "dolores", PASSWORD))


def test_guesses_at_one_leave_others_alone(dolores, stranger):
    for _ in range(12):
        log_in(Client(), "dolores", "no")

    assert log_in(Client(), "forastero").status_code == 302


def test_anothers_guesses_do_not_shut_ones_own_session(inside, dolores):
    for login in ("dolores", "dolores@quito.ec") * 12:
        log_in(Client(), login, "no")

    assert is_inside(inside)
    answer = inside.post("/cuenta/reauthenticate/", {"password": PASSWORD, "next": "/cuenta/email/"})
    assert answer["Location"] == "/cuenta/email/"
    assert (
        inside.post(
            "/cuenta/password/change/", {"oldpassword": PASSWORD, "password1": "otra-cosa-mariposa"}
        ).status_code
        == 302
    )


def test_one_address_cannot_try_many_accounts_for_ever(settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed": "30/10m/ip,10/10m/key"}
    said = [errors(log_in(Client(), f"nadie-{n}", "no")) for n in range(32)]

    assert ["Espera" in text for text in said] == [False] * 30 + [True] * 2


def test_one_mailbox_is_not_flooded(client, dolores, mailoutbox):
    answers = [client.post(RESET, {"email": "dolores@quito.ec"}).status_code for _ in range(6)]

    assert answers == [302] * 5 + [429]
    assert len(mailoutbox) == 5


def test_the_page_of_the_limit_is_ours_and_says_when(settings, client):
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/10m/ip"}
    log_in(client, "nadie", "no")
    page = log_in(client, "nadie", "no")

    assert (page.status_code, page["Retry-After"]) == (429, "600")
    assert "Un respiro" in page.text and "Espera diez minutos" in page.text and '<html lang="es"' in page.text
    program = client.post("/cuenta/login/", headers={"accept": "application/json"})
    assert program.status_code == 429


# Whose address it is


def addresses_counted(settings, proxies, forwarded):
    """The answers to one attempt each from these X-Forwarded-For, when one address may try twice."""
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/10m/ip"}
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    return [
        Client().post("/cuenta/signup/", headers={"x-forwarded-for": each} if each else {}).status_code
        for each in forwarded
    ]


def test_without_a_proxy_nobody_may_say_where_they_come_from(settings):
    assert addresses_counted(settings, 0, ["1.1.1.1", "2.2.2.2", "3.3.3.3"]) == [200, 200, 429]


def test_behind_a_proxy_its_last_word_counts_and_no_other(settings):
    assert addresses_counted(settings, 1, ["1.1.1.1", "2.2.2.2", "3.3.3.3"]) == [200] * 3
    cache.clear()
    assert addresses_counted(settings, 1, ["9.9.9.1, 5.5.5.5", "9.9.9.2, 5.5.5.5", "9.9.9.3, 5.5.5.5"]) == [
        200,
        200,
        429,
    ]


@pytest.mark.parametrize("forwarded", [["nonsense"] * 3, [""] * 3, ["1.1.1.1"] * 3])
def test_a_proxy_that_says_less_than_promised_shuts_nobody_out_with_an_error(settings, forwarded):
    assert addresses_counted(settings, 2, forwarded) == [200, 200, 429]


def test_on_a_unix_socket_without_a_proxy_one_can_still_come_in(dolores):
    browser = Client(REMOTE_ADDR="")

    assert log_in(browser, "dolores").status_code == 302
    page = browser.get("/cuenta/sessions/")
    assert page.status_code == 200 and "0.0.0.0" not in page.text


@pytest.mark.parametrize("env, count", [({}, 0), ({"DJANGO_BEHIND_PROXY": "1"}, 1),
                                        ({"DJANGO_BEHIND_PROXY": "1", "DJANGO_TRUSTED_PROXIES": "2"}, 2),
                                        ({"DJANGO_TRUSTED_PROXIES": "1"}, 1)])  # fmt: skip
def test_the_environment_says_how_many_proxies(env, count):
    assert ask_settings("ALLAUTH_TRUSTED_PROXY_COUNT", env) == str(count)


@pytest.mark.parametrize("env, backend", [({}, "console"), ({"DJANGO_EMAIL_HOST": "mail.example"}, "smtp")])
def test_the_environment_says_how_mails_go(env, backend):
    assert ask_settings("EMAIL_BACKEND", env) == f"django.core.mail.backends.{backend}.EmailBackend"


@pytest.mark.parametrize(
    "port, tls, ssl", [("587", "True", "False"), ("465", "False", "True"), ("25", "True", "False")]
)
def test_mails_are_encrypted_as_the_port_wants(port, tls, ssl):
    env = {"DJANGO_EMAIL_HOST": "mail.example", "DJANGO_EMAIL_PORT": port}

    assert (ask_settings("EMAIL_USE_TLS", env), ask_settings("EMAIL_USE_SSL", env)) == (tls, ssl)


def ask_settings(name, env):
    code = f"from django.conf import settings; print(settings.{name})"
    environment = production("sqlite:///:memory:", DJANGO_SETTINGS_MODULE="cvarenta.settings", **env)
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


# Where the counts are kept


def test_the_counts_outlive_a_process(settings):
    assert settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache")
    call_command("createcachetable")  # may be repeated
    cache.set("x", 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cvarenta_cache")
        assert cursor.fetchone()[0] >= 1


def test_readyz_asks_the_cache(client, monkeypatch):
    assert client.get("/readyz").json() == {"failed": []}
    monkeypatch.setattr(health.cache, "get", lambda key: None)
    assert client.get("/readyz").json() == {"failed": ["cache"]}
