"""Duplicate matches of two bots: the same decks and dealer twice, the sides changed."""

from .match import Match
from .shuffle import bot_stream, first_dealer, shuffled_deck
from .view import view_of


def play_match(rules, line_up, seed, clock=None, times=None):
    match = Match(rules, first_dealer(seed, "", rules.seats))
    while not match.is_over:
        if match.awaits_deck:
            match.begin_deck(shuffled_deck(seed, "", match.deck_number + 1))
        else:
            seat = match.to_play
            view = view_of(match, seat)
            stream = bot_stream(seed, match.ply)
            if clock:
                start = clock()
                play = line_up[seat % 2].choose(view, stream)
                times[seat % 2].append(clock() - start)
            else:
                play = line_up[seat % 2].choose(view, stream)
            match.play(play)
    return match
