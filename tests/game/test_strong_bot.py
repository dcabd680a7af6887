"""The strong bot: what it reads of the others, what scores are worth to it, how it ends a deck, and how well it plays."""

import random
from itertools import combinations

import numpy as np
import pytest

from cvarenta.game.bots import get_bot, reply, search
from cvarenta.game.bots.lanes import ONE_CARD, Lanes
from cvarenta.game.bots.policy import modes_of, policy_of
from cvarenta.game.bots.ranks import FULL, POSITIONS, position_of, ranks_of
from cvarenta.game.bots.search import options_of, read, weigh
from cvarenta.game.bots.worth import (
    AHEAD,
    BEHIND,
    EVEN,
    PLAIN,
    QUARTERS,
    SURE,
    carton_hopes,
    chances,
    count_carton,
    kind_of,
)
from cvarenta.game.duel import Tally, play_pair
from cvarenta.game.match import Match
from cvarenta.game.notation import format_play
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.scoring import carton_points
from cvarenta.game.shuffle import bot_stream
from cvarenta.game.view import view_of

from .tables import FOUR, MANO, QUITO, RULE_SETS, TWO, copy_of, do, late, random_games, sit

SEED = bytes(range(32))
rule_sets = pytest.mark.parametrize("ruleset", RULE_SETS)
straight = pytest.mark.parametrize("name", ["maestro", "aficionado", "virgen", "miguel-1", "miguel-3", "miguel-5"])


def words(count):
    return np.random.PCG64(7).random_raw(count)


def chosen(name, match):
    view = view_of(match, match.to_play)
    return format_play(get_bot(name).choose(view, bot_stream(SEED, match.ply)))


# Tables by their ranks


def test_every_table_and_card_that_can_be_fallen_on_has_a_position_of_its_own():
    found = {position_of(*ranks_of(position)) for position in range(POSITIONS)}
    assert found == set(range(POSITIONS))
    for position in range(POSITIONS):
        mask, last = ranks_of(position)
        assert last is None or mask >> last & 1


@rule_sets
def test_imagined_plays_do_what_the_rules_do(ruleset):
    """Lanes and the real match play the same deal by the same policy: points, piles and table agree to the end."""
    rules, rng = RULESETS[ruleset], random.Random(5)
    policy = policy_of(rules, *modes_of(rules, (0, 0)), 1)
    compared = 0
    for _ in range(60):
        match = Match(rules, rules.seats - 1)
        match.begin_deck(rng.sample(range(40), 40))
        hands = [list(hand) for hand in match.hands]
        seen = [0] * 10
        arrays = [np.array([[card >> 2] for card in hand]) for hand in hands]
        unseen = np.array([FULL - ONE_CARD.take(array).sum(axis=0) for array in arrays])
        score = np.array([[points] for points in match.score])
        lanes = Lanes(
            rules, arrays, unseen, np.zeros(1, np.int64), score, np.zeros((2, 1), np.int64), np.zeros(1, np.int64)
        )
        lanes.play_out(0, (policy, policy))
        score, taken = None, None
        for _ in range(5 * rules.seats):
            hand = hands[match.to_play]
            ranks = {card >> 2 for card in cards_on(match)}
            where = position_of(sum(1 << rank for rank in ranks), match.last >> 2 if match.last >= 0 else None)
            own = [card >> 2 for card in hand]
            worths = [policy[(where * 11 + rank) * 4 + 4 - seen[rank] - own.count(rank)] for rank in own]
            place = worths.index(max(worths))
            card, hand[place] = hand[place], hand[-1]
            hand.pop()
            plays = [play for play in match.legal() if play[0] == card]
            falls = [p for p in plays if match.last >= 0 and p[1] >> match.last & 1 and match.last >> 2 == card >> 2]
            events = match.play(max(falls or plays, key=lambda play: play[1].bit_count()))
            seen[card >> 2] += 1
            score, taken = events[0].score, match.taken
        assert tuple(lanes.score[:, 0]) == score and list(lanes.cards[:, 0]) == taken
        compared += 1
    assert compared == 60


def cards_on(match):
    return [card for card in range(40) if match.table >> card & 1]


