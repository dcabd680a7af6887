"""Decisions on runs: an annulled run's points count nowhere, a restored one's count as before, and the trail keeps it all."""

import csv
import io
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test import Client

from tests.campaign.playing import JSON, PAGE
from tournament import decisions, front, ranking, review, services
from tournament.decisions import NotPossible, Overtaken, OwnRun, ReasonMissing
from tournament.models import Award, Decision, ScoredRun, Season, SecondLook, Standing
from tournament.review import Finding

from .apart import Apart
from .books import CLOSE, LAST, MONDAY, begin, crowd, in_threads, make_season, minutes, own_faults, score, seconds, win
from .reviewing import LATER, decide, standing, state

pytestmark = pytest.mark.django_db
CSV = "/ranking/fiestas-de-quito-2026/tabla.csv"
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="elsewhere one writes at a time")


def close(season, at=CLOSE + services.GRACE):
    services.close_seasons(at=at)
    season.refresh_from_db()


# One run


def test_annulling_takes_the_points_out_and_restoring_puts_them_back_as_they_were(store, season, player, reviewer):
    first, second = score(player, 2, MONDAY), score(player, 3, MONDAY + minutes(5))
    before = standing(player)
    decide(second, "annul", reviewer)
    assert standing(player) == (200, MONDAY) and not own_faults(season)
    decide(first, "annul", reviewer)
    assert standing(player) == (0, None) and ranking.line_of(season, player.pk) is None and not own_faults(season)
    decide(second, "restore", reviewer)
    assert standing(player) == (300, MONDAY + minutes(5))
    decide(first, "restore", reviewer)
    assert standing(player) == before and not own_faults(season)


def test_the_trail_says_who_when_what_why_before_and_after(season, player, reviewer):
    run_id = score(player, 2)
    decide(run_id, "annul", reviewer, "  Cuatro   jugadas\nen un segundo ")
    decide(run_id, "restore", reviewer, "")
    annulled, restored = Decision.objects.order_by("number").values()
    assert (annulled["by_id"], annulled["by_name"], annulled["at"], annulled["reason"]) == (
        reviewer.pk, "mariana", LATER, "Cuatro jugadas en un segundo",
    )  # fmt: skip
    assert [(line["number"], line["action"], line["state_before"], line["state_after"]) for line in (annulled, restored)] == [
        (1, "annul", "waiting", "annulled"),
        (2, "restore", "annulled", "waiting"),
    ]
    points = [(line["points_before"], line["points_after"]) for line in (annulled, restored)]
    assert points == [(200, 0), (0, 200)]


@pytest.mark.parametrize("before", ["waiting", "approved"])
def test_a_restored_run_is_what_it_was(season, player, reviewer, before):
    run_id = score(player, 1)
    if before == "approved":
        decide(run_id, "approve", reviewer)
    was = state(run_id)[:2]
    decide(run_id, "annul", reviewer)
    assert state(run_id)[:2] == ("annulled", False)
    decide(run_id, "restore", reviewer)
    assert state(run_id)[:2] == was == (before, before == "waiting")


def test_approving_moves_nobody(season, player, reviewer):
    run_id = score(player, 1)
    decide(run_id, "approve", reviewer, "")
    assert state(run_id) == ("approved", False, 1) and standing(player) == (100, MONDAY)
    assert not own_faults(season) and Season.objects.get().revision == 0


@pytest.mark.parametrize("reason", ["", " \n\t ", "\u200b\u202e", "¿…?"])
def test_nothing_is_annulled_without_a_reason(season, player, reviewer, reason):
    run_id = score(player, 1)
    with pytest.raises(ReasonMissing):
        decide(run_id, "annul", reviewer, reason)
    assert state(run_id) == ("waiting", True, 0) and not Decision.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Decision.objects.create(
            run_id=run_id, number=1, action="annul", reason="", by_id=1, by_name="x", at=MONDAY, state_before="waiting",
            state_after="annulled", points_before=0, points_after=0,
        )  # fmt: skip


