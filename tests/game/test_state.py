"""A match as a short text and back."""

import json

import pytest

from cvarenta.game.errors import Unreadable
from cvarenta.game.match import Match
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.state import dump_state, load_state

from .tables import RULE_SETS, random_games, sit


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_a_match_before_its_first_deck_is_stored_too(ruleset):
    match = load_state(dump_state(Match(get_ruleset(ruleset), 1, (4, 6))))
    assert (match.dealer, match.score, match.awaits_deck, match.deck_number) == (1, (4, 6), True, -1)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_it_is_one_line_of_less_than_a_kilobyte_at_every_ply(ruleset):
    for match, _ in random_games(ruleset, 3, decks=6):
        text = dump_state(match)
        assert len(text) < 1000 and "\n" not in text


def test_a_state_of_another_version_is_unreadable():
    state = json.loads(dump_state(sit("quito", "5H")))
    with pytest.raises(Unreadable):
        load_state(json.dumps(state | {"v": state["v"] + 1}))
