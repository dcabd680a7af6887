"""Play a card: by JSON, by the page's form, by the script's fragment; the bots answer in the same breath."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.models import Match
from cvarenta.game.errors import NotAllowed, Unreadable
from tests.support import client_of

from .playing import FRAGMENT, JSON, PAGE, Page, Program, Reader
from .truth import assert_whole, row_of

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


def by_form(program, table, headers, **more):
    fields = {"play": table["legal"][0], "ply": table["ply"], "csrfmiddlewaretoken": program.browser.cookies["csrftoken"].value}
    return program.browser.post(f"/mesa/{table['id']}/", fields | more, headers=headers)


# It works


def test_a_program_plays_and_gets_the_table_after_the_others_have_played(guest, table):
    after = guest.play(table["id"], table["legal"][0], table["ply"]).json()

    plays = [event for event in after["events"] if event["event"] == "play"]
    assert [event["seat"] for event in plays] == [0, 1, 2, 3]
    assert [event["ply"] for event in plays] == list(range(table["ply"], table["ply"] + 4))
    assert plays[0]["card"] == table["legal"][0][:2]
    assert after["ply"] == table["ply"] + 4
    assert after["to_play"] == 0
    assert after == guest.look(table["id"], since=table["ply"])
    assert_whole(table["id"])


def test_a_play_by_form_leads_back_to_the_table(guest, table):
    response = by_form(guest, table, PAGE)

    assert (response.status_code, response.headers["Location"]) == (302, f"/mesa/{table['id']}/")
    assert assert_whole(table["id"]).ply == table["ply"] + 4


def test_a_play_by_the_script_gets_the_new_table_and_what_happened(guest, table):
    response = by_form(guest, table, FRAGMENT)
    page, after = Page(response.text), guest.look(table["id"], since=table["ply"])

    assert response.status_code == 200
    assert "<html" not in response.text
    assert page.table["data-ply"] == str(after["ply"])
    assert [line["data-kind"] for line in page.log] == [event["event"] for event in after["events"]]
    assert [line.get("data-card") for line in page.log] == [event.get("card") for event in after["events"]]


def test_a_button_of_the_page_plays_what_it_says(guest, table):
    path = f"/mesa/{table['id']}/"
    form = Page(guest.browser.get(path, headers=PAGE).text).form_to(path)

    for name, play in form.buttons:
        assert name == "play"
        assert play in table["legal"]
    assert {play[:2] for _, play in form.buttons} == {play[:2] for play in table["legal"]}
    assert form.radios["card"] == table["hand"]
    Reader(guest.browser).submit(form, [("card", form.buttons[0][1][:2]), form.buttons[0]])
    assert Match.objects.get().plays.split()[table["ply"]] == form.buttons[0][1]


def test_each_way_to_capture_is_a_button_and_so_is_leaving_the_capture(guest):
    """At the tables where capturing is a choice; suits that differ in nothing are one button."""
    for n in range(30):
        table = guest.sit(ruleset="tradicional-2", rival="greedy", nonce=f"b{n}")
        form = Page(guest.browser.get(f"/mesa/{table['id']}/", headers=PAGE).text).form_to(f"/mesa/{table['id']}/")
        plays = {play for _, play in form.buttons}

        assert plays <= set(table["legal"])
        ranks = [{play[::2] if "x" not in play else play[0] + "x" + play[3::2] for play in some}
                 for some in (plays, table["legal"])]  # fmt: skip
        assert ranks[0] == ranks[1]


@pytest.mark.parametrize("order", [1, -1])
def test_taken_cards_may_be_named_in_any_order(guest, order):
    for n in range(200):
        table = guest.look(guest.start(ruleset="mano-a-mano", rival="random", nonce=f"o{n}"))
        long = [play for play in table["legal"] if len(play) > 5]
        while not long and table["ply"] < 20 and not table["over"]:
            table = guest.play(table["id"], min(table["legal"], key=len), table["ply"]).json()
            long = [play for play in table["legal"] if len(play) > 5]
        if long:
            break
    taken = [long[0][i : i + 2] for i in range(3, len(long[0]), 2)][::order]

    assert guest.play(table["id"], long[0][:3] + "".join(taken), table["ply"]).status_code == 200
    assert Match.objects.get(pk=table["id"]).plays.split()[table["ply"]] == long[0]


def test_a_player_plays_their_match_on_another_device(member, player):
    table = member.look(member.start())
    other = Program(client_of(player))

    assert other.play(table["id"], table["legal"][0], table["ply"]).status_code == 200
    assert member.look(table["id"])["ply"] > table["ply"]


def test_the_time_before_each_play_of_the_person_is_kept(clock, guest, table):
    clock.shift(7)
    table = guest.play(table["id"], table["legal"][0], table["ply"]).json()
    clock.shift(1.5)
    guest.play(table["id"], table["legal"][0], table["ply"])

    assert Match.objects.get().think_times.split() == ["7000", "1500"]


def test_a_clock_that_went_back_keeps_no_time_below_zero(guest, table):
    match = Match.objects.get()
    services.play(match=match, text=table["legal"][0], ply=table["ply"], at=match.played_at - timedelta(hours=1))

    assert Match.objects.get().think_times.split() == ["0"]


# Not yours


def test_a_match_of_another_is_not_found_and_not_played(guest, table, member, stranger):
    before = row_of(table["id"])
    for other in (member, Program(client_of(stranger)), Program(Client(enforce_csrf_checks=True))):
        assert other.play(table["id"], table["legal"][0], table["ply"]).status_code == 404
        for headers in (JSON, PAGE, FRAGMENT):
            assert by_form(other, table, headers).status_code == 404
    assert row_of(table["id"]) == before


def test_a_players_match_is_not_the_guests_of_the_same_browser_before(member, guest):
    table = member.look(member.start())

    assert guest.play(table["id"], table["legal"][0], table["ply"]).status_code == 404


# Already done


@pytest.mark.parametrize("headers", [JSON, PAGE, FRAGMENT], ids=["json", "page", "fragment"])
def test_a_play_posted_again_gets_409_and_the_true_table(guest, table, headers):
    assert by_form(guest, table, headers).status_code in (200, 302)
    before = row_of(table["id"])
    response = by_form(guest, table, headers)

    assert response.status_code == 409
    assert row_of(table["id"]) == before
    if headers is JSON:
        assert response.json() == guest.look(table["id"])
    else:
        assert Page(response.text).table["data-ply"] == str(before["ply"])
        assert "La mesa ya avanzó" in response.text


@pytest.mark.parametrize("headers", [PAGE, FRAGMENT], ids=["page", "fragment"])
def test_a_play_the_rules_do_not_allow_gets_400_and_the_table_to_go_on_with(guest, table, headers):
    response = by_form(guest, table, headers, play="ZZ")
    page = Page(response.text)

    assert response.status_code == 400
    assert page.table["data-ply"] == str(table["ply"])
    assert page.form_to(f"/mesa/{table['id']}/").buttons
    assert 'role="alert"' in response.text


def test_a_program_is_told_why_a_play_is_refused(guest, table):
    response = guest.play(table["id"], "ZZ", table["ply"])

    assert response.status_code == 400
    assert list(response.json()) == ["error"]


# Others untouched, nothing by halves


def test_a_play_touches_no_other_match(guest, table, member):
    others = [guest.start(), member.start()]
    before = [row_of(other) for other in others]
    guest.play(table["id"], table["legal"][0], table["ply"])

    assert [row_of(other) for other in others] == before


def test_only_what_a_play_changes_is_written(guest, table):
    before = row_of(table["id"])
    guest.play(table["id"], table["legal"][0], table["ply"])
    after = row_of(table["id"])

    assert {name for name in before if before[name] != after[name]} == {"ply", "state", "plays", "think_times", "played_at"}
    assert after["plays"].startswith(before["plays"])


def test_a_bot_that_breaks_leaves_the_match_as_it_was(guest, table, monkeypatch):
    def broken(view, rng):
        raise RuntimeError("a bot's mistake")

    before = row_of(table["id"])
    monkeypatch.setattr("cvarenta.game.bots.BOTS", {})
    monkeypatch.setattr("campaign.models._bot", lambda label: type("Bot", (), {"choose": staticmethod(broken), "label": label}))
    guest.browser.raise_request_exception = False
    assert guest.play(table["id"], table["legal"][0], table["ply"]).status_code == 500
    assert row_of(table["id"]) == before
    monkeypatch.undo()
    assert guest.play(table["id"], table["legal"][0], table["ply"]).status_code == 200
    assert_whole(table["id"])


def test_the_service_refuses_by_name_and_changes_nothing(guest, table):
    match, now, before = Match.objects.get(), timezone.now(), row_of(table["id"])
    for text, ply, error in (("ZZ", match.ply, Unreadable), ("5Hx5H", match.ply, NotAllowed), (table["legal"][0], match.ply + 1, services.OldPly)):
        with pytest.raises(error):
            services.play(match=match, text=text, ply=ply, at=now)
    assert row_of(table["id"]) == before


def test_a_match_that_was_played_behind_the_services_back_is_refused(guest, table):
    """The row's ply decides, not what was read before."""
    old = Match.objects.get()
    guest.play(table["id"], table["legal"][0], table["ply"])
    before = row_of(table["id"])
    with pytest.raises(services.OldPly):
        services.play(match=old, text=table["legal"][1], ply=table["ply"], at=timezone.now())

    assert row_of(table["id"]) == before
    assert (old.winner, old.finished_at) == (None, None)
