"""Guests: known by a signed cookie that outlives the browser's closing; nobody else's matches are theirs; in the end forgotten."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.signing import get_cookie_signer
from django.test import Client, override_settings
from django.utils import timezone

from campaign import services
from campaign.models import Match, Summary
from campaign.owners import COOKIE, COOKIE_SECONDS, SALT

from .ended_matches import save_ended
from .playing import FRAGMENT, JSON, PAGE, Program
from .truth import row_of

pytestmark = pytest.mark.django_db


def guest_with(cookie):
    """A new browser that holds this guest cookie and nothing else."""
    browser = Client(enforce_csrf_checks=True)
    browser.cookies[COOKIE] = cookie
    return Program(browser)


def addresses(match_id):
    return [f"/mesa/{match_id}/", f"/mesa/{match_id}/?since=0", f"/partida/{match_id}/", f"/partida/{match_id}/?record"]


def test_a_guest_goes_on_after_closing_the_browser(guest, table):
    """Whatever lives as long as the browser is gone: session and CSRF cookies; the guest's cookie is kept."""
    kept = guest.browser.cookies[COOKIE]
    again = guest_with(kept.value)

    assert kept["max-age"] == COOKIE_SECONDS
    assert again.look(table["id"]) == guest.look(table["id"])
    assert [row["id"] for row in again.browser.get("/practica/", headers=JSON).json()["under_way"]] == [table["id"]]
    assert again.play(table["id"], table["legal"][0], table["ply"]).status_code == 200


def test_the_cookie_is_for_this_site_and_no_script(guest, table):
    cookie = guest.browser.cookies[COOKIE]

    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"


@override_settings(SESSION_COOKIE_SECURE=True)
def test_the_cookie_keeps_to_https_where_the_site_does(guest):
    guest.start()
    assert guest.browser.cookies[COOKIE]["secure"] is True


def test_looking_around_leaves_no_guest_cookie(guest):
    for path in ("/", "/practica/", "/mesa/222222222222/"):
        guest.browser.get(path, headers=PAGE)
    assert COOKIE not in guest.browser.cookies


def test_a_second_match_is_the_same_guests(guest, table):
    guest.start()
    assert len(set(Match.objects.values_list("guest", flat=True))) == 1


def forgeries(cookie, key):
    value, time, signature = cookie.split(":")
    other = get_cookie_signer(salt="another.salt" + COOKIE)
    return {
        "nothing": "", "the bare key": key, "no signature": f"{value}:{time}", "another key": f"x{value[1:]}:{time}:{signature}",
        "another time": f"{value}:zzzzzz:{signature}", "a cut signature": cookie[:-1], "a longer one": cookie + "A",
        "another signature": f"{value}:{time}:{signature[::-1]}", "another salt": other.sign(key), "colons": ":::::",
        "letters": "ñandú", "long": "x" * 4000, "quotes": '"', "null": "%00", "semicolons": "a%3Bb", "spaces": " ",
        "the id of a match": Match.objects.get().pk,
    }  # fmt: skip


def test_a_forged_or_garbled_cookie_is_nobodys(guest, table):
    match = Match.objects.get()
    before = row_of(match.pk)
    for what, forged in forgeries(guest.browser.cookies[COOKIE].value, match.guest).items():
        forger = guest_with(forged)
        for headers in (JSON, PAGE, FRAGMENT):
            for path in addresses(match.pk):
                assert forger.browser.get(path, headers=headers).status_code == 404, what
        assert forger.play(match.pk, table["legal"][0], table["ply"]).status_code == 404, what
        assert forger.browser.get("/", headers=PAGE).status_code == 200
    assert row_of(match.pk) == before


def test_a_forged_cookie_starts_anew_under_a_key_of_its_own(guest, table):
    forger = guest_with("forged")
    forger.start()

    assert len(set(Match.objects.values_list("guest", flat=True))) == 2


