"""What really playing a scored run earns: each chapter once, by the clock of the winning play, and nothing else anything."""

import pytest
from django.test import Client

from campaign.models import Match, Run
from cvarenta.accounts.services import delete_player, rename_player
from tests.accounts.asking import sign_up
from tests.support import client_of
from tests.tournament.books import CLOSE, MONDAY, minutes, quito, seconds
from tournament import ranking, services
from tournament.audit import audit
from tournament.models import Award, Final, ScoredRun, Standing

from .endings import LOST, WON, bring_to_its_end, finish
from .playing import JSON, Program, at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def rival(season, rival_player):
    return Program(client_of(rival_player))


def win(program, chapters=1, kind="scored"):
    """Begin a run or go on with it, and win so many chapters; returns the last answer of the map."""
    for _ in range(chapters):
        answer = program.go_on(kind)
        finish(program, answer["id"], WON)
    return answer


def lose(program):
    answer = program.go_on("scored")
    finish(program, answer["id"], LOST)
    return answer


def standings():
    """Points and runs by player."""
    return {name: (points, runs) for name, points, runs in Standing.objects.values_list("player__username", "points", "runs")}


def table(season, at=CLOSE):
    season.refresh_from_db()
    return [(line.place, line.player, line.points) for line in ranking.walk(season)]


def faults(season):
    season.refresh_from_db()
    return [fault for _, _, found in audit(season) for fault in found]


def books():
    return [list(model.objects.order_by("pk").values()) for model in (Standing, ScoredRun, Award, Final)]


# What is won


@pytest.mark.parametrize(("won", "points"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 400), (5, 700)])
def test_a_run_earns_what_its_chapters_pay_and_all_five_more(season, member, clock, won, points):
    for number in range(won):
        clock.move_to(MONDAY + minutes(number), tick=False)
        win(member)
    if won < 5:
        lose(member)
    assert standings() == {"dolores": (points, 1)} and faults(season) == []
    assert table(season) == ([(1, "dolores", points)] if points else [])
    if won:
        assert Standing.objects.get().reached_at == MONDAY + minutes(won - 1)


def test_three_whole_runs_a_day_are_2100_and_a_fourth_is_free(season, member, player):
    for _ in range(3):
        win(member, 5)
    assert win(member, 5)["kind"] == "free"
    assert standings() == {"dolores": (2100, 3)} and ScoredRun.objects.filter(outcome="completed").count() == 3
    assert ranking.line_of(season, player.pk)[:4] == (1, "dolores", 2100, 3) and faults(season) == []


def test_what_was_won_stays_when_the_run_is_left(season, member):
    run = win(member, 2)["run"]
    member.post(f"/campana/{run}/abandonar/", {})
    assert standings() == {"dolores": (200, 1)} and ScoredRun.objects.get().outcome == "abandoned" and faults(season) == []


def test_the_win_is_in_the_table_though_nobody_looked_at_the_end(season, member, player):
    """The browser was closed on the winning play; an hour later the next chapter is there."""
    answer = member.go_on("scored")
    play, ply = bring_to_its_end(answer["id"], WON)
    member.play(answer["id"], play, ply)
    assert table(season) == [(1, "dolores", 100)]
    assert Program(client_of(player)).go_on("scored")["chapter"] == 2


def test_where_the_season_gives_a_second_try_the_first_loss_does_not_end_it(season, member):
    season.attempts = 2
    season.save()
    lose(member)
    win(member, 1)
    lose(member), lose(member)
    assert (Run.objects.get().outcome, standings()) == ("lost", {"dolores": (100, 1)}) and faults(season) == []


# The same play and the same chapter again


@pytest.mark.django_db(transaction=True)
def test_the_last_play_from_three_tabs_is_paid_once(season, player, tab_of):
    tabs = [tab_of(player) for _ in range(3)]
    for _ in range(5):
        match_id = tabs[0].go_on("scored")["id"]
        play, ply = bring_to_its_end(match_id, WON)
        answers = at_once(*[lambda tab=tab: tab.play(match_id, play, ply) for tab in tabs])
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert standings() == {"dolores": (700, 1)} and Award.objects.count() == 6 and faults(season) == []


