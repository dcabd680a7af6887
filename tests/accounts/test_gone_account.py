"""An account deleted while other requests of the same person are at work: gone it is, and nobody sees an error."""

import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from campaign.models import Run
from campaign.services import abandon_run, go_on, start_run
from cvarenta.accounts.services import delete_player
from cvarenta.models import Player
from tests.campaign.endings import WON, bring_to_its_end
from tests.campaign.playing import JSON
from tests.support import client_of

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()


def in_a_thread(call):
    """Start a call in a thread with a database connection of its own; returns a function that waits for its outcome."""
    outcome = []

    def run():
        try:
            outcome.append(call())
        except Exception as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()

    def wait():
        thread.join(30)
        assert not thread.is_alive(), "it waits for ever"
        return outcome[0]

    return wait


def test_what_was_read_before_is_not_written_anew(player):
    """Django inserts a row whose update finds none; a change of password at the same moment must not bring it back."""
    stale = Player.objects.get(pk=player.pk)
    delete_player(player=player, at=NOW)
    with pytest.raises(DatabaseError):
        stale.save()
    assert not Player.objects.filter(username="dolores").exists()


@pytest.mark.parametrize("headers, status", [(JSON, 401), ({}, 302)], ids=["program", "page"])
def test_a_request_at_work_ends_at_the_door(player, monkeypatch, headers, status):
    browser = client_of(player)

    def start_and_lose_the_account(**fields):
        delete_player(player=player, at=NOW)
        return start_run(**fields)

    monkeypatch.setattr("campaign.services.start_run", start_and_lose_the_account)
    answer = browser.post("/campana/", {"kind": "free"}, headers=headers)
    assert answer.status_code == status
    assert not Run.objects.exists() and "_auth_user_id" not in browser.session


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="one writer at a time")
@pytest.mark.parametrize("ending", ["abandon", "win"])
def test_a_run_that_ends_at_that_moment_keeps_nobody_from_leaving(player, ending):
    match = start_run(player_id=player.pk, at=NOW)
    with transaction.atomic():
        if ending == "abandon":
            abandon_run(run=match.run, at=NOW)
        else:
            from campaign.services import play

            move, ply = bring_to_its_end(match.pk, WON)
            match.refresh_from_db()
            play(match=match, text=move, ply=ply, at=NOW)
        leaving = in_a_thread(lambda: delete_player(player=player, at=NOW))
        threading.Event().wait(0.5)
    assert leaving() is None
    assert not Player.objects.filter(pk=player.pk).exists()
    assert Run.objects.get().player is None


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="one writer at a time")
def test_dealing_a_chapter_and_leaving_do_not_wait_for_each_other_for_ever(player):
    match = start_run(player_id=player.pk, at=NOW)
    move, ply = bring_to_its_end(match.pk, WON)
    client_of(player).post(f"/mesa/{match.pk}/", {"play": move, "ply": ply})
    run = Run.objects.get()
    with transaction.atomic():
        go_on(run=run, chapter=2, at=NOW)
        leaving = in_a_thread(lambda: delete_player(player=player, at=NOW))
        threading.Event().wait(0.5)
    assert leaving() is None
    assert not Player.objects.filter(pk=player.pk).exists()


# Forged


@pytest.mark.parametrize("path", ["login/", "signup/", "logout/"])
def test_a_way_on_that_is_no_address_is_ignored(player, path):
    for next_url in ("//[", "/\\[", "http://[::"):
        for browser in (Client(), client_of(player)):
            assert browser.get(f"/cuenta/{path}", {"next": next_url}).status_code in (200, 302)
    answer = Client().post("/cuenta/login/", {"login": "dolores", "password": "cuarenta-tantos-1534", "next": "//["})
    assert (answer.status_code, answer["Location"]) == (302, "/campana/")


def test_an_address_where_no_mail_can_go_is_refused_at_its_field(db):
    from cvarenta.accounts.adapter import AccountAdapter

    with pytest.raises(ValidationError):
        AccountAdapter().clean_email("a@" + "İ" * 62 + ".org")
    answer = Client().post(
        "/cuenta/signup/", {"username": "carmela", "email": "a@" + "İ" * 62 + ".org", "password1": "la-mesa-de-la-40"}
    )
    assert answer.status_code == 200 and not Player.objects.filter(username="carmela").exists()


@pytest.mark.parametrize(
    "credential", ["[" * 5000, "9" * 5000, "{}", "null", "\x00"], ids=["deep", "long", "empty", "null", "nul"]
)
def test_garbage_for_a_key_is_refused(db, credential):
    assert Client().post("/cuenta/2fa/webauthn/login/", {"credential": credential}).status_code in (200, 302)
