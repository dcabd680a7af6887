"""What maestro advises: what maestro plays, told with what it weighed, from the seat's view alone."""

import random

import pytest

from cvarenta.game.bots import get_bot
from cvarenta.game.bots.advice import advise
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import Stream
from cvarenta.game.view import view_of

from .tables import QUITO, RULE_SETS, hidden_permuted, late, random_games, sit

SEED = bytes(range(32))


def chance(match):
    return Stream(SEED, f"cvarenta-hint/1|{match.ply}")


def advice(match):
    return advise(view_of(match, match.to_play), chance(match))


def test_it_advises_what_maestro_plays_and_the_next_best_is_worse():
    match = sit(QUITO, "5H 3D", holding="5S 2C KD QH JC")
    found = advice(match)
    assert found.best.play == get_bot("maestro").choose(view_of(match, match.to_play), chance(match))
    assert found.other.play != found.best.play


def test_a_caida_is_given_as_the_reason_with_its_points():
    found = advice(sit(QUITO, "KH KDxKH 5H", holding="5S QH JC AC 2C"))
    assert format_play(found.best.play) == "5Sx5H"
    assert (found.reason, found.best.worth.points) == ("caida", 4)


def test_a_limpia_is_given_as_the_reason():
    found = advice(sit(QUITO, "KH KDxKH 3H 4D", holding="7S QH JC AC"))
    assert (format_play(found.best.play), found.reason) == ("7Sx3H4D", "limpia")


def test_the_only_play_needs_no_comparison():
    found = advice(late(QUITO, hands={3: "KS"}, table="5H"))
    assert (found.other, found.reason, found.best.risk) == (None, "only", 0.0)


CLAIMS = {
    "caida": lambda view, best, other: best.worth.caida and best.worth.points > other.worth.points,
    "limpia": lambda view, best, other: best.worth.limpia and best.worth.points > other.worth.points,
    "thirty_eight": lambda view, best, other: max(view.score) >= 38,
    "safer": lambda view, best, other: best.risk < other.risk,
    "cards": lambda view, best, other: best.worth.cards > other.worth.cards,
    "lead": lambda view, best, other: best.outlook.lead > other.outlook.lead,
    "even": lambda view, best, other: best.worth.points <= other.worth.points and best.worth.cards <= other.worth.cards,
}


def test_every_reason_that_is_given_is_true():
    rng, given = random.Random(5), set()
    for ruleset, score in (("quito", (0, 0)), ("quito", (38, 20)), ("mano-a-mano", (10, 38))):
        for match, _ in random_games(ruleset, 3, decks=3, score=score):
            if len(match.legal()) > 1 and rng.random() < 0.4:
                view = view_of(match, match.to_play)
                found = advise(view, chance(match), 256)
                if found.other:
                    assert CLAIMS[found.reason](view, found.best, found.other), found
                    given.add(found.reason)
    assert given >= CLAIMS.keys() - {"limpia"}  # which has a test of its own


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_no_hidden_card_changes_the_advice(ruleset):
    rng, seen = random.Random(2), 0
    for seed in range(2):
        for match, _ in random_games(ruleset, seed, decks=2, score=(30 * seed, 20)):
            if not match.legal() or rng.random() < 0.7:
                continue
            other = hidden_permuted(match, match.to_play, rng)
            assert advise(view_of(other, match.to_play), chance(match), 256) == advise(
                view_of(match, match.to_play), chance(match), 256
            )
            seen += 1
    assert seen > 15
