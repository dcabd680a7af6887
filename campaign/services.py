"""The only writers of matches: begin one, play in it, forget the old ones."""

from datetime import timedelta

from django.db import connection

from cvarenta.game import match as game_match
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.shuffle import bot_stream, check_nonce, shuffled_deck
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of

from .characters import get_rival, line_up_for
from .history import by_deck
from .models import SEAT, Match

GUESTS_KEPT = timedelta(days=30)


class OldPly(Exception):
    """The play answers a moment of the match that has passed."""


class MatchIsOver(OldPly):
    """The match has been won; nothing more is played in it."""


def start_practice(*, owner, ruleset, rival, nonce="", at):
    """A new practice match, dealt and played up to the person's first turn; returns the Match.

    Raises the game's Unreadable for an unknown rule set, rival or nonce.
    """
    rules, nonce = get_ruleset(ruleset), check_nonce(nonce)
    line_up = line_up_for(rules, get_rival(rival))
    match = Match(
        player_id=owner.player_id,
        guest="" if owner.player_id else owner.guest,
        ruleset=rules.name,
        rival=rival,
        bots="0:" + ",".join(bot.label for bot in line_up),
        nonce=nonce,
        started_at=at,
        played_at=at,
    )
    game = game_match.Match(rules, match.first_dealer)
    plays = []
    _answer(match, game, plays)
    match.state, match.ply, match.plays = dump_state(game), game.ply, " ".join(plays)
    if game.is_over:  # a doble ronda may win a mesa before anybody plays
        match.winner, match.finished_at = game.winner, at
    match.save(force_insert=True)
    return match


def play(*, match, text, ply, at):
    """The person makes a play (record notation) that answers ply `ply`, then the bots theirs, up to the person's next
    turn or the end: all of it is kept, or nothing. Returns the game and the (deck, event) pairs.

    Raises OldPly or MatchIsOver, and the game's Unreadable or NotAllowed; whatever is raised, nothing has changed.
    """
    if match.is_over:
        raise MatchIsOver
    if ply != match.ply:
        raise OldPly
    game, move = match.load_game(), parse_play(text)
    deck = game.deck_number
    events, plays = game.play(move), [format_play(move)]
    events += _answer(match, game, plays)
    think = max(0, round((at - match.played_at).total_seconds() * 1000))
    winner = game.winner
    finished_at, state = at if game.is_over else None, dump_state(game)
    # One statement, so that all of it is kept or nothing; and the ply in its condition lets one of several simultaneous
    # plays through, on every database. Written out because it is what every play of everybody waits for.
    with connection.cursor() as cursor:
        cursor.execute(
            _KEEP_PLAY,
            [state, game.ply, _datetime(at), _bots_now(match), winner, _datetime(finished_at),
             " " + " ".join(plays), f" {think}", match.pk, ply],
        )  # fmt: skip
        if not cursor.rowcount:
            raise OldPly
    match.state, match.ply, match.winner, match.finished_at = state, game.ply, winner, finished_at
    return game, by_deck(events, deck)


_KEEP_PLAY = """
    UPDATE campaign_match
    SET state = %s, ply = %s, played_at = %s, bots = %s, winner = %s, finished_at = %s,
        plays = plays || %s, think_times = think_times || %s
    WHERE id = %s AND ply = %s
"""


def _datetime(at):
    """A moment, or None, as the database's own type."""
    return connection.ops.adapt_datetimefield_value(at)


def forget_guests(*, at):
    """Remove guests' practice matches that were not played for thirty days; returns how many."""
    return Match.objects.forgotten(before=at - GUESTS_KEPT).delete()[0]


def _answer(match, game, plays):
    """Deal and let the bots play until the person is to play or the match is over; returns the events."""
    events, bots, seed = [], match.line_up(), bytes(match.seed)
    while not game.is_over:
        if game.awaits_deck:
            events += game.begin_deck(shuffled_deck(seed, match.nonce, game.deck_number + 1))
        elif game.to_play == SEAT:
            break
        else:
            seat = game.to_play
            move = bots[seat - 1].choose(view_of(game, seat), bot_stream(seed, game.ply))
            events += game.play(move)
            plays.append(format_play(move))
    return events


def _bots_now(match):
    """The match's `bots`, with a further entry if versions have changed since it last was played."""
    labels = ",".join(bot.label for bot in match.line_up())
    return match.bots if match.bots.endswith(":" + labels) else f"{match.bots} {match.ply}:{labels}"