def test_what_makes_no_sense_is_refused_and_changes_nothing(season, player, reviewer):
    run_id, under_way = score(player, 1), begin(player)
    wrong = [(run_id, "restore"), (under_way, "approve"), (under_way, "restore")]
    for run, action in wrong:
        with pytest.raises(NotPossible):
            decide(run, action, reviewer)
    with pytest.raises(ValueError, match="forgive"):
        decide(run_id, "forgive", reviewer)
    with pytest.raises(ValueError, match="too long"):
        decide(run_id, "annul", reviewer, "x" * 501)
    with pytest.raises(ScoredRun.DoesNotExist):
        decisions.decide(run_id="nosuchrun234", action="annul", reason="x", by=reviewer, seen=0, at=LATER)
    decide(run_id, "annul", reviewer)
    for action in ("annul", "approve"):
        with pytest.raises(NotPossible):
            decide(run_id, action, reviewer)
    assert Decision.objects.count() == 1 and state(under_way) == ("waiting", False, 0)


def test_nobody_decides_on_a_run_of_their_own(season, reviewer):
    run_id = score(reviewer, 1)
    for action in ("approve", "annul"):
        with pytest.raises(OwnRun):
            decide(run_id, action, reviewer)
    assert state(run_id) == ("waiting", True, 0) and not Decision.objects.exists()


def test_the_second_of_two_reviewers_is_told_who_was_first(season, player, reviewer, stranger):
    run_id = score(player, 1)
    decide(run_id, "approve", reviewer, seen=0)
    with pytest.raises(Overtaken) as told:
        decide(run_id, "annul", stranger, seen=0)
    assert (told.value.last.by_name, told.value.last.action) == ("mariana", "approve")
    assert state(run_id) == ("approved", False, 1) and standing(player) == (100, MONDAY)


def test_a_page_from_before_undoes_nothing_earned_since(store, season, player, reviewer):
    run_id = begin(player)
    win(run_id, 1, MONDAY)
    seen = ScoredRun.objects.get().decided
    win(run_id, 1, MONDAY + minutes(1), first=2)
    decide(run_id, "annul", reviewer, seen=seen)
    assert standing(player) == (0, None)
    decide(run_id, "restore", reviewer)
    assert standing(player) == (200, MONDAY + minutes(1)) and not own_faults(season)


def test_what_an_annulled_run_goes_on_to_win_counts_once_it_is_restored(store, season, player, reviewer):
    run_id = begin(player)
    win(run_id, 2, MONDAY)
    decide(run_id, "annul", reviewer, at=MONDAY + minutes(1))
    win(run_id, 3, MONDAY + minutes(2), first=3)
    assert standing(player) == (0, None) and state(run_id) == ("annulled", False, 1) and not own_faults(season)
    assert Award.objects.filter(run=run_id).count() == LAST + 1
    decide(run_id, "restore", reviewer)
    assert standing(player) == (700, MONDAY + minutes(2)) and state(run_id) == ("waiting", True, 2)
    assert not own_faults(season)


def test_the_run_of_somebody_who_has_left_can_be_decided_on(store, season, player, rival_player, reviewer):
    run_id = score(player, 5)
    score(rival_player, 1)
    close(season)
    services.leave(player_id=player.pk, at=CLOSE + minutes(5))
    decide(run_id, "annul", reviewer, at=CLOSE + minutes(6))
    season.refresh_from_db()
    assert [(line.place, line.player) for line in ranking.walk(season)] == [(1, "cantuña")] and not own_faults(season)
    decide(run_id, "restore", reviewer, at=CLOSE + minutes(7))
    assert [(line.place, line.player) for line in ranking.walk(season)] == [(1, None), (2, "cantuña")]
    assert not own_faults(season)


# Everywhere at once


def told(season, players):
    """What each way of reading the books says of everybody: they have to agree."""
    answer = Client().get("/ranking/", headers=JSON).json()
    lines = [(line["place"], line["player"], line["points"]) for line in answer["standings"]]
    rows = list(csv.reader(io.StringIO(Client().get(CSV).getvalue().decode("utf-8-sig"))))[1:]
    season.refresh_from_db()
    own = [ranking.line_of(season, player.pk) for player in players]
    return {
        "json": lines,
        "csv": [(int(row[0]), row[1], int(row[2])) for row in rows],
        "own": sorted((line.place, line.player, line.points) for line in own if line),
        "total": answer["total"],
    }


