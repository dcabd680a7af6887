"""Leaving for good: asked with the password, all at once, and the name stays nobody's."""

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from cvarenta.accounts import names
from cvarenta.accounts.services import delete_player, is_taken, rename_player
from cvarenta.accounts.signals import player_leaving
from cvarenta.models import PastName, Player
from tests.support import PASSWORD, client_of

from .asking import add_key, errors, is_inside, listening, log_in, sign_up

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

    with listening(player_leaving, listen):
        delete(inside)
    assert [row[:3] for row in heard] == [(dolores.pk, True, True)]


def test_if_another_app_fails_everything_stays(inside, dolores):
    def fail(**kwargs):
        raise RuntimeError("books on fire")

    with listening(player_leaving, fail), pytest.raises(RuntimeError):
        delete(inside)
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


# Without a password, as the admin may leave an account


@pytest.fixture
def keyless(player):
    """The browser of dolores, who has no password."""
    player.set_unusable_password()
    player.save()
    return client_of(player)


def test_without_a_password_the_name_is_asked(keyless):
    page = keyless.get(DELETE).text
    assert 'type="password"' not in page and page.count('name="username"') == 1
    for name in ("", "forastero"):
        assert errors(keyless.post(DELETE, {"username": name, "password": PASSWORD}))
    assert Player.objects.exists()

    assert keyless.post(DELETE, {"username": "Dolores"})["Location"] == "/cuenta/borrada/"
    assert not Player.objects.exists()


def test_with_a_password_the_name_is_not_enough(inside):
    assert errors(inside.post(DELETE, {"username": "dolores"}))
    assert Player.objects.exists()


def test_without_a_password_but_with_a_key_the_key_is_asked_first(keyless, player):
    add_key(player)

    for ask in (keyless.get, keyless.post):
        assert ask(DELETE, {"username": "dolores"})["Location"].startswith("/cuenta/2fa/webauthn/reauthenticate/?next=")
    assert Player.objects.exists()


# In the admin

ADD = "/admin/cvarenta/player/add/"
NEW = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
OLD = {"email": "", "is_active": "on", "date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"}


@pytest.fixture
def desk(db):
    return client_of(Player.objects.create_superuser("admin", password=PASSWORD))


@pytest.fixture
def looked_too_soon(monkeypatch):
    """The form's first look finds a name free that is not any more."""
    looks = iter([lambda key, player: False])
    monkeypatch.setattr("cvarenta.admin.is_taken", lambda key, player: next(looks, is_taken)(key, player=player))


def test_the_admin_deletes_as_the_player_would(desk, dolores, stranger):
    heard = []

    def listen(player, **kwargs):
        heard.append(player.username)

    with listening(player_leaving, listen):
        desk.post(f"/admin/cvarenta/player/{dolores.pk}/delete/", {"post": "yes"})
        desk.post(
            "/admin/cvarenta/player/", {"action": "delete_selected", "_selected_action": [stranger.pk], "post": "yes"}
        )
    assert heard == ["dolores", "forastero"]
    assert PastName.objects.count() == 2 and Player.objects.count() == 1


def test_the_admin_tells_look_alikes_apart_and_refuses_them(desk, player, stranger):
    assert "clave del nombre" in desk.get("/admin/cvarenta/player/").text.lower()
    page = desk.post(ADD, NEW | {"username": "D0lores"})
    assert page.status_code == 200 and names.TAKEN in page.text

    assert desk.post(ADD, NEW | {"username": "maestro"}).status_code == 302
    assert Player.objects.filter(username="maestro").exists()


def test_the_admin_gives_nobody_the_name_of_someone_who_left(desk, player):
    delete_player(player=player, at=timezone.now())

    assert names.TAKEN in desk.post(ADD, NEW | {"username": "Dolores"}).text
    assert not Player.objects.filter(name_key="dolores").exists()


@pytest.mark.parametrize("name", ["D0lores", "Lola"])
@pytest.mark.parametrize("fields", [NEW, OLD])
def test_a_name_taken_since_the_form_looked_is_refused_in_the_form(
    desk, player, stranger, looked_too_soon, fields, name
):
    """Dolores by the index of keys; Lola, whom nobody is called any more, by the question after the write."""
    rename_player(player=player, name="Lola", at=timezone.now())
    rename_player(player=player, name="dolores", at=timezone.now())

    address = ADD if fields is NEW else f"/admin/cvarenta/player/{stranger.pk}/change/"

    page = desk.post(address, fields | {"username": name})
    assert page.status_code == 200 and names.TAKEN in page.text
    stranger.refresh_from_db()
    assert stranger.username == "forastero" and Player.objects.count() == 3


def test_names_of_the_past_are_only_read(desk, player):
    rename_player(player=player, name="Lola", at=timezone.now())
    past = PastName.objects.get()
    address = f"/admin/cvarenta/pastname/{past.pk}"

    assert "dolores" in desk.get("/admin/cvarenta/pastname/").text
    assert desk.get(f"{address}/change/").status_code == 200
    for post in ("change", "delete"):
        assert desk.post(f"{address}/{post}/", {"post": "yes", "player": ""}).status_code == 403
    desk.post("/admin/cvarenta/pastname/", {"action": "delete_selected", "_selected_action": [past.pk], "post": "yes"})
    assert list(PastName.objects.values_list("pk", "player")) == [(past.pk, player.pk)]


def test_a_name_changed_in_the_admin_is_remembered(desk, player):
    assert desk.post(f"/admin/cvarenta/player/{player.pk}/change/", OLD | {"username": "Lola"}).status_code == 302

    player.refresh_from_db()
    assert player.username == "Lola" and player.name_key == "lola"
    assert list(PastName.objects.values_list("key", "player")) == [(names.name_key("dolores"), player.pk)]
