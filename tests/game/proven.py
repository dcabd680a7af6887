"""Records of whole matches as the site writes them, with all that proves them: the same number is the same match."""

import hashlib
import random
from functools import cache

from cvarenta.game.bots import get_bot
from cvarenta.game.match import Match
from cvarenta.game.record import write_record
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.shuffle import bot_stream, commitment, first_dealer, shuffled_deck
from cvarenta.game.verify import SEAT
from cvarenta.game.view import view_of

PLAIN = ("plain/1", "greedy/1", "plain/1")


def proven(ruleset="quito", bots=PLAIN, number=0, nonce="quito-1534"):
    """The record of a match in which the person played at random against these bots, as many as there are seats."""
    return dict(_proven(ruleset, bots, number, nonce))


@cache
def _proven(ruleset, bots, number, nonce):
    seed, rules, rng = hashlib.sha256(b"proven %d" % number).digest(), get_ruleset(ruleset), random.Random(number)
    bots = bots[: rules.seats - 1]
    dealer = first_dealer(seed, nonce, rules.seats)
    game, decks, plays = Match(rules, dealer), [], []
    while not game.is_over:
        if game.awaits_deck:
            decks.append(shuffled_deck(seed, nonce, len(decks)))
            game.begin_deck(decks[-1])
            continue
        if game.to_play == SEAT:
            play = rng.choice(game.legal())
        else:
            play = get_bot(bots[game.to_play - 1]).choose(view_of(game, game.to_play), bot_stream(seed, game.ply))
        game.play(play)
        plays.append(play)
    proof = {"seed": seed.hex(), "commitment": commitment(seed), "nonce": nonce, "bots": f"0:{','.join(bots)}"}
    return write_record(rules, dealer, (0, 0), decks, plays, **proof, think_times=[1500] * 9, started_at="2026-11-30")
