"""Logging in by name or e-mail, and out again."""

import pytest
from django.test import Client

from cvarenta.accounts.backend import PlayerBackend, find_player
from tests.support import PASSWORD, client_of, make_player

from .asking import INSIDE, LOG_IN, LOG_OUT, errors, give_email, is_inside, log_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "login", ["dolores", "Dolores", "DOLÓRES", " d0l0res ", "dolores@quito.ec", "Dolores@Quito.EC"]
)
def test_a_name_in_any_spelling_or_a_confirmed_email_opens(client, dolores, login):
    response = log_in(client, login)

    assert (response.status_code, response.headers.get("Location")) == (302, INSIDE)
    assert is_inside(client)


@pytest.mark.parametrize(
    "login, password", [("dolores", "no"), ("nadie", PASSWORD), ("dolores@quito.ec", "no"), ("x@y.ec", PASSWORD)]
)
def test_whatever_is_wrong_is_said_alike(client, dolores, login, password):
    response = log_in(client, login, password)

    assert response.status_code == 200
    assert errors(response) == "El nombre o la contraseña no coinciden. Revísalos, o recupera tu contraseña por correo."
    assert not is_inside(client)


@pytest.mark.parametrize("login", ["dolores", "nadie", "dolores@quito.ec", "nadie@quito.ec"])
def test_a_wrong_guess_costs_one_hash_whether_there_is_an_account_or_not(client, dolores, login, monkeypatch):
    spent = []
    check, make = type(dolores).check_password, type(dolores).set_password
    monkeypatch.setattr(type(dolores), "check_password", lambda self, raw: spent.append("check") or check(self, raw))
    monkeypatch.setattr(type(dolores), "set_password", lambda self, raw: spent.append("make") or make(self, raw))
    log_in(client, login, "no")

    assert len(spent) == 1


@pytest.mark.parametrize("password", ["", "\x00", "x" * 5000])
def test_odd_passwords_are_only_wrong(client, dolores, password):
    assert log_in(client, "dolores", password).status_code == 200
    assert not is_inside(client)


def test_a_closed_account_is_told_so_with_its_own_password_only(client, dolores):
    dolores.is_active = False
    dolores.save()

    assert log_in(client, "dolores")["Location"] == "/cuenta/inactive/"
    assert "no coinciden" in errors(log_in(client, "dolores", "no"))
    assert "Cuenta cerrada" in client.get("/cuenta/inactive/").text


def test_an_unconfirmed_email_opens_while_it_is_one_accounts_only(client, player, rival_player):
    give_email(player, "a@quito.ec", confirmed=False)
    assert find_player("a@quito.ec") == player

    give_email(rival_player, "a@quito.ec", confirmed=False)
    assert find_player("a@quito.ec") is None
    assert log_in(client, "a@quito.ec").status_code == 200
    assert not is_inside(client)


def test_an_unconfirmed_email_never_leads_past_the_one_who_confirmed_it(client, dolores, stranger):
    give_email(stranger, "dolores@quito.ec", confirmed=False)
    stranger.set_password("forastero-quiere-entrar")
    stranger.save()

    assert log_in(client, "dolores@quito.ec", "forastero-quiere-entrar").status_code == 200
    log_in(client, "dolores@quito.ec")
    assert client.get("/cuenta/").context["user"] == dolores


def test_an_email_given_in_the_admin_opens_too(client, player):
    player.email = "solo@quito.ec"
    player.save()

    assert find_player("solo@quito.ec") == player


def test_the_session_key_changes_at_login(client, dolores):
    session = client.session
    session["before"] = True
    session.save()
    before = session.session_key
    client.cookies["sessionid"] = before
    log_in(client, "dolores")

    assert client.session.session_key != before
    assert not Client(headers={"cookie": f"sessionid={before}"}).get("/cuenta/").status_code == 200


def test_leaving_asks_first_and_needs_a_post(inside):
    page = inside.get(LOG_OUT)

    assert page.status_code == 200 and "<button" in page.text
    assert is_inside(inside)
    assert inside.head(LOG_OUT).status_code == 200
    assert is_inside(inside)
    assert inside.post(LOG_OUT)["Location"] == "/"
    assert not is_inside(inside)
    assert inside.post(LOG_OUT)["Location"] == "/"


def test_leaving_needs_the_token(strict_client, dolores):
    strict_client.force_login(dolores)

    assert strict_client.post(LOG_OUT).status_code == 403
    assert is_inside(strict_client)


def test_leaving_here_leaves_others_inside(inside, elsewhere, rival_player):
    other = client_of(rival_player)
    inside.post(LOG_OUT)

    assert is_inside(elsewhere) and is_inside(other)


@pytest.mark.parametrize("path, status", [
    ("", 200), ("nombre/", 200), ("datos/", 200), ("borrar/", 200), ("email/", 200), ("password/change/", 200), ("sessions/", 200),
    ("2fa/", 200), ("2fa/totp/activate/", 302), ("2fa/webauthn/", 200), ("2fa/recovery-codes/", 404), ("reauthenticate/", 200),
])  # fmt: skip
def test_what_is_private_is_asked_for_at_the_door_and_never_kept(client, inside, path, status):
    outside = client.get(f"/cuenta/{path}")
    assert outside.status_code == 302 and outside["Location"].startswith("/cuenta/login/")

    answer = inside.get(f"/cuenta/{path}")
    assert answer.status_code == status
    assert "no-store" in answer["Cache-Control"] and "private" in answer["Cache-Control"]


def test_a_login_page_open_in_two_tabs_ends_kindly(strict_client, dolores):
    token = strict_client.get(LOG_IN).context["csrf_token"]
    old = str(token)
    assert log_in(strict_client, "dolores", csrfmiddlewaretoken=old).status_code == 302

    again = log_in(strict_client, "dolores", csrfmiddlewaretoken=old)  # the token changed with the login
    assert again.status_code == 403
    assert "Hay que repetirlo" in again.text and 'href="/cuenta/login/"' in again.text
    assert strict_client.get(LOG_IN)["Location"] == INSIDE


def test_the_form_is_right_for_password_managers(client):
    fields = client.get(LOG_IN).context["form"].fields

    assert fields["login"].widget.attrs["autocomplete"] == "username"
    assert fields["password"].widget.attrs["autocomplete"] == "current-password"


def test_the_admin_uses_the_same_door(client, reviewer, player):
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/cuenta/login/?next=")
    assert log_in(client, "mariana", next="/admin/")["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200
    assert client_of(player).get("/admin/login/").status_code == 403


def test_programs_of_the_site_log_in_by_name(player):
    assert PlayerBackend().authenticate(None, username="Dolores", password=PASSWORD) == player
    assert PlayerBackend().authenticate(None, username="Dolores", password="no") is None
    assert Client().login(username="dolores", password=PASSWORD)


def test_two_players_with_one_password_are_still_two(client, player):
    other = make_player("lola")
    log_in(client, "lola")

    assert client.get("/cuenta/").context["user"] == other
