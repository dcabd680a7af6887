"""Careful players can hold 38 to 38 for ever: nothing may grow."""

import random

import pytest

from cvarenta.game.cards import DECK
from cvarenta.game.match import Match
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of, worth_of

from .tables import MANO, QUITO, copy_of

DECKS = 10


def careful_play(match, rng):
    """A play that does not fall and leaves the next seat nothing to fall on, if there is one."""
    view = view_of(match, match.to_play)
    plays = [play for play in view.legal if not worth_of(view, play).caida]
    ranks = {card // 4 for card in match.hands[(match.to_play + 1) % match.rules.seats]}
    safe = [(card, takes) for card, takes in plays if takes or card // 4 not in ranks]
    captures = [play for play in safe if play[1]]  # keeps the table small where laying is free
    return rng.choice(captures or safe or plays or view.legal)


def hold(match, rng):
    """The match after one more deck in which nobody had to fall, and the longest state on the way."""
    for _ in range(200):
        held, longest = copy_of(match), 0
        held.begin_deck(rng.sample(DECK, 40))
        while not held.awaits_deck and not held.is_over:
            held.play(careful_play(held, rng))
            longest = max(longest, len(dump_state(held)))
        if not held.is_over:
            return held, longest
    pytest.fail("somebody had to fall in every one of 200 decks")


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_ten_decks_at_38_to_38_go_by_with_the_dealer_moving_on_and_nothing_growing(ruleset):
    match, rng, longest = Match(get_ruleset(ruleset), 0, (38, 38)), random.Random(1), []
    for n in range(DECKS):
        assert (match.deck_number, match.dealer, match.awaits_deck) == (n - 1, n % match.rules.seats, True)
        match, most = hold(match, rng)
        longest.append(most)
        assert match.score == (38, 38)
    assert max(longest) < 1000
    assert match.ply == 40 * DECKS