def agreed(season, players, clock):
    """Some seconds later pages say it too; a decision they tell at once (below)."""
    clock.shift(front.FRESH)
    answer = told(season, players)
    assert answer["json"] == answer["csv"] == answer["own"] and answer["total"] == len(answer["json"])
    page = Client().get("/ranking/", headers=PAGE).text
    places = [page.index(f">{name}<") for _, name, _ in answer["json"]]
    assert places == sorted(places)
    for player in players:
        has_place = any(name == player.username for _, name, _ in answer["json"])
        assert (f">{player.username}<" in page) == has_place
    assert not own_faults(season)
    return answer["json"]


@pytest.mark.usefixtures("clock")
def test_the_first_of_ten_tied_goes_and_comes_back_to_the_same_place_while_others_score(store, season, clock, reviewer):
    players = crowd(10)
    runs = [score(player, 2, MONDAY - minutes(60 - n)) for n, player in enumerate(players)]
    assert [name for _, name, _ in agreed(season, players, clock)] == [player.username for player in players]
    for turn, action in enumerate(("annul", "restore", "annul", "restore")):
        clock.move_to(MONDAY + minutes(turn + 1), tick=False)
        decide(runs[0], action, reviewer, at=MONDAY + minutes(turn + 1))
        order = [name for _, name, _ in agreed(season, players, clock)]
        assert order.index(players[0].username) == turn if action == "restore" else players[0].username not in order
        score(players[9 - turn], 1, MONDAY + minutes(turn + 1) + seconds(6))
        order = [name for _, name, _ in agreed(season, players, clock)]
        assert order.index(players[0].username) == turn + 1 if action == "restore" else players[0].username not in order
    assert standing(players[0]) == (200, MONDAY - minutes(60))


@pytest.mark.usefixtures("clock")
def test_what_was_drawn_before_a_decision_is_shown_no_more(season, player, rival_player, reviewer):
    """Though the clock stands still."""
    score(player, 1)
    run_id = score(rival_player, 2)
    assert ">cantuña<" in Client().get("/ranking/").text and "cantuña" in Client().get("/").text
    decide(run_id, "annul", reviewer, at=MONDAY)
    assert ">cantuña<" not in Client().get("/ranking/").text and "cantuña" not in Client().get("/").text
    decide(run_id, "restore", reviewer, at=MONDAY)
    assert ">cantuña<" in Client().get("/ranking/").text


@pytest.mark.parametrize("seed", range(3))
def test_who_walks_through_the_pages_meets_everybody_as_they_stood(store, season, clock, reviewer, monkeypatch, seed):
    """Whatever is decided and won between two pages."""
    monkeypatch.setitem(ranking.page_at.__kwdefaults__, "size", 4)
    monkeypatch.setitem(ranking.page_after.__kwdefaults__, "size", 4)
    rng, now = random.Random(seed), MONDAY
    players = crowd(15)
    runs = [score(rng.choice(players), rng.randrange(1, 5), MONDAY - minutes(60 - n)) for n in range(30)]
    runs = [run for run in runs if run]
    for _ in range(3):
        before = [tuple(line) for line in ranking.walk(season)]
        page = ranking.page_at(season, 1, at=now)
        seen = list(page.lines)
        while page.next:
            now += seconds(rng.choice((0.000001, 1, 40)))
            for _ in range(rng.randrange(4)):
                run = ScoredRun.objects.get(pk=rng.choice(runs))
                # Asked for before the page was shown, and waited for others till now.
                asked_at = now - seconds(rng.choice((0, 10)))
                decide(run.pk, "restore" if run.state == "annulled" else "annul", reviewer, at=asked_at, clock=lambda: now)
            score(rng.choice(players), 1, now)
            page = ranking.page_after(season, page.next, at=now)
            seen += page.lines
        # How many runs they have begun is told as it is now.
        assert [line[:3] + line[4:] for line in seen] == [line[:3] + line[4:] for line in before]
        now += minutes(1)
    assert not own_faults(season)


# What a page has not seen


@pytest.mark.parametrize("comes", [
    lambda run_id: review.flag(run_id=run_id, finding=Finding("pace", "Muy rápida"), at=LATER),
    lambda run_id: review.ask_again(run_id=run_id, at=LATER),
], ids=["a flag", "a second look"])  # fmt: skip
def test_what_came_while_a_page_was_read_is_told_and_not_passed_over(season, player, reviewer, comes):
    run_id = score(player, 1)
    comes(run_id)
    with pytest.raises(Overtaken) as told:
        decide(run_id, "approve", reviewer, seen=0)
    assert told.value.last.run_id == run_id and state(run_id) == ("waiting", True, 0)
    decide(run_id, "approve", reviewer, seen=1)
    assert state(run_id) == ("approved", False, 1) and not ScoredRun.objects.get().asks


