"""The state of a match: whose turn it is, what is legal, play this, is it over.

Chance comes from outside: whoever runs a match gives it a deck whenever it awaits one.
"""

from .captures import captures, options_for, ranks_in
from .cards import NAMES, quote
from .errors import NotAllowed
from .events import Carton, Chica, Deal, End, Played, Ronda
from .notation import format_play
from .rulesets import GOAL, HAND
from .scoring import carton_points, play_points, ronda_in, ronda_points

_new = tuple.__new__  # a named tuple without the cost of its constructor, once a ply
_BITS = tuple(1 << card for card in range(40))
_RANK_BITS = tuple(1 << (card & ~3) for card in range(40))


class Match:
    """One match. Seats run counter-clockwise from 0; seat s belongs to team s % 2.

    Attributes to read: `rules`, `dealer`, `to_play`, `ply` (plays made), `deck_number` (-1 before the first),
    `deal_number`, `hands` (a list of cards a seat), `stock` (cards still to be dealt), `table` (a mask), `last` (the card just laid, that
    can be fallen on, or -1), `taken` (cards a team has in this deck), `score`, `chicas`, `rondas` (of this deal),
    `played` (the plays of this deck), `awaits_deck`, `winner` (None while it goes on).
    """

    __slots__ = (
        "rules", "dealer", "to_play", "ply", "deck_number", "deal_number", "hands", "stock", "table", "last", "taken",
        "score", "chicas", "rondas", "played", "awaits_deck", "winner", "_ranks", "_doubled", "_may_double", "_legal",
        "_options", "_next",
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
        self._options = options_for(self.rules)
        self._next = (*range(1, self.rules.seats), 0)
        self._may_double = not self.rules.capture_is_compulsory  # else a second card of a rank takes the first

    def set_table(self, table, last):
        """Put this mask of cards on the table, `last` the card just laid or -1."""
        self.table, self.last, self._legal = table, last, None
        self._ranks = ranks = ranks_in(table)
        self._doubled = table.bit_count() != ranks.bit_count() if self._may_double else False

    @property
    def is_over(self):
        """Whether a team has won."""
        return self.winner is not None

    def legal(self):
        """The plays the seat to play may make, as a list of (card, takes) that is not to be changed; empty when it
        has none because the match is over or awaits a deck."""
        if self._legal is None:
            table = self.table
            row = self._options[self._ranks] if not self._doubled else self._row()
            self._legal = [(card, table & cards) for card in self.hands[self.to_play] for cards in row[card]]
        return self._legal

    def _row(self):
        """The choices of the cards in hand at a table with two cards of one rank."""
        return {card: captures(self.rules, card >> 2, self.table) for card in self.hands[self.to_play]}

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
        """The seat to play makes a legal play (card, takes); returns the events. Raises NotAllowed, changing nothing."""
        if play not in (self._legal or self.legal()):
            raise NotAllowed(self._why_not(play))
        card, takes = play
        seat = self.to_play
        self.hands[seat].remove(card)
        self.played.append(play)
        self._legal = None
        if takes:
            event = self._capture(seat, card, takes)
        else:
            bit = _RANK_BITS[card]
            if self._ranks & bit:
                self._doubled = True
            self._ranks |= bit
            self.table |= _BITS[card]
            self.last = card
            event = _new(Played, (self.ply, seat, card, 0, False, False, 0, self.score))
        self.ply += 1
        self.to_play = next_seat = self._next[seat]
        if event[6] and self.score[seat & 1] >= GOAL:
            events = [event]
            self._win(seat & 1, events)
            return events
        if self.hands[next_seat]:
            return [event]
        events = [event]
        if self.stock:
            self._deal(events)
        else:
            self._close_deck(events)
        return events

    def _capture(self, seat, card, takes):
        """Move the taken cards to the team's pile and score it; returns the event."""
        team, last = seat & 1, self.last
        self.taken[team] += takes.bit_count() + 1
        caida = last >= 0 and takes >> last & 1 == 1 and last >> 2 == card >> 2
        limpia = takes == self.table
        if caida or limpia:
            points = play_points(self.rules, self.score[team], caida, limpia)
            self._add(team, points)
        else:
            points = 0
        self.set_table(self.table ^ takes, -1)
        return _new(Played, (self.ply, seat, card, takes, caida, limpia, points, self.score))

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
        rules, stock, self.rondas, self._legal = self.rules, self.stock, [], None
        events.append(Deal(self.deck_number, self.deal_number, self.dealer))
        self.to_play = seat = self._next[self.dealer]
        hands = [stock[i : i + HAND] for i in range(0, rules.seats * HAND, HAND)]
        self.stock = stock[rules.seats * HAND :]
        for hand in hands:
            self.hands[seat] = hand
            seat = self._next[seat]
        for hand in hands:
            ronda = ronda_in(hand)
            if ronda and not self.is_over and not self.awaits_deck:
                self._call(seat, *ronda, events)
            seat = self._next[seat]
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