# What it reads of the others


@rule_sets
def test_imagined_hands_agree_with_all_that_was_seen(ruleset):
    checked = 0
    for seed in range(5):
        for number, (match, _) in enumerate(random_games(ruleset, seed, decks=2)):
            if not match.legal() or number % 3:
                continue
            view = view_of(match, match.to_play)
            reading, _ = read(view)
            hands = reading.imagine(50, words)
            for world in range(50):
                imagined = [hand if hand is None else list(hand[:, world]) for hand in hands]
                assert imagined[view.seat] is None
                held = [rank for hand in imagined if hand is not None for rank in hand]
                for seat, hand in enumerate(imagined):
                    assert hand is None or len(hand) == view.counts[seat]
                for rank in range(10):
                    out = sum(card >> 2 == rank for card, _ in view.played) + sum(
                        card >> 2 == rank for card in view.hand
                    )
                    assert held.count(rank) + out <= 4
            checked += 1
    assert checked > 60


def test_a_called_ronda_is_seen_in_every_world_and_an_uncalled_one_in_none():
    deals = [{0: "5H 5D 5S 2C KD", 1: "AH 3D 4C 6S JH", 2: "7H 7C QD KS 2H", 3: "AD 3C 4S 6H JC"}]
    match = sit(QUITO, deals=deals)
    do(match, "KD")
    view = view_of(match, 1)
    reading, _ = read(view)
    hands = reading.imagine(400, words)
    assert (np.sort(hands[0], axis=0) == 4).sum(axis=0).min() == 3
    for hand in (hands[2], hands[3]):
        for rank in range(10):
            assert ((hand == rank).sum(axis=0) < 3).all()


def test_who_laid_a_card_beside_a_rich_table_is_doubted_to_hold_what_takes_it():
    match = sit(QUITO, "5H 3D", holding="KS QC JH 2D AC")
    reading, _ = read(view_of(match, 2))
    doubts = reading.doubts[1]
    assert doubts[4] == max(doubts) > 0  # a five would have fallen on the five, and cleaned the table
    assert reading.doubts[0][4] == 0  # who laid it knows the others no better
    hands = reading.imagine(4000, words)
    share = (hands[1] == 4).any(axis=0).mean(), (hands[3] == 4).any(axis=0).mean()
    assert share[0] < share[1] / 2


# What scores are worth


@rule_sets
def test_more_points_are_never_worth_less(ruleset):
    for deal in chances(RULESETS[ruleset]):
        for kind, table in enumerate(deal):
            if kind == PLAIN or RULESETS[ruleset].is_mesa:
                table, steps = table[:-1, :-1], QUARTERS * 4
                assert (table[steps:] - table[:-steps] > -150).all()  # worked out by chance: a hair of noise
                assert (table[:, steps:] - table[:, :-steps] < 150).all()


