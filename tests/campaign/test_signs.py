"""Signs: scripts and strong help are seen by pace, beat and choices; two hundred people's times, and honest bots' choices, are not."""

import hashlib
import random
from functools import cache

import pytest

from campaign import signs, thresholds
from campaign.models import SEAT
from cvarenta.game.bots import get_bot
from cvarenta.game.match import Match as Game
from cvarenta.game.record import record_from, write_record
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.shuffle import Stream, bot_stream, first_dealer, shuffled_deck
from cvarenta.game.view import view_of
from tests.tournament.books import MONDAY, begin, crowd, minutes, win
from tournament import review
from tournament.models import Flag, ScoredRun

from .played_runs import human, known_seeds, play_run  # noqa: F401


def kinds(times):
    return [found.kind for found in (signs.pace(times, match_id="x"), signs.beat(times, match_id="x")) if found]


# Pace and beat


@pytest.mark.parametrize("ms", [0, 50, 300, 480])
def test_a_script_that_does_not_wait_is_too_fast(ms):
    rng = random.Random(ms)
    assert "pace" in kinds([ms + rng.randrange(20) for _ in range(30)])


def test_fast_plays_hidden_among_slow_ones_are_seen():
    rng = random.Random(4)
    assert kinds([rng.choice([60, 3000, 5000]) for _ in range(40)]) == ["pace"]


@pytest.mark.parametrize(("ms", "by_chance"), [(1500, 40), (1100, 180), (3000, 0), (3000, 100), (4000, 200), (8000, 250)])
def test_a_script_that_waits_a_fixed_time_keeps_a_beat(ms, by_chance):
    rng = random.Random(ms)
    times = [ms + rng.randint(-by_chance, by_chance) for _ in range(30)]
    assert kinds(times) == ["beat"]
    assert kinds([*times, 600_000, 45_000, 90_000]) == ["beat"]  # some long pauses do not hide it


def test_of_a_short_match_only_what_no_hand_does_is_told():
    short = thresholds.PLAYS - 1
    assert kinds([50] * short) == kinds([50] * thresholds.FEW) == ["pace"]
    assert kinds([300] * short) == kinds([2000] * short) == kinds([50] * (thresholds.FEW - 1)) == kinds([]) == []


def test_the_evidence_says_the_numbers():
    times = [80] * 15 + [120] * 15
    assert signs.pace(times, match_id="x").evidence == "30 jugadas: la mitad, en 100 ms o menos; 30 de ellas en menos de 200 ms."
    assert signs.beat([2900, 3000, 3100] * 10, match_id="x").evidence == (
        "30 jugadas: la mitad de ellas, entre 2,9 s y 3,1 s. Es el 6,7 % de la mediana; en una persona pasa del 20 %."
    )


# Choices


RIVALS = ("almeida", "ramon", "cantuna", "manuela", "diablo")


@cache
def played(person, number):
    """A match of the story that a bot plays in the person's place: its (choices, agreed), and how many plays it made."""
    seed, rules = hashlib.sha256(b"%s %d" % (person.encode(), number)).digest(), get_ruleset("quito")
    chapter = number % 5
    bots = [get_bot(name) for name in (person, RIVALS[chapter], "virgen", f"miguel-{chapter + 1}")]
    game, decks, plays, own = Game(rules, first_dealer(seed, "", 4)), [], [], 0
    while not game.is_over:
        if game.awaits_deck:
            decks.append(shuffled_deck(seed, "", game.deck_number + 1))
            game.begin_deck(decks[-1])
            continue
        seat, own = game.to_play, own + (game.to_play == SEAT)
        chance = Stream(seed, f"person|{game.ply}") if seat == SEAT else bot_stream(seed, game.ply)
        plays.append(bots[seat].choose(view_of(game, seat), chance))
        game.play(plays[-1])
    record = record_from(write_record(rules, first_dealer(seed, "", 4), (0, 0), decks, plays))
    return signs.agreement(record, seed), own


def measures_of(person, numbers):
    found = [played(person, number)[0] for number in numbers]
    return signs.measured([], sum(choices for choices, _ in found), sum(agreed for _, agreed in found))


def test_who_plays_what_the_maestro_would_is_far_beyond_others_and_who_plays_well_is_not():
    strong, good = measures_of("maestro", range(5)), measures_of("aficionado", range(5))
    assert strong["choices"] >= thresholds.CHOICES and good["choices"] >= thresholds.CHOICES
    found = signs.strong(strong, [])
    assert found.kind == "strong" and f"{strong['agreed']} de {strong['choices']} jugadas difíciles" in found.evidence
    assert signs.strong(good, []) is None


