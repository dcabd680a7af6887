"""Proving the books: clean whatever was played, and each promise that is broken behind the services' back is named."""

import random
from contextlib import contextmanager, suppress

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F

from campaign import services as story
from campaign.models import Match, Run
from cvarenta.accounts.services import delete_player
from tests.campaign.endings import LOST, WON, bring_to_its_end
from tournament import postgres, services
from tournament.audit import CHECKS, audit
from tournament.models import Award, Final, Movement, ScoredRun, Season, Standing, Tally

from .books import CLOSE, LAST, MONDAY, begin, crowd, make_season, minutes, quito, seconds, win

pytestmark = pytest.mark.django_db
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="the rank index is PostgreSQL's")


def play_run(player, won, at, *, ending="lost", take=1):
    """A scored run, really begun and played: wins so many chapters, `take` minutes each, and ends so ("" not yet)."""
    match = story.start_run(player_id=player.pk, is_scored=True, at=at)
    run = match.run
    for number in range(1, won + 1):
        at += minutes(take)
        play_last(match, WON, at)
        if number < LAST:
            match, _ = story.go_on(run=run, chapter=number + 1, at=at)
    if won < LAST and ending == "lost":
        play_last(match, LOST, at + minutes(take))
    elif won < LAST and ending == "abandoned":
        story.abandon_run(run=run, at=at + minutes(take))
    return Run.objects.get(pk=run.pk)


def play_last(match, winner, at):
    play, ply = bring_to_its_end(match.pk, winner)
    story.play(match=Match.objects.get(pk=match.pk), text=play, ply=ply, at=at)


@pytest.fixture
def played(season):
    """Five players with up to three runs on each of two days: won, lost, left or under way, and one that goes on over the
    close."""
    rng, players = random.Random(1534), crowd(5)
    for player in players:
        for at in [quito(12, 5, 9), quito(12, 5, 12), quito(12, 6, 10), quito(12, 6, 12)][: rng.randrange(2, 5)]:
            play_run(player, rng.choice([0, 1, 3, LAST]), at, ending=rng.choice(["lost", "abandoned"]))
    play_run(players[0], 3, quito(12, 6, 23, 57), ending="")
    return players


@pytest.fixture
def won(season, player, rival_player):
    """Two runs won whole, one that was lost at the third chapter, and the final table."""
    runs = [play_run(player, LAST, MONDAY), play_run(player, 2, MONDAY + minutes(60)), play_run(rival_player, LAST, MONDAY + minutes(120))]
    services.close_seasons(at=CLOSE + services.GRACE)
    season.refresh_from_db()
    return runs


def run_audit(*options):
    """The exit code of the command."""
    try:
        call_command("audit", *options)
    except SystemExit as end:
        return end.code
    return 0


def faults(season):
    return {name: found for name, _, found in audit(Season.objects.get(pk=season.pk)) if found}


# Clean


def test_whatever_was_played_is_proved(season, played, capsys):
    assert run_audit() == 0
    said = capsys.readouterr().out
    assert "WRONG" not in said and said.count("ok   ") == len(CHECKS) + 1 and "Fiestas de Quito 2026 (fiestas-de-quito-2026)" in said
    assert Award.objects.filter(chapter=None).exists() and Match.objects.won().filter(finished_at__gte=CLOSE).exists()
    counts = {name: looked_at for name, looked_at, _ in audit(season)}
    assert counts["runs are paid for their first chapters, by their terms, before the close"] == ScoredRun.objects.count() > 10
    assert counts["standings are the sums of their valid runs' awards"] == 5


def test_and_after_the_close_and_after_some_have_left(season, played):
    delete_player(player=played[0], at=CLOSE - seconds(1))
    delete_player(player=played[1], at=CLOSE + seconds(1))
    services.close_seasons(at=CLOSE + minutes(2))
    delete_player(player=played[2], at=CLOSE + minutes(3))
    assert faults(season) == {} and Final.objects.count() >= 3
    assert run_audit("fiestas-de-quito-2026") == 0
    Final.objects.filter(standing__left_at=CLOSE + seconds(1)).delete()
    assert "1 standings are missing in the final table" in faults(season)["the final table is whole and in order"]


def test_a_season_in_which_nothing_happened_is_in_order(season):
    assert faults(season) == {}


def test_it_changes_nothing(season, played):
    models = (Season, Standing, ScoredRun, Award, Final, Tally, Movement, Run, Match)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    Standing.objects.filter(pk=Standing.objects.first().pk).update(points=F("points") + 100, reached_at=MONDAY)
    broken = list(Standing.objects.order_by("pk").values())
    assert run_audit() == run_audit("fiestas-de-quito-2026", "--all-faults") == 1
    after = [list(model.objects.order_by("pk").values()) for model in models]
    assert after[1] == broken and after[:1] + after[2:] == before[:1] + before[2:]


