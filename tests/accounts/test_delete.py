"""Leaving for good: asked with the password, all at once, and the name stays nobody's."""

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from cvarenta.accounts import names
from cvarenta.accounts.services import delete_player, rename_player
from cvarenta.accounts.signals import player_leaving
from cvarenta.models import PastName, Player
from tests.support import PASSWORD, client_of

from .asking import errors, is_inside, log_in, sign_up

pytestmark = pytest.mark.django_db
DELETE = "/cuenta/borrar/"


def delete(browser, password=PASSWORD):
    return browser.post(DELETE, {"password": password})


def test_the_page_says_what_goes_and_what_stays_and_deletes_nothing(inside):
    page = inside.get(DELETE).text

    assert "Tus partidas y tu lugar en la tabla se van. En los libros del torneo queda una fila sin nombre." in page
    assert 'autocomplete="current-password"' in page
    assert Player.objects.exists()


def test_with_the_password_the_account_is_gone_and_says_so(client, dolores, stranger):
    log_in(client, "dolores")
    response = delete(client)

    assert response["Location"] == "/cuenta/borrada/"
    assert "Tu cuenta ya no está" in client.get("/cuenta/borrada/").text
    assert list(Player.objects.all()) == [stranger]
    assert not is_inside(client)
    assert not EmailAddress.objects.exists() and not UserSession.objects.exists() and not Session.objects.exists()


def test_the_other_browser_is_out_too(inside, elsewhere):
    delete(inside)

    assert not is_inside(elsewhere)


@pytest.mark.parametrize("password", ["", "no", PASSWORD.upper()])
def test_without_the_password_nothing_is_deleted(inside, password):
    assert errors(delete(inside, password))
    assert Player.objects.exists() and is_inside(inside)


def test_its_names_are_nobodys_any_more(inside, client, dolores):
    rename_player(player=dolores, name="Lola", at=timezone.now())
    delete(inside)

    assert set(PastName.objects.values_list("key", "player")) == {
        (names.name_key("dolores"), None),
        (names.name_key("lola"), None),
    }
    for name in ("Dolores", "LOLA", "l0la"):
        assert names.TAKEN in errors(sign_up(client, name))
    assert not Player.objects.exists()


def test_other_apps_hear_of_it_before_and_within(inside, dolores):
    heard = []

    def listen(sender, player, at, **kwargs):
        heard.append(
            (player.pk, Player.objects.filter(pk=player.pk).exists(), transaction.get_connection().in_atomic_block, at)
        )

    player_leaving.connect(listen)
    try:
        delete(inside)
    finally:
        player_leaving.disconnect(listen)
    assert [row[:3] for row in heard] == [(dolores.pk, True, True)]


def test_if_another_app_fails_everything_stays(inside, dolores):
    def fail(**kwargs):
        raise RuntimeError("books on fire")

    player_leaving.connect(fail)
    try:
        with pytest.raises(RuntimeError):
            delete(inside)
    finally:
        player_leaving.disconnect(fail)
    assert Player.objects.filter(pk=dolores.pk).exists() and not PastName.objects.exists()
    assert EmailAddress.objects.exists()


def test_twice_is_once(dolores):
    for _ in range(2):
        delete_player(player=Player(pk=dolores.pk, username="dolores"), at=timezone.now())

    assert not Player.objects.exists()
    assert PastName.objects.count() == 1


def test_a_superuser_may_leave_too(client, db):
    Player.objects.create_superuser("admin", password=PASSWORD)
    log_in(client, "admin")

    assert delete(client).status_code == 302
    assert not Player.objects.exists()


def test_it_needs_a_post_a_token_and_an_account(inside, client, strict_client, dolores):
    inside.get(DELETE, {"password": PASSWORD})
    assert inside.delete(DELETE).status_code == 405
    assert delete(client)["Location"].startswith("/cuenta/login/")
    strict_client.force_login(dolores)
    assert delete(strict_client).status_code == 403
    assert Player.objects.exists()


def test_the_password_cannot_be_guessed_here(inside, limited):
    answers = [delete(inside, f"no-{n}") for n in range(11)]

    assert [answer.status_code for answer in answers] == [200] * 10 + [429]
    assert delete(inside).status_code == 429 and Player.objects.exists()


# In the admin


@pytest.fixture
def desk(db):
    return client_of(Player.objects.create_superuser("admin", password=PASSWORD))


def test_the_admin_deletes_as_the_player_would(desk, dolores, stranger):
    heard = []

    def listen(player, **kwargs):
        heard.append(player.username)

    player_leaving.connect(listen)
    try:
        desk.post(f"/admin/cvarenta/player/{dolores.pk}/delete/", {"post": "yes"})
        desk.post(
            "/admin/cvarenta/player/", {"action": "delete_selected", "_selected_action": [stranger.pk], "post": "yes"}
        )
    finally:
        player_leaving.disconnect(listen)
    assert heard == ["dolores", "forastero"]
    assert PastName.objects.count() == 2 and Player.objects.count() == 1


def test_the_admin_tells_look_alikes_apart_and_refuses_them(desk, player, stranger):
    assert "clave del nombre" in desk.get("/admin/cvarenta/player/").text.lower()
    new = {"username": "D0lores", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    page = desk.post("/admin/cvarenta/player/add/", new)
    assert page.status_code == 200 and names.TAKEN in page.text

    assert desk.post("/admin/cvarenta/player/add/", new | {"username": "maestro"}).status_code == 302
    assert Player.objects.filter(username="maestro").exists()


def test_a_name_changed_in_the_admin_is_remembered(desk, player):
    fields = {
        "username": "Lola",
        "email": "",
        "is_active": "on",
        "date_joined_0": "2026-01-01",
        "date_joined_1": "10:00:00",
    }
    assert desk.post(f"/admin/cvarenta/player/{player.pk}/change/", fields).status_code == 302

    player.refresh_from_db()
    assert player.username == "Lola" and player.name_key == "lola"
    assert list(PastName.objects.values_list("key", "player")) == [(names.name_key("dolores"), player.pk)]