def test_a_match_of_nobodys_key_is_nobodys(player):
    """A player's match has no guest key: a browser without key must not match it."""
    now = timezone.now()
    match = Match.objects.create(player=player, ruleset="quito", rival="greedy", bots="0:greedy/1", state="{}", started_at=now, played_at=now)
    empty = get_cookie_signer(salt=COOKIE + SALT).sign("")

    for browser in (Client(), guest_with(empty).browser):
        for path in addresses(match.pk):
            assert browser.get(path, headers=JSON).status_code == 404
        assert browser.get("/practica/", headers=JSON).json()["under_way"] == []


def test_another_guest_finds_no_address_of_mine_by_any_method(guest, table):
    other = Program(Client())
    other.start()
    before = row_of(table["id"])
    for headers in (JSON, PAGE, FRAGMENT):
        for path in addresses(table["id"]):
            assert other.browser.get(path, headers=headers).status_code == 404
            assert other.browser.head(path, headers=headers).status_code == 404
            for method in ("post", "put", "patch", "delete", "options"):
                assert getattr(other.browser, method)(path, headers=headers).status_code in (404, 405), (method, path)
    assert row_of(table["id"]) == before


def test_a_finished_match_is_hidden_from_other_guests_too(guest, table):
    while not table["over"]:
        table = guest.play(table["id"], table["legal"][0], table["ply"]).json()
    other = Program(Client())
    other.start()
    for headers in (JSON, PAGE, FRAGMENT):
        for path in addresses(table["id"]):
            assert other.browser.get(path, headers=headers).status_code == 404


def test_what_is_not_mine_and_what_is_not_there_are_told_alike(guest, table):
    other = Program(Client())
    other.start()
    for headers in (JSON, PAGE):
        answers = [other.browser.get(f"/mesa/{match_id}/", headers=headers) for match_id in (table["id"], "2" * 12)]
        texts = [answer.text.replace(match_id, "ID") for answer, match_id in zip(answers, (table["id"], "2" * 12), strict=True)]
        assert texts[0] == texts[1]
        assert [list(answer.headers) for answer in answers][0] == list(answers[1].headers)


def test_someone_who_logs_in_keeps_the_guests_matches_of_this_browser(guest, table, player):
    guest.browser.force_login(player)

    assert guest.look(table["id"]) == table
    assert guest.play(table["id"], table["legal"][0], table["ply"]).status_code == 200
    mine = guest.start()
    assert Match.objects.get(pk=mine).player == player
    guest.browser.logout()


# Forgetting


def forget():
    out = StringIO()
    call_command("forget_guests", stdout=out)
    return out.getvalue().strip()


def aged(match_id, **age):
    Match.objects.filter(pk=match_id).update(played_at=timezone.now() - timedelta(**age))
    return match_id


def test_guests_matches_are_forgotten_thirty_days_after_their_last_play(guest, member):
    old, young = aged(guest.start(), days=30, seconds=5), aged(guest.start(), days=29, hours=23)
    players, new = aged(member.start(), days=400), guest.start()

    assert forget() == "1 matches removed."
    assert set(Match.objects.values_list("pk", flat=True)) == {young, players, new}
    assert guest.browser.get(f"/mesa/{old}/", headers=PAGE).status_code == 404
    assert guest.look(young)["id"] == young


def test_a_match_begun_long_ago_and_still_played_is_kept(guest, table):
    Match.objects.update(started_at=timezone.now() - timedelta(days=300), played_at=timezone.now() - timedelta(days=300))
    guest.play(table["id"], table["legal"][0], table["ply"])

    assert forget() == "0 matches removed."
    assert Match.objects.count() == 1


def test_what_goes_with_a_match_is_not_counted(db):
    match = save_ended(None, 80, guest="somebody")
    services.sum_up(most=1)
    aged(match.pk, days=31)

    assert forget() == "1 matches removed." and not Summary.objects.exists()


def test_forgetting_may_be_repeated(guest):
    aged(guest.start(), days=31)

    assert [forget(), forget()] == ["1 matches removed.", "0 matches removed."]