@pytest.mark.django_db(transaction=True)
def test_it_looks_at_one_moment_and_could_not_write(season, player):
    win(begin(player), LAST)
    steps = audit(season)
    next(steps)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            assert cursor.fetchone() == ("on",)
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("repeatable read",)
    list(steps)
    run_audit()
    Season.objects.update(name="Fiestas")  # and afterwards all is as it was


def test_an_unknown_season_is_answered_with_those_there_are(season):
    make_season()
    Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60))
    with pytest.raises(CommandError, match="There is no season 'fiestas'. There is: carnaval, fiestas-de-quito-2026."):
        call_command("audit", "fiestas")
    Season.objects.all().delete()
    with pytest.raises(CommandError, match="There is: none."):
        call_command("audit", "fiestas")


def test_every_season_is_proved_unless_one_is_named(season, player, capsys):
    Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60))
    win(begin(player), 1)  # which nobody played
    assert (run_audit(), run_audit("carnaval"), run_audit("fiestas-de-quito-2026")) == (1, 0, 1)
    assert capsys.readouterr().out.count("Carnaval (carnaval)") == 2


def test_twenty_faults_a_check_are_named_or_all(season, capsys):
    for player in crowd(25):
        begin(player)
    Standing.objects.update(runs=7)
    assert run_audit() == 1 and "and 5 more (--all-faults)" in capsys.readouterr().out
    assert run_audit("--all-faults") == 1 and capsys.readouterr().out.count("has 7 runs, not 1") == 25


# Broken, by a direct UPDATE


def of(player):
    return Standing.objects.filter(player=player)


def award(run, chapter):
    return Award.objects.filter(run_id=run.pk, chapter=chapter)


def swap_places():
    first, second = Final.objects.order_by("place")
    Final.objects.filter(pk=first.pk).update(place=3)
    Final.objects.filter(pk=second.pk).update(place=1)
    Final.objects.filter(pk=first.pk).update(place=2)


def other_run(runs, player):
    return Standing.objects.exclude(player=player).get()


BROKEN = {
    "points": (lambda runs, player: of(player).update(points=F("points") + 100), "has 1000 points, and awards of 900"),
    "fewer points": (lambda runs, player: of(player).update(points=100), "has 100 points, and awards of 900"),
    "when they were reached": (lambda runs, player: of(player).update(reached_at=MONDAY - minutes(1)), "was reached at 2026-11-30 16:59:00+00:00, not"),
    "runs": (lambda runs, player: of(player).update(runs=5), "has 5 runs, not 2"),
    "an award's points": (lambda runs, player: award(runs[0], 2).update(points=150), "paid other points than its terms say"),
    "the bonus's points": (lambda runs, player: award(runs[0], None).update(points=100), "paid other points than its terms say"),
    "an award's time": (lambda runs, player: award(runs[0], 2).update(at=CLOSE), "paid after the close or before it began"),
    "an award before the run": (lambda runs, player: award(runs[0], 1).update(at=MONDAY - seconds(1)), "paid after the close or before it began"),
    "the bonus of one that was lost": (
        lambda runs, player: Award.objects.create(run_id=runs[1].pk, points=200, at=MONDAY + minutes(63)),
        "paid the bonus without having been completed",
    ),
    "a chapter that is missing": (lambda runs, player: award(runs[0], 2).delete(), "paid chapters are not the first ones"),
    "a chapter too many": (
        lambda runs, player: Award.objects.create(run_id=runs[1].pk, chapter=3, points=100, at=MONDAY + minutes(63)),
        "is paid chapters [1, 2, 3] and won [1, 2] before the close",
    ),
    "the terms of a run": (lambda runs, player: ScoredRun.objects.filter(pk=runs[0].pk).update(chapter_points=1), "paid other points than its terms say"),
    "the day": (
        lambda runs, player: ScoredRun.objects.filter(pk=runs[0].pk).update(day="2026-12-01"),
        "was begun on 2026-11-30, not 2026-12-01",
    ),
    "a slot that is missing": (
        lambda runs, player: ScoredRun.objects.filter(pk=runs[0].pk).update(slot=3),
        "has 2 runs on 2026-11-30, slots 2 to 3",
    ),
    "a slot that is free between": (
        lambda runs, player: ScoredRun.objects.filter(pk=runs[1].pk).update(slot=3),
        "has 2 runs on 2026-11-30, slots 1 to 3",
    ),
    "the slots taken": (lambda runs, player: of(player).update(taken=1), "counts 1 slots taken on 2026-11-30, and has 2; its last day is 2026-11-30"),
    "the last day": (lambda runs, player: of(player).update(day="2026-11-29"), "counts 2 slots taken on 2026-11-29, and has 0; its last day is 2026-11-30"),
    "another's run": (
        lambda runs, player: ScoredRun.objects.filter(pk=runs[1].pk).update(standing=other_run(runs, player), slot=3),
        "is another player's than the books say",
    ),
    "the close": (lambda runs, player: Season.objects.update(closes_at=MONDAY + minutes(3)), "paid after the close or before it began"),
    "how it ended": (lambda runs, player: ScoredRun.objects.filter(pk=runs[0].pk).update(outcome="lost"), "began or ended otherwise than the books say"),
    "when it ended": (lambda runs, player: Run.objects.filter(pk=runs[0].pk).update(ended_at=CLOSE), "began or ended otherwise than the books say"),
    "when it began": (lambda runs, player: Run.objects.filter(pk=runs[0].pk).update(started_at=CLOSE), "began or ended otherwise than the books say"),
    "a match that was not won": (
        lambda runs, player: Match.objects.filter(run=runs[0], chapter=3).update(winner=1),
        "is paid chapters [1, 2, 3, 4, 5] and won [1, 2, 4, 5] before the close",
    ),
    "a match that was won later": (
        lambda runs, player: Match.objects.filter(run=runs[0], chapter=5).update(finished_at=CLOSE),
        "is paid chapters [1, 2, 3, 4, 5] and won [1, 2, 3, 4] before the close",
    ),
    "a run that was not scored": (lambda runs, player: Run.objects.filter(pk=runs[0].pk).update(is_scored=False), "was not played as scored"),
    "a run that nobody played": (lambda runs, player: Run.objects.filter(pk=runs[0].pk).delete(), "was not played as scored"),
    "a run that is in no season": (
        lambda runs, player: Run.objects.create(player=player, is_scored=True, started_at=MONDAY, pk="x"),
        "run x was played as scored and is in no season",
    ),
    "a final line's points": (lambda runs, player: Final.objects.filter(place=1).update(points=1000), "place 1 is not what standing"),
    "a final line's moment": (lambda runs, player: Final.objects.filter(place=1).update(reached_at=CLOSE), "place 1 is not what standing"),
    "the final order": (lambda runs, player: swap_places(), "place 2 is out of order"),
    "a final place": (lambda runs, player: Final.objects.filter(place=2).update(place=3), "place 3 is out of order"),
    "a final line that is missing": (lambda runs, player: Final.objects.filter(place=2).delete(), "1 standings are missing in the final table"),
}  # fmt: skip