# After the close


def test_a_run_left_open_over_the_close_can_be_settled(season, player, rival_player, reviewer):
    approved, wavering = begin(player), begin(rival_player)
    for run_id in (approved, wavering):
        win(run_id, 2)
        with pytest.raises(NotPossible):
            decide(run_id, "approve", reviewer)
        review.check_run(run_id=run_id, at=CLOSE + minutes(5))
    decide(approved, "approve", reviewer, at=CLOSE + minutes(6))
    decide(wavering, "annul", reviewer, at=CLOSE + minutes(6))
    decide(wavering, "restore", reviewer, at=CLOSE + minutes(7))
    assert state(approved) == ("approved", False, 1) and state(wavering) == ("waiting", True, 2)
    services.close_run(run_id=approved, outcome="lost", at=CLOSE + minutes(8))
    assert not state(approved)[1] and not own_faults(season)


def test_a_final_table_is_written_again_and_back(season, player, rival_player, stranger, reviewer):
    first = score(rival_player, 5, MONDAY)
    score(player, 5, MONDAY + minutes(1))
    score(stranger, 1, MONDAY)
    close(season)
    before, written = list(ranking.walk(season)), season.final_at
    decide(first, "annul", reviewer, at=CLOSE + minutes(60))
    season.refresh_from_db()
    assert [(line.place, line.player) for line in ranking.walk(season)] == [(1, "dolores"), (2, "forastero")]
    assert (season.final_at, season.amended_at) == (written, CLOSE + minutes(60)) and ranking.total(season) == 2
    assert ranking.line_of(season, rival_player.pk) is None and not own_faults(season)
    decide(first, "restore", reviewer, at=CLOSE + minutes(61))
    season.refresh_from_db()
    assert list(ranking.walk(season)) == before and not own_faults(season)


def test_approving_after_the_close_writes_nothing_again(season, player, reviewer):
    run_id = score(player, 1)
    close(season)
    decide(run_id, "approve", reviewer, at=CLOSE + minutes(60))
    season.refresh_from_db()
    assert season.amended_at is None


def test_two_decisions_of_one_moment_are_two_tables(season, reviewer, monkeypatch):
    """As when several runs are annulled at once after the close."""
    monkeypatch.setitem(ranking.page_at.__kwdefaults__, "size", 2)
    runs = [score(player, 1, MONDAY + minutes(n)) for n, player in enumerate(crowd(6))]
    close(season)
    decide(runs[0], "annul", reviewer, at=CLOSE + minutes(3))
    season.refresh_from_db()
    cursor = ranking.page_at(season, 1, at=CLOSE + minutes(4)).next
    decide(runs[1], "annul", reviewer, at=CLOSE + minutes(3))
    season.refresh_from_db()
    with pytest.raises(ranking.BadCursor):
        ranking.page_after(season, cursor, at=CLOSE + minutes(4))


def test_who_walks_through_a_final_table_that_is_written_again_begins_anew(season, reviewer, monkeypatch):
    monkeypatch.setitem(ranking.page_at.__kwdefaults__, "size", 2)
    monkeypatch.setitem(ranking.page_after.__kwdefaults__, "size", 2)
    runs = [score(player, 1, MONDAY + minutes(n)) for n, player in enumerate(crowd(5))]
    close(season)
    cursor = ranking.page_at(season, 1, at=CLOSE + minutes(2)).next
    decide(runs[0], "annul", reviewer, at=CLOSE + minutes(3))
    season.refresh_from_db()
    with pytest.raises(ranking.BadCursor):
        ranking.page_after(season, cursor, at=CLOSE + minutes(4))
    page = ranking.page_at(season, 1, at=CLOSE + minutes(4))
    assert len(ranking.page_after(season, page.next, at=CLOSE + minutes(5)).lines) == 2