def test_where_the_others_are_as_strong_it_is_no_sign():
    peers = [{"choices": 20, "agreed": 12 + n % 6} for n in range(thresholds.PEERS)]
    found = {"choices": 20, "agreed": 15}
    assert signs.strong(found, peers[1:]).kind == "strong"  # too few to tell
    assert signs.strong(found, peers) is None
    weak = [{"choices": 20, "agreed": 5 + n % 3} for n in range(thresholds.PEERS)]
    assert "En 20 vueltas anteriores de otras personas, todas completas, lo usual es el 30 %." in signs.strong(found, weak).evidence


def test_few_choices_tell_nothing():
    assert signs.strong({"choices": thresholds.CHOICES - 1, "agreed": thresholds.CHOICES - 1}, []) is None


@pytest.mark.django_db
def test_peers_are_other_players_completed_runs_of_the_season_measured_alike_that_were_over_before(season):
    kept = {"version": 1, "choices": 20, "agreed": 8}
    players = crowd(6)
    runs = [begin(player) for player in players]
    for run, measures in zip(runs, [kept, kept, kept, kept | {"version": 0}, kept | {"choices": 3}, None], strict=True):
        win(run, 5)
        ScoredRun.objects.filter(pk=run).update(measures=measures)
    lost = begin(players[5])
    win(lost, 2, outcome="lost")
    ScoredRun.objects.filter(pk=lost).update(measures=kept)
    again = begin(players[1])
    win(again, 5)
    ScoredRun.objects.filter(pk=again).update(measures=kept)
    own = begin(players[0], MONDAY + minutes(9))
    while_it_went_on = begin(players[3], MONDAY + minutes(8))
    win(while_it_went_on, 5, MONDAY + minutes(10))
    ScoredRun.objects.filter(pk=while_it_went_on).update(measures=kept)
    assert signs.peers_of(ScoredRun.objects.get(pk=own), 1) == [kept, kept]
    assert signs.peers_of(ScoredRun.objects.get(pk=runs[0]), 1) == []


@pytest.mark.django_db
def test_verified_at_once_and_again_after_twenty_later_runs_it_is_the_same_sign(season, player):
    found = {"version": 1, "choices": 20, "agreed": 15}

    def others(at, agreed, prefix):
        runs = [begin(other, at) for other in crowd(thresholds.PEERS, prefix)]
        measures = {"version": 1, "choices": 20, "agreed": agreed}
        ScoredRun.objects.filter(pk__in=runs).update(outcome="completed", ended_at=at + minutes(5), measures=measures)

    others(MONDAY, 6, "antes")
    run = ScoredRun.objects.get(pk=begin(player, MONDAY + minutes(10)))
    at_once = signs.strong(found, signs.peers_of(run, 1))
    others(MONDAY + minutes(20), 17, "despues")
    assert signs.strong(found, signs.peers_of(run, 1)) == at_once
    assert "En 20 vueltas anteriores de otras personas" in at_once.evidence


# People


def test_two_hundred_people_with_times_of_their_own_give_next_to_no_sign():
    """From quick ones, who see the table at once, to slow ones. Each plays one to five of the same eighteen matches, six by each of
    three bots: so it tells of two hundred people's times, and of the choices of those few."""
    rng, flagged = random.Random(1534), []
    for person in range(200):
        bot = rng.choice(["aficionado", "aficionado", "greedy", "cantuna"])
        numbers = rng.sample(range(6), rng.randint(1, 5))
        is_quick = person % 5 == 0
        median, wait = (1.2, 0) if is_quick else (rng.uniform(1.5, 8), rng.choice([0, 1.5, 3, 5]))
        think = human(person, median, rng.uniform(0.4, 1.0), wait)
        found = [kind for number in numbers for kind in kinds([think() for _ in range(played(bot, number)[1])])]
        if signs.strong(measures_of(bot, numbers), []):
            found.append("strong")
        flagged += [(person, found)] if found else []
    assert len(flagged) <= 2, flagged


# By the site


@pytest.mark.django_db
@pytest.mark.parametrize(("think", "flags"), [(lambda: 60, {"pace", "beat"}), (lambda: 2500, {"beat"}), (human(3), set())])
def test_runs_really_played_are_flagged_or_not(season, player, known_seeds, think, flags):  # noqa: F811
    run = play_run(player, MONDAY, think=think, matches=1)
    review.check_run(run_id=run.pk, at=MONDAY)
    assert set(Flag.objects.values_list("kind", flat=True)) == flags
    assert all(flag.link == f"?partida={flag.about}#repaso" for flag in Flag.objects.all())


def test_nothing_is_said_of_a_run_before_it_is_verified_and_older_figures_do_no_harm():
    assert signs.describe(None) == [] == signs.describe({})
    assert ("Jugadas suyas", "12") in signs.describe({"version": 0, "plays": 12, "median": 900})
