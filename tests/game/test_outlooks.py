"""Where each play leads: the first is what maestro plays, and the points are those the rules give."""

import pytest

from cvarenta.game.bots.search import LANES, choose, outlooks
from cvarenta.game.notation import format_play
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import Stream
from cvarenta.game.state import dump_state, load_state
from cvarenta.game.view import view_of

from .tables import MANO, TWO, late, random_games

SEED = b"perspectivas".ljust(32)


def chance():
    return Stream(SEED, "a test")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_first_is_what_maestro_plays(ruleset):
    asked = 0
    for match, _ in random_games(ruleset, 7, decks=2):
        view = view_of(match, match.to_play)
        if match.is_over or len(view.legal) < 2:
            continue
        found = outlooks(view, chance(), LANES)
        assert found[0].play == choose(view, chance())
        assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
        asked += 1
    assert asked > 20


def test_the_points_of_a_last_card_are_those_worked_by_hand():
    """21 cards count 8 and the caída 2; 22 cards count 8, and the pair 2+3 nothing more."""
    match = late("quito", hands={3: "5H"}, table="5D 2C 3S", last="5D", taken=(16, 19), score=(10, 12))
    caida, pair = outlooks(view_of(match, 3), chance())

    assert (format_play(caida.play), caida.own, caida.other, caida.lead) == ("5Hx5D", 22, 10, 12)
    assert (format_play(pair.play), pair.own, pair.other, pair.lead) == ("5Hx2C3S", 20, 10, 10)
    assert 1 > caida.chance > pair.chance > 0.5


@pytest.mark.parametrize("ruleset", [MANO, TWO])
def test_the_points_of_the_last_two_cards_are_those_of_the_engine(ruleset):
    """One card each, no choice but the first player's: the other's card is the only one not seen."""
    compared = 0
    for seed in range(60):
        for match, _ in random_games(ruleset, seed, decks=3):
            if match.stock or [len(hand) for hand in match.hands] != [1, 1] or match.is_over:
                continue
            found = outlooks(view_of(match, match.to_play), chance())
            ends = [_end(match, one.play) for one in found]
            if len(found) > 1 and all(ends):
                team = match.to_play
                assert [(one.own, one.other) for one in found] == [(end[team], end[1 - team]) for end in ends]
                compared += 1
    assert compared > 15


def _end(match, play):
    """The points after this play and the one that can follow it; None if there are several, or if it is won."""
    after = load_state(dump_state(match))
    after.play(play)
    if after.is_over or after.awaits_deck or len(after.legal()) > 1:
        return None
    score = after.play(after.legal()[0])[-1].score
    return score if max(score) < 38 else None
