"""Duplicate matches of two bots: the same decks and dealer twice, the sides changed, so that luck falls on both."""

import hashlib
import math
from typing import NamedTuple

from .match import Match
from .record import write_record
from .rulesets import get_ruleset
from .shuffle import bot_stream, first_dealer, shuffled_deck
from .view import view_of


class Played(NamedTuple):
    """One match of a pair: which bot's side won (0 the first bot, 1 the second), the points of both bots' sides over
    all games of the match, its plies, the seconds of each decision of both bots, and its record."""

    winner: int
    points: tuple[int, int]
    plies: int
    seconds: tuple[list[float], list[float]]
    record: dict


def seed_of(seed, pair):
    """The 32-byte seed of a pair's decks, from the seed of the duel, a text."""
    return hashlib.sha256(f"cvarenta-duel/1|{seed}|{pair}".encode()).digest()


def play_pair(ruleset, bots, seed, pair, clock):
    """Both matches of a pair between two Bots, each with the first bot on the other side; a pair of Played. `clock()`
    gives seconds."""
    return tuple(_play_match(get_ruleset(ruleset), bots, seed_of(seed, pair), side, clock) for side in (0, 1))


def _play_match(rules, bots, seed, side, clock):
    """One match in which the first bot sits on team `side`."""
    match = Match(rules, first_dealer(seed, "", rules.seats))
    dealer, decks, plays, seconds, points = match.dealer, [], [], ([], []), [0, 0]
    while not match.is_over:
        if match.awaits_deck:
            decks.append(shuffled_deck(seed, "", match.deck_number + 1))
            events = match.begin_deck(decks[-1])
        else:
            which = (match.to_play ^ side) & 1
            view, stream = view_of(match, match.to_play), bot_stream(seed, match.ply)
            begin = clock()
            play = bots[which].choose(view, stream)
            seconds[which].append(clock() - begin)
            plays.append(play)
            events = match.play(play)
        _add_points(events, points)
    record = write_record(
        rules, dealer, (0, 0), decks, plays,
        seed=seed.hex(), nonce="", bots=[bots[(seat ^ side) & 1].label for seat in range(rules.seats)],
    )  # fmt: skip
    return Played(match.winner ^ side, (points[side], points[1 - side]), match.ply, seconds, record)


def _add_points(events, points):
    """Add what the events really scored; each tells its team by its seat, or tells both teams' points."""
    for event in events:
        gained = getattr(event, "points", 0)
        if isinstance(gained, tuple):
            points[0] += gained[0]
            points[1] += gained[1]
        elif gained:
            points[event.seat & 1] += gained


class Tally:
    """What many pairs came to, for the first bot."""

    def __init__(self):
        self.won = self.drawn = self.lost = self.plies = 0
        self.points = [0, 0]
        self.seconds = ([], [])

    def add(self, pair):
        """Count a pair of Played: won or lost if one bot won both matches."""
        wins = sum(match.winner == 0 for match in pair)
        self.won += wins == 2
        self.drawn += wins == 1
        self.lost += wins == 0
        for match in pair:
            self.plies += match.plies
            for which in (0, 1):
                self.points[which] += match.points[which]
                self.seconds[which].extend(match.seconds[which])

    @property
    def pairs(self):
        return self.won + self.drawn + self.lost

    def summary(self):
        """Everything the command tells, as a dict; shares in per cent with their 95 % intervals.

        `matches` is the share of matches won (a drawn pair is half), `decided` the share of pairs won among those in
        which one bot won both.
        """
        pairs, won, lost = self.pairs, self.won, self.lost
        share = (won + self.drawn / 2) / pairs
        variance = (won * (1 - share) ** 2 + self.drawn * (0.5 - share) ** 2 + lost * share**2) / max(1, pairs - 1)
        error = 1.96 * math.sqrt(variance / pairs)
        return {
            "pairs": pairs,
            "won": won,
            "drawn": self.drawn,
            "lost": lost,
            "matches": _percent(share),
            "matches_interval": [_percent(max(0, share - error)), _percent(min(1, share + error))],
            "decided": _percent(won / (won + lost)) if won + lost else None,
            "decided_interval": [_percent(end) for end in wilson(won, won + lost)] if won + lost else None,
            "points": [round(points / pairs / 2, 2) for points in self.points],
            "plies": round(self.plies / pairs / 2, 1),
            "mean_ms": [_milliseconds(sum(times) / len(times)) if times else None for times in self.seconds],
            "p99_ms": [
                _milliseconds(sorted(times)[len(times) * 99 // 100]) if times else None for times in self.seconds
            ],
        }


def wilson(won, of):
    """The 95 % interval of a share by Wilson's score."""
    z, share = 1.96, won / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _percent(share):
    return round(100 * share, 1)


def _milliseconds(seconds):
    return round(1000 * seconds, 4)