INDEX = {
    "a tally": (True, lambda: Tally.objects.filter(grain=1, points=900).update(count=2)),
    "a tally that is missing": (True, lambda: Tally.objects.filter(grain=3).first().delete()),
    "a tally's points": (True, lambda: Tally.objects.filter(grain=0).update(points=7000)),
    "a movement that is missing": (False, lambda: Movement.objects.first().delete()),
    "a movement's moment": (False, lambda: Movement.objects.filter(points=900).update(reached_at=MONDAY - minutes(600))),
}


class Undone(Exception):
    pass


@contextmanager
def undone():
    """What is done in it is taken back."""
    with suppress(Undone), transaction.atomic():
        yield
        raise Undone


def test_what_was_changed_by_hand_is_named(season, player, won, subtests, capsys):
    assert faults(season) == {}
    for what, (change, named) in BROKEN.items():
        with subtests.test(what), undone():
            change(won, player)
            assert run_audit() == 1
            said = capsys.readouterr().out
            assert named in said and "WRONG" in said, said
    assert faults(season) == {}


@on_postgres
def test_a_rank_index_that_was_changed_is_named(season, player, won, subtests, capsys):
    for what, (is_gathered, change) in INDEX.items():
        with subtests.test(what), undone():
            if is_gathered:
                assert services.gather(season_id=season.pk)
            assert faults(season) == {}
            change()
            assert run_audit() == 1
            assert "the rank index says" in capsys.readouterr().out


@on_postgres
def test_a_place_that_is_told_wrongly_is_named(season, player, won):
    services.gather(season_id=season.pk)
    Tally.objects.filter(grain=0).update(points=7000)
    first = Standing.objects.get(player=player)
    assert f"standing {first.pk} is told place 3, not 1" in faults(season)["places are what counting gives"]


@on_postgres
def test_places_are_asked_all_over_the_season(season, monkeypatch):
    """Though those of other seasons came before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence('tournament_standing', 'id'), max(id) + 100000) FROM tournament_season")
    players, asked, place_of = crowd(15), set(), postgres.place_of
    for player in players:
        win(begin(player), 1)
    monkeypatch.setattr(postgres, "place_of", lambda **of: asked.add(of["player_id"]) or place_of(**of))
    list(audit(season))
    assert asked == {player.pk for player in players}
