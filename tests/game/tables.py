"""Tables for the tests: matches whose decks were arranged so that the wanted cards come.

Unless a test says otherwise the last seat deals, so that seat 0 plays first
and play k is made by seat k % seats.
"""

import json
import random

from cvarenta.game.cards import DECK, RANKS, cards_in, format_card, format_cards, parse_card, rank_of
from cvarenta.game.match import Match
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.record import write_record
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.state import dump_state, load_state

QUITO, MANO, TWO, FOUR = RULE_SETS = ("quito", "mano-a-mano", "tradicional-2", "tradicional-4")
MESAS = (TWO, FOUR)
OPTIONAL = (MANO, TWO, FOUR)  #: where a capture is a right, not a duty


def cards(text):
    """The cards of a text such as "5H 6D", spaces or none."""
    return [parse_card(text[i : i + 2]) for text in text.split() for i in range(0, len(text), 2)]


def names(mask):
    """The names of the cards of a mask, as a set."""
    return {format_card(card) for card in cards_in(mask)}


def arranged_deck(ruleset, dealer, deals, seed=1):
    """A deck that gives these cards: a dict seat -> text a deal; the others come without rondas."""
    seats = get_ruleset(ruleset).seats
    deals = [*deals, *[{}] * (40 // seats // 5 - len(deals))]
    wanted = [cards(deal.get((dealer + 1 + i) % seats, "")) for deal in deals for i in range(seats)]
    asked = [card for hand in wanted for card in hand]
    assert len(set(asked)) == len(asked), "a card was asked for twice"
    rng = random.Random(seed)
    rest = [card for card in DECK if card not in asked]
    while True:
        rng.shuffle(rest)
        others = iter(rest)
        hands = [hand + [next(others) for _ in range(5 - len(hand))] for hand in wanted]
        if all(_most(hand) < 3 or _most(hand) == _most(own) for hand, own in zip(hands, wanted, strict=True)):
            return [card for hand in hands for card in hand]


def _most(hand):
    ranks = [rank_of(card) for card in hand]
    return max(map(ranks.count, ranks), default=0)


def sit(ruleset, plays="", *, holding="", score=(0, 0), dealer=None, deals=()):
    """A match in which these plays were made and the seat to play holds these cards (and others)."""
    rules = get_ruleset(ruleset)
    dealer = rules.seats - 1 if dealer is None else dealer
    deals = [dict(deal) for deal in deals] or [{}]
    made = plays.split()
    for ply, cards_held in enumerate([*[play[:2] for play in made], holding]):
        seat = (dealer + 1 + ply) % rules.seats
        while len(deals) <= ply // (5 * rules.seats):
            deals.append({})
        deal = deals[ply // (5 * rules.seats)]
        deal[seat] = f"{deal.get(seat, '')} {cards_held}"
    match = Match(rules, dealer, score)
    match.begin_deck(arranged_deck(ruleset, dealer, deals))
    for play in made:
        do(match, play)
    return match


def late(ruleset, *, hands, table="", last="", stock="", taken=(0, 0), score=(0, 0), chicas=(0, 0), dealer=None):
    """A match late in a deck, the dealer to play: `hands` is a dict seat -> text."""
    rules = get_ruleset(ruleset)
    dealer = rules.seats - 1 if dealer is None else dealer
    state = json.loads(dump_state(Match(rules, dealer, score)))
    state |= {
        "awaits": False,
        "deck": 0,
        "deal": 0,
        "to_play": dealer,
        "taken": list(taken),
        "chicas": list(chicas),
    }
    state |= {"hands": [format_cards(cards(hands.get(seat, ""))) for seat in range(rules.seats)]}
    state |= {"table": format_cards(cards(table)), "last": last, "stock": format_cards(cards(stock))}
    state["played"] = " ".join(format_card(card) for card in cards(table))
    return load_state(json.dumps(state))


def close_deck(ruleset, piles, *, score=(0, 0), chicas=(0, 0), dealer=None):
    """The match and its last events when a deck ends with these piles, at this score before the count.

    Where nothing is left over the dealer's last play is a limpia; the score before it is lower by as much.
    """
    rules = get_ruleset(ruleset)
    dealer = rules.seats - 1 if dealer is None else dealer
    taken, score, left = list(piles), list(score), 39 - sum(piles)
    if left < 0:
        taken[dealer % 2] -= 2
        score[dealer % 2] -= 2
        table, play = "KH", "KSxKH"
    else:
        table, play = "".join(rank + "D" for rank in RANKS[:left]), "KS"
    match = late(ruleset, hands={dealer: "KS"}, table=table, taken=taken, score=score, chicas=chicas, dealer=dealer)
    return match, do(match, play)


def do(match, play):
    """Make a play given as text; the events."""
    return match.play(parse_play(play))


def choices(match, card):
    """What the seat to play may do with a card of its hand, as a set of texts."""
    return {format_play(play) for play in match.legal() if format_card(play[0]) == card}


def only(kind, events):
    """The one event of a kind."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def kinds(events):
    return [type(event) for event in events]


def random_games(ruleset, seed, decks=4, choose=None, score=(0, 0)):
    """Play one match at random, so many decks at most: yields (match, what just came) from the first deal on.

    What came is the pair (play or deck, events); the match goes on changing after it was yielded.
    """
    rng = random.Random(seed)
    rules = get_ruleset(ruleset)
    match = Match(rules, rng.randrange(rules.seats), score)
    while not match.is_over:
        if match.awaits_deck:
            if match.deck_number + 1 == decks:
                return
            deck = rng.sample(DECK, 40)
            yield match, (deck, match.begin_deck(deck))
        else:
            play = choose(match, rng) if choose else rng.choice(match.legal())
            yield match, (play, match.play(play))


def copy_of(match):
    return load_state(dump_state(match))


def hidden_permuted(match, seat, rng):
    """A match that looks the same from a seat: what it cannot see is dealt otherwise."""
    state = json.loads(dump_state(match))
    others = [s for s in range(match.rules.seats) if s != seat]
    unseen = [card for s in others for card in match.hands[s]] + match.stock
    rng.shuffle(unseen)
    for s in others:
        n = len(match.hands[s])
        state["hands"][s], unseen = format_cards(unseen[:n]), unseen[n:]
    state["stock"] = format_cards(unseen)
    return load_state(json.dumps(state))


def a_record(ruleset=QUITO, plays="", *, score=(0, 0), dealer=None, holding="", **changes):
    """The JSON object of a record with these plays, some keys changed."""
    rules = get_ruleset(ruleset)
    dealer = rules.seats - 1 if dealer is None else dealer
    deal = {}
    for ply, cards_held in enumerate([*[play[:2] for play in plays.split()], holding]):
        seat = (dealer + 1 + ply) % rules.seats
        deal[seat] = f"{deal.get(seat, '')} {cards_held}"
    deck = arranged_deck(ruleset, dealer, [deal])
    record = write_record(rules, dealer, score, [deck], [parse_play(play) for play in plays.split()])
    return record | changes