def test_a_won_chapter_is_not_won_again(season, member):
    first = win(member)
    before, play = books(), bring_to_its_end(first["id"], WON)
    assert member.play(first["id"], *play).status_code == 409
    assert member.post("/campana/", {"kind": "scored", "run": first["run"], "chapter": 1}).status_code == 409
    assert member.post(f"/campana/{first['run']}/1/", {}).status_code == 405
    assert books() == before and Match.objects.count() == 1


@pytest.mark.parametrize("chapter", [0, 3, 5, 6, -1, "V"])
def test_a_chapter_is_not_skipped(season, member, chapter):
    win(member)
    run, before = Run.objects.get(), books()
    assert member.post("/campana/", {"kind": "scored", "run": run.pk, "chapter": chapter}).status_code in (400, 409)
    assert member.browser.get(f"/campana/{run.pk}/{chapter}/", headers=JSON).status_code == 404
    assert books() == before and Match.objects.count() == 1


def test_anothers_run_and_match_give_nothing_to_either(season, member, rival):
    mine, theirs = member.go_on("scored"), rival.go_on("scored")
    before, play = books(), bring_to_its_end(theirs["id"], WON)
    assert member.play(theirs["id"], *play).status_code == 404
    assert member.post("/campana/", {"kind": "scored", "run": theirs["run"], "chapter": 1}).status_code == 409
    assert member.post(f"/campana/{theirs['run']}/abandonar/", {}).status_code == 404
    assert books() == before
    win(member)
    assert standings() == {"dolores": (100, 1), "cantuña": (0, 1)} and mine["run"] != theirs["run"] and faults(season) == []


def test_an_earlier_run_is_not_gone_on_with(season, member):
    first = win(member, 2)
    member.post(f"/campana/{first['run']}/abandonar/", {})
    second, before = member.go_on("scored"), books()
    assert member.post("/campana/", {"kind": "scored", "run": first["run"], "chapter": 3}).status_code == 409
    assert books() == before and Run.objects.under_way().get().pk == second["run"]


# One transaction


@pytest.mark.parametrize("chapter", [1, 5])
def test_if_the_award_fails_there_is_neither_play_nor_points(season, member, monkeypatch, chapter):
    if chapter > 1:
        win(member, chapter - 1)
    match_id = member.go_on("scored")["id"]
    play, ply = bring_to_its_end(match_id, WON)
    before, row = books(), Match.objects.filter(pk=match_id).values().get()

    def fail(**facts):
        raise RuntimeError("the books are closed")

    with monkeypatch.context() as patch:
        patch.setattr(services, "award" if chapter == 1 else "close_run", fail)
        with pytest.raises(RuntimeError):
            member.play(match_id, play, ply)
    assert books() == before and Match.objects.filter(pk=match_id).values().get() == row
    assert Run.objects.get().chapters_won == chapter - 1
    assert member.play(match_id, play, ply).status_code == 200
    assert standings() == {"dolores": (100 if chapter == 1 else 700, 1)} and faults(season) == []


# What never scores

SENT = [
    {"kind": "free"}, {"kind": "free", "slot": "fiestas-de-quito-2026:2026-11-30:1"}, {"kind": "scored", "points": "700"},
    {"kind": "scored", "is_scored": "true"}, {"kind": "free", "kind_": "scored"}, {"kind": "puntuable"}, {"kind": ""},
    {"slot": "fiestas-de-quito-2026:2026-11-30:1"}, {"kind": "scored", "slot": "fiestas-de-quito-2026:2026-11-30:4"},
    {"kind": "scored", "slot": ""}, {"kind": "scored", "slot": "fiestas-de-quito-2026:2026-12-01:1"}, {"kind": "scored", "chapter": "5"},
    {"kind": "scored", "run": "x"}, {"kind": ["scored"]},
]  # fmt: skip


@pytest.mark.parametrize("fields", SENT, ids=str)
def test_a_run_that_is_not_the_one_offered_never_scores(season, member, fields):
    answer = member.post("/campana/", fields)
    if answer.status_code == 201:
        assert answer.json()["kind"] == "free"
        finish(member, answer.json()["id"], WON)
    else:
        assert answer.status_code in (400, 409) and not Run.objects.exists()
    assert books() == [[]] * 4