def test_several_after_the_close_are_one_table_and_the_refused_keep_no_other_back(season, player, reviewer, stranger, monkeypatch):
    written = []
    monkeypatch.setattr(decisions, "write_final", lambda season: written.append(season) or services.write_final(season))
    people = crowd(4)
    runs = [score(one, 2, MONDAY + minutes(n)) for n, one in enumerate([*people, people[0]])]
    own, taken = score(reviewer, 1), score(player, 1)
    close(season)
    decide(taken, "approve", stranger, at=CLOSE)
    before = list(ranking.walk(season))
    became = decisions.decide_many(
        seen=dict.fromkeys([*runs[1:], own, taken, "nohay"], 0), action="annul", reason="Dos cuentas", by=reviewer, at=CLOSE + minutes(60)
    )
    assert {run_id: type(fate) for run_id, fate in became.items()} == {own: OwnRun, taken: Overtaken} | dict.fromkeys(runs[1:], Decision)
    assert became[taken].last.by_name == stranger.username and len(written) == 1
    season.refresh_from_db()
    names = [people[0].username, player.username, reviewer.username]
    assert [(line.place, line.player, line.points) for line in ranking.walk(season)] == list(zip([1, 2, 3], names, [200, 100, 100], strict=True))
    assert season.amended_at == CLOSE + minutes(60) and not own_faults(season)
    decisions.decide_many(seen=dict.fromkeys(runs[1:], 1), action="restore", by=reviewer, at=CLOSE + minutes(61))
    assert list(ranking.walk(season)) == before and len(written) == 2 and not own_faults(season)


# At once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_closed", [False, True])
def test_reviewers_who_decide_on_the_same_many_at_once_overtake_each_other_run_by_run(season, reviewer, is_closed):
    runs = [score(player, 2) for player in crowd(6)]
    if is_closed:
        close(season)
    at = CLOSE + minutes(60) if is_closed else LATER

    def annul(some):
        return list(decisions.decide_many(seen=dict.fromkeys(some, 0), action="annul", reason="Dos cuentas", by=reviewer, at=at).values())

    became = sum(in_threads([lambda: annul(runs[:4]), lambda: annul(runs[::-1]), lambda: annul(runs[2:]), lambda: annul(runs)]), [])
    assert sorted(type(fate).__name__ for fate in became) == ["Decision"] * 6 + ["Overtaken"] * 14
    assert not any(Standing.objects.values_list("points", flat=True)) and not own_faults(season)


@pytest.mark.django_db(transaction=True)
def test_of_twelve_reviewers_at_once_one_decides_and_the_others_are_told(season, player, reviewer):
    run_id = score(player, 2)

    def annul():
        try:
            return decide(run_id, "annul", reviewer, seen=0).number
        except Overtaken as told:
            return told.last.by_name

    answers = in_threads([annul] * 12)
    assert sorted(map(str, answers)) == ["1", *["mariana"] * 11]
    assert standing(player) == (0, None) and Decision.objects.count() == 1 and not own_faults(season)


@pytest.mark.django_db(transaction=True)
def test_decisions_and_awards_at_once_lose_no_point(reviewer):
    season = make_season(runs_a_day=100)
    players = crowd(3)
    runs = [begin(player) for player in players for _ in range(2)]
    over = Event()

    def waver(run_id):
        while not over.is_set():
            for action in ("annul", "restore"):
                decide(run_id, action, reviewer, at=MONDAY)
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        wavering = [pool.submit(waver, run_id) for run_id in runs[:2]]
        in_threads([lambda run_id=run_id: win(run_id, LAST, MONDAY) for run_id in runs])
        over.set()
        [one.result(60) for one in wavering]
    assert {standing(player)[0] for player in players} == {1400} and not own_faults(season)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_an_award_waits_for_a_decision_and_sees_it(season, player, reviewer):
    run_id = begin(player)
    with transaction.atomic():
        decide(run_id, "annul", reviewer, at=MONDAY)
        winner = Apart(lambda: win(run_id, 1, MONDAY)).go()
        assert winner.waits()
    winner.result()
    assert standing(player) == (0, None) and Award.objects.count() == 1 and not own_faults(season)


# The trail is only ever added to


