"""Guessing is stopped; a hall full of people behind one address is not."""

import os
import runpy
from unittest import mock

import pytest
from allauth.core import ratelimit
from django.core.cache import cache, caches
from django.core.management import call_command
from django.db import connection
from django.test import Client

from cvarenta import health
from cvarenta.errors import too_many_requests
from cvarenta.models import Player
from tests.support import PASSWORD

from ..campaign.serving import ROOT, production
from .asking import LOG_IN, RESET, SIGN_UP, errors, is_inside, log_in, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limited")]


def test_two_hundred_behind_one_address_sign_up_and_log_in(settings, rf):
    # Counted in memory, as each count in the database asks it ten times.
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    answers = [sign_up(Client(), f"jugadora-{n}").status_code for n in range(200)]
    before = [ratelimit.consume(rf.post("/"), action="login") for _ in range(199)]

    assert answers == [302] * 200 and Player.objects.count() == 200
    assert all(before) and log_in(Client(), "jugadora-199").status_code == 302


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


@pytest.mark.parametrize("path, fields", [
    (LOG_IN, {"login": "nadie", "password": "no"}), (SIGN_UP, {"username": "x"}), (RESET, {"email": "nadie@quito.ec"}),
])  # fmt: skip
def test_the_answer_of_every_limit_is_ours_and_says_when(settings, client, path, fields):
    settings.ACCOUNT_RATE_LIMITS = dict.fromkeys(["login", "signup", "reset_password"], "1/10m/ip")
    client.post(path, fields)
    page = client.post(path, fields)
    program = client.post(path, fields, headers={"accept": "application/json"})

    for answer in (page, program):
        assert (answer.status_code, answer["Retry-After"]) == (429, "600")
        assert "Accept" in answer["Vary"] and "no-store" in answer["Cache-Control"]
    assert "Un respiro" in page.text and "Espera diez minutos" in page.text and '<html lang="es"' in page.text
    assert list(program.json()) == ["error"] and "Espera diez minutos" in program.json()["error"]


def test_off_the_account_such_an_answer_is_not_kept_either(rf):
    answer = too_many_requests(rf.get("/campana/", headers={"accept": "application/json"}))

    assert answer["Cache-Control"] == "no-store" and "Accept" in answer["Vary"]


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
    assert settings_of(**env)["ALLAUTH_TRUSTED_PROXY_COUNT"] == count


@pytest.mark.parametrize("env, backend", [({}, "console"), ({"DJANGO_EMAIL_HOST": "mail.example"}, "smtp")])
def test_the_environment_says_how_mails_go(env, backend):
    assert settings_of(**env)["EMAIL_BACKEND"] == f"django.core.mail.backends.{backend}.EmailBackend"


@pytest.mark.parametrize("port, tls, ssl", [("587", True, False), ("465", False, True), ("25", True, False)])
def test_mails_are_encrypted_as_the_port_wants(port, tls, ssl):
    read = settings_of(DJANGO_EMAIL_HOST="mail.example", DJANGO_EMAIL_PORT=port)

    assert (read["EMAIL_USE_TLS"], read["EMAIL_USE_SSL"]) == (tls, ssl)


def settings_of(**env):
    """What the settings are in a server with these variables."""
    with mock.patch.dict(os.environ, production("sqlite:///:memory:", **env), clear=True):
        return runpy.run_path(ROOT / "cvarenta" / "settings.py")


# Where the counts are kept


def test_the_counts_outlive_a_process():
    assert settings_of()["CACHES"]["default"]["BACKEND"].endswith("DatabaseCache")
    call_command("createcachetable")  # may be repeated
    caches["database"].set("x", 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cvarenta_cache")
        assert cursor.fetchone()[0] >= 1


def test_readyz_asks_the_cache(client, monkeypatch):
    assert client.get("/readyz").json() == {"failed": []}
    monkeypatch.setattr(health.cache, "get", lambda key: None)
    assert client.get("/readyz").json() == {"failed": ["cache"]}