def test_a_whole_free_run_earns_nothing(season, member):
    win(member, 5, kind="free")
    assert Run.objects.get().outcome == "completed" and books() == [[]] * 4 and table(season) == []


@pytest.mark.parametrize("who", ["player", "guest"])
def test_practice_earns_nothing_whatever_is_sent(season, player, who):
    program = Program(client_of(player) if who == "player" else Client())
    sent = {"ruleset": "quito", "rival": "greedy", "kind": "scored", "run": "x", "chapter": "1", "is_scored": "1", "points": "100",
            "slot": "fiestas-de-quito-2026:2026-11-30:1"}  # fmt: skip
    match_id = program.post("/practica/", sent).json()["id"]
    play, ply = bring_to_its_end(match_id, WON)
    for more in ({"run": "x"}, {"chapter": 1}, {"points": 100}, {"is_scored": 1}):
        assert program.post(f"/mesa/{match_id}/", {"play": play, "ply": ply} | more).status_code == 400
    assert program.play(match_id, play, ply).json()["winner"] == WON
    assert books() == [[]] * 4 and Match.objects.get().run is None and not Run.objects.exists()


def test_a_guest_has_no_run_and_what_was_played_so_earns_nothing_later(season, client):
    guest = Program(client)
    assert guest.post("/campana/", {"kind": "scored"}).status_code == 401
    match_id = guest.start(ruleset="quito", rival="greedy")
    play, ply = bring_to_its_end(match_id, WON)
    sign_up(client, "lola")
    assert guest.play(match_id, play, ply).status_code == 200 and Match.objects.get().player.username == "lola"
    assert books() == [[]] * 4 and not Run.objects.exists()


# The close


def test_one_second_before_the_close_counts_and_at_the_close_the_run_goes_on_without_points(season, member, clock):
    clock.move_to(CLOSE - minutes(1), tick=False)
    member.go_on("scored")
    clock.move_to(CLOSE - seconds(1), tick=False)
    win(member)
    assert standings() == {"dolores": (100, 1)}
    clock.move_to(CLOSE, tick=False)
    win(member)
    clock.move_to(CLOSE + minutes(60), tick=False)
    assert win(member, 3)["kind"] == "scored"
    run, entry = Run.objects.get(), ScoredRun.objects.get()
    assert (run.outcome, run.chapters_won, entry.outcome, entry.ended_at) == ("completed", 5, "completed", CLOSE + minutes(60))
    assert standings() == {"dolores": (100, 1)} and Award.objects.count() == 1 and faults(season) == []


def test_the_last_chapter_at_the_close_pays_neither_itself_nor_all_five(season, member, clock):
    win(member, 4)
    member.go_on("scored")
    clock.move_to(CLOSE, tick=False)
    win(member)
    assert standings() == {"dolores": (400, 1)} and Run.objects.get().outcome == "completed" and faults(season) == []


def test_the_last_chapter_one_second_before_pays_both(season, member, clock):
    win(member, 4)
    clock.move_to(CLOSE - seconds(1), tick=False)
    win(member)
    assert standings() == {"dolores": (700, 1)} and Standing.objects.get().reached_at == CLOSE - seconds(1)


def test_what_is_dealt_before_the_close_and_won_after_it_does_not_count(season, member, clock):
    """The close is between the second chapter and the third."""
    win(member, 2)
    answer = member.go_on("scored")
    clock.move_to(CLOSE + seconds(1), tick=False)
    finish(member, answer["id"], WON)
    services.close_seasons(at=CLOSE + services.GRACE)
    clock.move_to(CLOSE + services.GRACE, tick=False)
    lose(member)
    assert standings() == {"dolores": (200, 1)} and table(season) == [(1, "dolores", 200)]
    assert Run.objects.get().outcome == "lost" and faults(season) == []


def test_a_start_at_the_close_is_free(season, member, clock):
    clock.move_to(CLOSE, tick=False)
    assert member.go_on("scored")["kind"] == "free" and books() == [[]] * 4