def by_hand(on_postgresql, on_sqlite):
    """A statement that is no UPDATE and no DELETE, and would do the same."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL cvarenta.may_clear = off")
        cursor.execute(on_postgresql if connection.vendor == "postgresql" else on_sqlite)


@pytest.mark.parametrize(
    "change",
    [
        lambda: Decision.objects.update(reason="otra"),
        lambda: Decision.objects.all().delete(),
        lambda: SecondLook.objects.update(text="otra"),
        lambda: SecondLook.objects.all().delete(),
        lambda: by_hand(
            "CREATE ROLE site; GRANT ALL ON ALL TABLES IN SCHEMA public TO site; SET LOCAL ROLE site;"
            "SET LOCAL cvarenta.may_clear = on; TRUNCATE tournament_decision",
            "DELETE FROM tournament_decision",
        ),
        lambda: by_hand("TRUNCATE tournament_decision", "INSERT OR REPLACE INTO tournament_decision SELECT * FROM tournament_decision"),
        lambda: by_hand("TRUNCATE tournament_secondlook", "INSERT OR REPLACE INTO tournament_secondlook SELECT * FROM tournament_secondlook"),
    ],
)
def test_the_database_refuses_to_change_or_remove_a_line(season, player, reviewer, change):
    run_id = score(player, 1)
    decide(run_id, "annul", reviewer)
    review.ask_again(run_id=run_id, at=LATER)
    with pytest.raises(IntegrityError, match="only ever added to"), transaction.atomic():
        change()
    assert Decision.objects.get().reason == "Dos cuentas" and SecondLook.objects.get().text == ""


@on_postgres
def test_the_role_that_the_readme_gives_the_site_decides_and_cannot_get_past_the_triggers(season, player, reviewer):
    grants = (settings.BASE_DIR / "README.md").read_text().partition("```sql\n")[2].partition("```")[0]
    run_id = score(player, 1)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE site; {grants} SET LOCAL ROLE site; SET CONSTRAINTS ALL IMMEDIATE")
        decide(run_id, "annul", reviewer)
        for statement in (
            "ALTER TABLE tournament_decision DISABLE TRIGGER USER",
            "DROP TRIGGER decision_only_grows ON tournament_decision",
            "CREATE OR REPLACE FUNCTION tournament_refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'",
            "SET session_replication_role = replica",
            "TRUNCATE tournament_decision",
        ):
            with pytest.raises(ProgrammingError, match="permission denied|must be owner"), transaction.atomic():
                cursor.execute(statement)
    assert standing(player) == (0, None) and not own_faults(season)


def mariana():
    return get_user_model().objects.get(username="mariana")


def put_in(run, **decision):
    Decision.objects.create(run_id=run, by_id=1, by_name="x", at=LATER, points_before=0, **decision)


TAMPERED = {
    "a state": (lambda run: ScoredRun.objects.filter(pk=run).update(state="approved"), "is approved, and its trail leads to annulled"),
    "points that never moved": (lambda run: Standing.objects.update(points=200, reached_at=MONDAY, moved_at=None), "moved at None, before it was reached"),
    "a count": (lambda run: ScoredRun.objects.filter(pk=run).update(decided=2), "was decided on 2 times, and its trail has 1"),
    "points put back by hand": (lambda run: Standing.objects.update(points=200, reached_at=MONDAY), "has 200 points, and awards of 0"),
    "a flag unmarked": (lambda run: ScoredRun.objects.update(is_flagged=False), "is told to have flags or none, wrongly"),
    "a decision put in": (
        lambda run: put_in(run, number=2, action="approve", state_before="waiting", state_after="approved", points_after=0),
        "was annulled before its decision 2, not waiting",
    ),
    "a run that waits no longer": (
        lambda run: (decide(run, "restore", mariana()), ScoredRun.objects.update(is_waiting=False)),
        "does not wait for the desk",
    ),
    "a decision that adds what it takes": (
        lambda run: put_in(run, number=2, action="annul", reason="x", state_before="waiting", state_after="annulled", points_after=200),
        "moved 200 points with its decision 2",
    ),
    "a decision that puts nothing back": (
        lambda run: put_in(run, number=2, action="restore", state_before="annulled", state_after="waiting", points_after=0),
        "moved 0 points with its decision 2",
    ),
    "a decision with a gap": (
        lambda run: put_in(run, number=3, action="restore", state_before="annulled", state_after="waiting", points_after=200),
        "has no decision 2 in its trail",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERED)
def test_the_audit_names_what_was_changed_by_hand(season, player, reviewer, what):
    run_id = score(player, 2)
    review.flag(run_id=run_id, finding=Finding("pace", "Muy rápida"), at=MONDAY)
    decide(run_id, "annul", reviewer)
    assert not own_faults(season)
    change, fault = TAMPERED[what]
    change(run_id)
    assert any(fault in found for found in own_faults(season)), own_faults(season)