@rule_sets
def test_the_first_to_forty_has_won(ruleset):
    rules = RULESETS[ruleset]
    even = slice(0, 40 * QUARTERS, 2 * QUARTERS)  # the scores there are, below forty
    for deal in chances(rules):
        assert (deal[PLAIN][-1, even] == SURE).all() and (deal[PLAIN][even, -1] == 0).all()
        if rules.is_mesa:
            assert list(deal[EVEN][-1, even]) == [SURE] * 5 + [7500] * 15  # zapatería below ten
            assert list(deal[EVEN][even, -1]) == [0] * 5 + [2500] * 15
            assert (deal[AHEAD][-1, even] == SURE).all() and (deal[AHEAD][even, -1] == SURE // 2).all()
            assert (deal[BEHIND][-1, even] == SURE // 2).all() and (deal[BEHIND][even, -1] == 0).all()


def test_a_mesa_is_seen_from_the_team_that_plays_first():
    rules = RULESETS[FOUR]
    assert [kind_of(rules, (1, 0), team) for team in (0, 1)] == [AHEAD, BEHIND]
    assert [kind_of(rules, chicas, 0) for chicas in ((0, 0), (1, 1))] == [EVEN, PLAIN]
    assert kind_of(RULESETS[QUITO], (0, 0), 0) == PLAIN


@rule_sets
@pytest.mark.parametrize("first", [0, 1])
def test_the_carton_of_lanes_is_the_carton_of_the_rules(ruleset, first):
    rules, rng = RULESETS[ruleset], random.Random(3)
    for _ in range(400):
        own = rng.randrange(41)
        taken = own, rng.randrange(41 - own)
        before = 2 * rng.randrange(20), 2 * rng.randrange(20)
        dealer = first  # the next dealer is of the team that played first
        points = carton_points(rules, taken, before, dealer)
        score, won = np.array([[before[0]], [before[1]]]), np.zeros(1, np.int64)
        count_carton(rules, np.array([[taken[0]], [taken[1]]]), score, won, first)
        after = before[0] + points[0], before[1] + points[1]
        assert tuple(score[:, 0]) == after, (taken, before)
        assert won[0] == (1 if after[0] >= 40 else -1 if after[1] >= 40 else 0)


@rule_sets
def test_hopes_of_the_carton_rise_with_the_pile(ruleset):
    hopes = carton_hopes(RULESETS[ruleset], 1)
    assert hopes[0, 14, 8] > hopes[0, 8, 8] >= hopes[0, 2, 8]


# The end of a deck


def brute(match):
    """For each play the chance of winning of the team to play, by the real engine: in every world, as likely as what the
    others did makes it, every way to play on, each seat choosing what is best for its team."""
    seat = match.to_play
    reading, _ = read(view_of(match, seat))
    order = [(seat + i) % match.rules.seats for i in range(1, match.rules.seats)]
    counts = [len(match.hands[other]) for other in order]
    unseen = sorted(card for other in order for card in match.hands[other])
    worlds = list(shares(unseen, counts))
    _, weights = reading.all_worlds()
    assert len(weights) == len(worlds)
    totals = {}
    for play in match.legal():
        total = 0
        for hands, weight in zip(worlds, weights, strict=True):
            world = copy_of(match)
            for other, hand in zip(order, hands, strict=True):
                world.hands[other] = list(hand)
            world.play(play)
            total += int(weight) * best(world, seat)
        totals[play] = total / int(weights.sum())
    return totals


def shares(cards, counts):
    """All ways to share out cards in hands of these sizes."""
    if not counts:
        yield []
        return
    for hand in combinations(cards, counts[0]):
        for rest in shares([card for card in cards if card not in hand], counts[1:]):
            yield [hand, *rest]


def best(match, seat):
    """The chance of the seat's team in ten-thousandths when all hands are open; captures are the largest, caidas first."""
    if match.is_over:
        return SURE if match.winner == seat % 2 else 0
    if match.awaits_deck:
        team = match.to_play % 2
        own, other = match.score[team], match.score[1 - team]
        chance = int(chances(match.rules)[0, PLAIN][QUARTERS * own, QUARTERS * other])
        return chance if team == seat % 2 else SURE - chance
    found = []
    for card in match.hands[match.to_play]:
        plays = [play for play in match.legal() if play[0] == card]
        falls = [p for p in plays if match.last >= 0 and p[1] >> match.last & 1 and match.last >> 2 == card >> 2]
        after = copy_of(match)
        after.play(max(falls or plays, key=lambda play: play[1].bit_count()))
        found.append(best(after, seat))
    return max(found) if match.to_play % 2 == seat % 2 else min(found)


@pytest.mark.parametrize("left", [1, 2])
def test_with_two_cards_left_it_weighs_every_world_and_every_way_to_play_it(left):
    """Against the rules' own engine; captures that a seat may choose among other than the largest are not looked at."""
    compared = 0
    for seed in range(8):
        games = random_games(QUITO, seed, decks=1, score=(20 + 2 * (seed % 10), 24 + 2 * (seed % 8)))
        for match, _ in games:
            if match.stock or match.awaits_deck or match.rondas or len(match.hands[match.to_play]) != left:
                continue
            if sum(map(len, match.hands)) > 4 * left - seed % 4:
                continue
            view, truth = view_of(match, match.to_play), brute(match)
            for chance, play in weigh(view, bot_stream(SEED, match.ply)):
                assert chance == pytest.approx(truth[play], abs=1), (seed, format_play(play))
            compared += 1
            break
    assert compared >= 6


# How it plays


@straight
@pytest.mark.parametrize("table, holding", [("QH", "QS AD 2C 4H 6D"), ("2H 7D JC", "JS 3D 4C AH 6H")])
def test_at_38_a_caida_in_hand_is_played(name, table, holding):
    match = sit(QUITO, table, holding=holding, score=(38, 38))
    assert chosen(name, match) == f"{holding[:2]}x{table[-2:]}"


@straight
def test_at_36_a_caida_that_is_a_limpia_too_is_played(name):
    match = sit(QUITO, "7H", holding="7S AD 2C 4H QD", score=(0, 36))
    assert chosen(name, match) == "7Sx7H"


def test_cards_are_worth_nothing_once_the_carton_cannot_count():
    rules = RULESETS[QUITO]
    assert [mode.card for mode in modes_of(rules, (30, 34))] == [0, 0]
    assert all(mode.card > 0 for mode in modes_of(rules, (28, 34)))  # theirs may still count
    assert all(mode.card > 0 for mode in modes_of(RULESETS[MANO], (36, 36)))


def test_it_takes_a_victory_whatever_else_is_on_the_table():
    match = late(
        TWO, hands={1: "QS 5S", 0: "2H"}, table="5H 3D 2C QH", last="QH", score=(38, 38), taken=(10, 10), chicas=(1, 1)
    )
    assert chosen("maestro", match) == "QSxQH"


def test_plays_that_differ_by_suits_only_are_weighed_once():
    match = sit(MANO, "5H", holding="5S 5C 2H KD KC")
    plays = [format_play(play) for _, play in options_of(view_of(match, match.to_play))]
    assert sum(play.startswith("5") for play in plays) == len({play[2:] for play in plays if play.startswith("5")})
    assert sum(play in ("KD", "KC") for play in plays) == 1


def test_more_lanes_come_to_about_the_same_chances():
    match = sit(QUITO, "5H 3D KC", holding="5S 2C KD QH JC")
    view = view_of(match, match.to_play)
    few, many = (dict(map(reversed, weigh(view, bot_stream(SEED, 3), lanes=lanes))) for lanes in (2_000, 60_000))
    assert all(abs(few[play] - many[play]) < 500 for play in many)
    assert max(many, key=many.get) == search.choose(view, bot_stream(SEED, 3))


@pytest.mark.parametrize(
    "a, b, ruleset, pairs, least",
    [
        ("aficionado", "plain", QUITO, 150, 75),
        ("aficionado", "greedy", QUITO, 300, 50),
        ("maestro", "greedy", QUITO, 20, 55),
        ("maestro", "greedy", MANO, 20, 50),
        ("maestro", "greedy", TWO, 8, 50),
        ("maestro", "greedy", FOUR, 8, 50),
        ("greedy", "random", QUITO, 60, 95),
        ("almeida", "random", QUITO, 60, 90),
        ("aprendiz", "random", QUITO, 60, 90),
    ],
)
def test_the_stronger_wins_more(a, b, ruleset, pairs, least):
    tally, bots = Tally(), [get_bot(a), get_bot(b)]
    for pair in range(pairs):
        tally.add(play_pair(ruleset, bots, "suite", pair, lambda: 0.0))
    assert tally.summary()["matches"] >= least


@straight
def test_from_thirty_points_on_both_sides_it_chases_no_carton(name):
    """Captured cards weigh nothing any more; what scores is the caida."""
    match = sit(QUITO, "KH 7D 7Cx7D JH JDxJH 2C AS JS", holding="JC KS 4H", score=(34, 38))
    view = view_of(match, match.to_play)
    assert {format_play(play) for play in view.legal} >= {"JCxJS", "KSxKH"}
    carded = [play for play in view.legal if play[1]]
    worths = {format_play(play.play): play.cards for play in reply.weigh(view)}
    assert len(carded) >= 2 and set(worths.values()) == {0}
    assert chosen(name, match) == "JCxJS"  # the only points there are: a caida