def test_after_the_table_is_written_a_server_whose_clock_is_slow_pays_nothing(season, member, clock):
    win(member)
    answer = member.go_on("scored")
    services.close_seasons(at=CLOSE + services.GRACE)
    clock.move_to(CLOSE - seconds(1), tick=False)
    finish(member, answer["id"], WON)
    assert Run.objects.get().chapters_won == 2 and standings() == {"dolores": (100, 1)} and table(season) == [(1, "dolores", 100)]


# The day


def test_a_run_belongs_to_the_day_it_began_whenever_it_is_won(season, member, clock):
    for _ in range(2):
        lose(member)
    clock.move_to(quito(11, 30, 23, 58), tick=False)
    member.go_on("scored")
    clock.move_to(quito(12, 1, 0, 5), tick=False)
    win(member, 5)
    assert [(run.day.day, run.slot, run.outcome) for run in ScoredRun.objects.order_by("started_at", "slot")] == [
        (30, 1, "lost"), (30, 2, "lost"), (30, 3, "completed")
    ]  # fmt: skip
    assert standings() == {"dolores": (700, 3)} and Standing.objects.get().reached_at == quito(12, 1, 0, 5)
    assert [lose(member)["kind"] for _ in range(3)] == ["scored"] * 3 and member.go_on("scored")["kind"] == "free"
    assert sorted(ScoredRun.objects.filter(day="2026-12-01").values_list("slot", flat=True)) == [1, 2, 3] and faults(season) == []


def test_the_first_of_a_day_may_be_won_days_later(season, member, clock):
    member.go_on("scored")
    clock.move_to(quito(12, 4), tick=False)
    win(member, 1)
    assert str(ScoredRun.objects.get().day) == "2026-11-30" and standings() == {"dolores": (100, 1)} and faults(season) == []


# The account


def test_who_deletes_the_account_has_no_place_and_the_others_move_up(season, member, rival, player, clock):
    win(member, 5)
    answer = member.go_on("scored")
    clock.move_to(MONDAY + minutes(1), tick=False)
    win(rival, 2)
    assert table(season) == [(1, "dolores", 700), (2, "cantuña", 200)]
    delete_player(player=player, at=MONDAY + minutes(2))
    assert table(season) == [(1, "cantuña", 200)] and faults(season) == []
    left = ScoredRun.objects.get(pk=answer["run"])
    assert (left.outcome, left.standing.player, Standing.objects.get(player=None).points) == ("abandoned", None, 700)
    assert set(Run.objects.filter(pk__in=ScoredRun.objects.filter(standing=left.standing).values("pk")).values_list("player", "is_scored")) == {(None, True)}


def test_signing_up_again_gives_no_points_and_not_the_name(season, member, player, client):
    win(member, 2)
    delete_player(player=player, at=MONDAY + minutes(1))
    sign_up(client, "dolores")
    assert not client.get("/campana/", headers=JSON).wsgi_request.user.is_authenticated
    sign_up(client, "lola")
    assert client.get("/ranking/", headers=JSON).json()["me"] is None
    assert table(season) == [] and win(Program(client))["kind"] == "scored"
    assert table(season) == [(1, "lola", 100)] and faults(season) == []


def test_another_name_keeps_points_place_runs_and_slots(season, member, rival, player):
    win(member, 2), win(rival, 1)
    before = books()
    rename_player(player=player, name="Lola", at=MONDAY)
    assert books() == before and table(season) == [(1, "Lola", 200), (2, "cantuña", 100)]
    member.post(f"/campana/{Run.objects.get(player=player).pk}/abandonar/", {})
    assert [lose(member)["kind"] for _ in range(2)] + [member.go_on("scored")["kind"]] == ["scored", "scored", "free"]


def test_who_logs_in_next_in_the_same_browser_inherits_nothing(season, member, player, rival_player):
    answer = member.go_on("scored")
    member.browser.logout()
    member.browser.force_login(rival_player)
    play, before = bring_to_its_end(answer["id"], WON), books()
    assert member.play(answer["id"], *play).status_code == 404 and books() == before
    assert member.go_on("scored")["run"] != answer["run"]
    assert standings() == {"dolores": (0, 1), "cantuña": (0, 1)}
