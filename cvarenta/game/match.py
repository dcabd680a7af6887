"""The state of a match: whose turn it is, what is legal, play this, is it over.

Chance comes from outside: whoever runs a match gives it a deck whenever it awaits one.
"""

from .captures import count_ranks, is_choice, options_for
from .cards import NAMES, RANK_BITS, quote
from .errors import NotAllowed
from .events import Carton, Chica, Deal, End, Played, Ronda
from .notation import format_play
from .rulesets import GOAL, HAND
from .scoring import carton_points, has_ronda, play_points, ronda_in, ronda_points

_new = tuple.__new__  # a named tuple without the cost of its constructor, once a ply
_BITS = tuple(1 << card for card in range(40))
_LAID = tuple((card, 0) for card in range(40))  # the plays that take nothing


class Match:
    """One match. Seats run counter-clockwise from 0; seat s belongs to team s % 2.

    Attributes to read: `rules`, `dealer`, `to_play`, `ply` (plays made), `deck_number` (-1 before the first),
    `deal_number`, `hands` (a list of cards a seat), `stock` (cards still to be dealt), `table` (a mask), `last` (the
    card just laid, that can be fallen on, or -1), `taken` (cards a team has in this deck), `score`, `chicas`, `rondas`
    (of this deal), `played` (the plays of this deck), `awaits_deck`, `winner` (None while it goes on).
    """

    __slots__ = (
        "rules", "dealer", "to_play", "ply", "deck_number", "deal_number", "hands", "stock", "table", "last", "taken",
        "score", "chicas", "rondas", "played", "awaits_deck", "winner", "_counts", "_legal", "_rows", "_next",
    )  # fmt: skip

    def __init__(self, rules, dealer, score=(0, 0)):
        """A match that awaits its first deck; `score` is the teams' points at the start."""
        self.rules, self.dealer, self.score = rules, dealer, tuple(score)
        self.deck_number, self.deal_number, self.ply = -1, -1, 0
        self.hands, self.stock = [[] for _ in range(rules.seats)], []
        self.taken, self.chicas, self.rondas, self.played = [0, 0], (0, 0), [], []
        self.awaits_deck, self.winner = True, None
        self._prepare()
        self.to_play = self._next[dealer]
        self.set_table(0, -1)

    def _prepare(self):
        self._rows = options_for(self.rules).rows
        self._next = (*range(1, self.rules.seats), 0)

    def set_table(self, table, last):
        """Put this mask of cards on the table, `last` the card just laid or -1."""
        self.table, self.last = table, last
        self._legal = None if self.winner is None else []
        self._counts = count_ranks(table)

    @property
    def is_over(self):
        """Whether a team has won."""
        return self.winner is not None

    def legal(self):
        """The plays the seat to play may make, as a list of (card, takes) that is not to be changed; empty when it
        has none because the match is over or awaits a deck."""
        plays = self._legal
        if plays is None:
            self._legal = plays = []
            table, hand = self.table, self.hands[self.to_play]
            try:
                row = self._rows[self._counts]
            except KeyError:
                row = options_for(self.rules).row(self._counts, table, hand)
            for card in hand:  # at two or three cards a hand appending is faster than a comprehension
                choices = row[card]
                if choices is None:
                    plays.append(_LAID[card])
                else:
                    for cards in choices:
                        plays.append((card, table & cards))
        return plays

    def begin_deck(self, deck):
        """Deal from a fresh deck of forty cards, first dealt first; returns the events. Raises NotAllowed."""
        if not self.awaits_deck or self.is_over:
            raise NotAllowed("no deck is awaited")
        self.awaits_deck = False
        self.stock, self.played, self.taken = list(deck), [], [0, 0]
        self.deck_number += 1
        self.deal_number = -1
        self.set_table(0, -1)
        return self._deal([])

    def play(self, play):
        """The seat to play makes a legal play (card, takes); returns the events. Raises NotAllowed, nothing changed."""
        if play not in (self._legal or self.legal()) and not self._is_unlisted(play):
            raise NotAllowed(self._why_not(play))
        card, takes = play
        ply, seat, hands = self.ply, self.to_play, self.hands
        hands[seat].remove(card)
        self.played.append(play)
        self._legal = None
        self.ply = ply + 1
        self.to_play = next_seat = self._next[seat]
        if not takes:
            self.table |= _BITS[card]
            self._counts += RANK_BITS[card]
            self.last = card
            events = [_new(Played, (ply, seat, card, 0, False, False, 0, self.score))]
        else:
            taken, last, points = takes.bit_count(), self.last, 0
            self.taken[seat & 1] += taken + 1
            self.table = table = self.table ^ takes
            # one card taken is of the rank of the card played
            self._counts -= RANK_BITS[card] if taken == 1 else count_ranks(takes)
            self.last = -1
            caida = last >> 2 == card >> 2 and takes >> last & 1 == 1
            limpia = not table
            if caida or limpia:
                points = play_points(self.rules, self.score[seat & 1], caida, limpia)
                self._add(seat & 1, points)
            events = [_new(Played, (ply, seat, card, takes, caida, limpia, points, self.score))]
            if points and self.score[seat & 1] >= GOAL:
                return self._win(seat & 1, events)
        if hands[next_seat]:
            return events
        return self._deal(events) if self.stock else self._close_deck(events)

    def _is_unlisted(self, play):
        """Whether a play is legal that `legal` left out among the many alike of a table full of equal cards."""
        card, takes = play
        return (
            not self.rules.capture_is_compulsory
            and card in self.hands[self.to_play]
            and not self.is_over
            and is_choice(self.rules, card >> 2, self.table, takes)
        )

    def _why_not(self, play):
        if self.is_over:
            return "the match is over"
        if self.awaits_deck:
            return "a deck is missing"
        card, takes = play
        if card not in self.hands[self.to_play]:
            return f"{quote(NAMES[card])} is not in the hand of seat {self.to_play}"
        if not takes:
            return f"{quote(NAMES[card])} can capture, so it must"
        return f"{quote(format_play(play))} is no capture the rules allow here"

    def _add(self, team, points):
        a, b = self.score
        self.score = (a, b + points) if team else (a + points, b)

    def _deal(self, events):
        """Deal five cards a seat from the stock, then look for rondas in turn order."""
        self.deal_number += 1
        stock, seats, self.rondas, self._legal = self.stock, len(self._next), [], None
        events.append(_new(Deal, (self.deck_number, self.deal_number, self.dealer)))
        dealt = [stock[i : i + HAND] for i in range(0, seats * HAND, HAND)]
        self.stock = stock[seats * HAND :]
        self.to_play = first = self._next[self.dealer]
        self.hands = dealt[-first:] + dealt[:-first]
        for i, hand in enumerate(dealt):
            if has_ronda(*hand) and not self.is_over and not self.awaits_deck:
                self._call((first + i) % seats, *ronda_in(hand), events)
        return events

    def _call(self, seat, rank, count, events):
        """A seat calls its ronda, which may win."""
        team = seat & 1
        wins = count == 4 and self.rules.doble_ronda_wins
        points = 0 if wins else ronda_points(self.rules, self.score[team])
        self._add(team, points)
        self.rondas.append((seat, rank, count))
        events.append(Ronda(seat, rank, count, points, self.score))
        if wins:
            self._end(team, events)
        elif self.score[team] >= GOAL:
            self._win(team, events)

    def _close_deck(self, events):
        """Count the piles of a deck that was played to its end."""
        next_dealer = self._next[self.dealer]
        points = carton_points(self.rules, self.taken, self.score, next_dealer)
        self.score = (self.score[0] + points[0], self.score[1] + points[1])
        events.append(Carton(tuple(self.taken), points, self.score))
        for team in (0, 1):
            if self.score[team] >= GOAL:
                return self._win(team, events)
        self._await_deck()
        return events

    def _win(self, team, events):
        """The team has its forty points: the match is won, or a chica of it."""
        rules = self.rules
        if not rules.is_mesa:
            return self._end(team, events)
        zapateria = sum(self.chicas) == 0 and self.score[1 - team] < rules.zapatero_below
        self.chicas = (self.chicas[0] + (team == 0), self.chicas[1] + (team == 1))
        events.append(Chica(team, self.score, self.chicas, zapateria))
        if zapateria or self.chicas[team] == rules.chicas:
            return self._end(team, events)
        self.score = (0, 0)
        self._await_deck()
        return events

    def _await_deck(self):
        """The next seat will deal a fresh deck; what is left in hands and on the table goes to nobody."""
        self.hands = [[] for _ in self.hands]
        self.stock, self.rondas = [], []
        self.set_table(0, -1)
        self.dealer = self._next[self.dealer]
        self.to_play = self._next[self.dealer]
        self.awaits_deck = True

    def _end(self, team, events):
        self.winner, self._legal = team, []
        events.append(End(team, self.score, self.chicas if self.rules.is_mesa else None))
        return events
