"""A match looked back at: what each play cost, which mattered most, and how kind the cards were."""

import json
import random

import pytest

from cvarenta.game.bots import analysis, get_bot
from cvarenta.game.bots.analysis import VERSION, analyse, luck_of, moments_of, weigh_play
from cvarenta.game.bots.search import options_of
from cvarenta.game.cards import mask_of, parse_cards
from cvarenta.game.match import Match
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.rulesets import RULESETS, get_ruleset
from cvarenta.game.shuffle import shuffled_deck
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of

from .tables import arranged_deck, late, random_games, sit

SEED = b"mirar atras".ljust(32)


@pytest.fixture
def quick(monkeypatch):
    """As always, with less to imagine."""
    monkeypatch.setattr(analysis, "WORLDS", 64)
    monkeypatch.setattr(analysis, "DEALS", 4)


def played_at_random(ruleset):
    """The decks and plays of a match that everybody played at random, and seat 0's views with a choice, by ply."""
    rng, match, decks, plays, choices = random.Random(3), new_match(ruleset), [], [], {}
    while not match.is_over:
        if match.awaits_deck:
            decks.append(shuffled_deck(SEED, "", len(decks)))
            match.begin_deck(decks[-1])
            continue
        view = view_of(match, match.to_play)
        plays.append(rng.choice(match.legal()))
        if match.to_play == 0 and len(options_of(view)) > 1:
            choices[match.ply] = plays[-1]
        match.play(plays[-1])
    return decks, plays, choices


def new_match(ruleset):
    return Match(get_ruleset(ruleset), 1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_tells_every_play_that_was_a_choice_and_every_deck(quick, ruleset):
    decks, plays, choices = played_at_random(ruleset)
    steps = []

    found = analyse(new_match(ruleset), decks, plays, SEED, tell=lambda *step: steps.append(step))

    assert {play["ply"]: play["played"] for play in found["plays"]} == {
        ply: format_play(play) for ply, play in choices.items()
    }
    assert found["plies"] == len(plays)
    assert found["cost"] == pytest.approx(sum(play["cost"] for play in found["plays"]))
    assert all(play["cost"] >= 0 and 0 <= play["chance"][0] <= play["chance"][1] <= 1 for play in found["plays"])
    assert all(play["cost"] == 0 for play in found["plays"] if play["played"] == play["best"])
    assert len(found["luck"]["decks"]) == len(decks)
    assert len(found["moments"]) == 3
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[0][0] == 0 and steps[-1][0] == steps[-1][1]


def test_the_same_match_gives_the_same_analysis(quick):
    decks, plays, _ = played_at_random("quito")
    once, again = (analyse(new_match("quito"), decks, plays, SEED) for _ in range(2))

    assert once == again
    assert json.loads(json.dumps(once)) == once
    assert analyse(new_match("quito"), decks, plays, bytes(32)) != once


def test_whoever_changes_what_the_bots_play_gives_the_analysis_a_new_version():
    assert [get_bot(name).label for name in ("maestro", "aficionado")] == ["maestro/1", "aficionado/1"]
    assert VERSION == 1


def test_it_ends_where_a_play_breaks_a_rule(quick):
    decks, plays, choices = played_at_random("quito")

    found = analyse(new_match("quito"), decks, [*plays[:30], plays[0], *plays[30:]], SEED)

    assert found["plies"] == 30
    assert [play["ply"] for play in found["plays"]] == [ply for ply in choices if ply < 30]


def test_a_caida_left_lying_costs_its_points():
    """The pair 2+3 brings a card more, which counts nothing here; the caída two points."""
    match = late("quito", hands={3: "5H"}, table="5D 2C 3S", last="5D", taken=(16, 19), score=(10, 12))

    (play,) = weigh_play(view_of(match, 3), parse_play("5Hx2C3S"), SEED)
    (best,) = weigh_play(view_of(match, 3), parse_play("5Hx5D"), SEED)

    assert (play["played"], play["best"], play["cost"], play["lead"]) == ("5Hx2C3S", "5Hx5D", 2, [10, 12])
    assert play["chance"][0] < play["chance"][1] == best["chance"][0]
    assert (best["best"], best["cost"], best["second"]) == ("5Hx5D", 0, play["chance"][0])


def test_where_the_likelier_win_promises_fewer_points_only_the_chances_tell():
    """At 36 to 38, with the last two cards: the Q brings three cards, and leaves more to be fallen on."""
    match = next(match for match, _ in random_games("quito", 1, score=(36, 38)) if match.ply == 32)

    (play,) = weigh_play(view_of(match, 2), parse_play("QDxQHKH"), SEED)

    assert (play["best"], play["cost"]) == ("KSxKH", 0)
    assert play["lead"][0] > play["lead"][1] + 0.5
    assert play["chance"][0] < play["chance"][1] - 0.1


def test_plays_alike_but_for_suits_are_the_same_play():
    match = sit("quito", "5C", holding="5H 5D KS QS 2H")
    first, second = (weigh_play(view_of(match, 1), parse_play(f"{card}x5C"), SEED)[0] for card in ("5H", "5D"))

    assert first["chance"] == second["chance"] and first["lead"] == second["lead"]
    assert (first["best"], second["best"]) == ("5Hx5C", "5Dx5C")


def test_a_play_that_a_full_table_does_not_list_is_one_of_those_alike():
    match = Match(get_ruleset("mano-a-mano"), 1)
    match.begin_deck(list(range(40)))
    table = parse_cards("".join(rank + suit for rank in "234567JQK" for suit in "HDC") + "AH")
    match.hands, match.stock, match.played = (
        [parse_cards("ADAC"), parse_cards("ASKS")],
        [],
        [(card, 0) for card in table],
    )
    match.set_table(mask_of(table), table[-1])
    way = parse_play("ADxAH2C3C4C5C6C7CJCQCKC")
    assert way not in match.legal()

    (play,) = weigh_play(view_of(match, 0), way, SEED)

    alike = next(other for other in match.legal() if other[1].bit_count() == 10)
    (listed,) = weigh_play(view_of(match, 0), alike, SEED)
    assert (play["played"], play["chance"], play["lead"]) == (format_play(way), listed["chance"], listed["lead"])


def test_a_play_without_choice_is_not_told():
    match = late("quito", hands={3: "5H"}, table="5D KC", taken=(16, 19), score=(10, 12))
    assert weigh_play(view_of(match, 3), parse_play("5Hx5D"), SEED) == []


def test_the_moments_are_the_chances_given_away_then_the_best_found():
    def play(made, best, second):
        return {"chance": [made, best], "second": second}

    plays = [
        play(0.5, 0.5, 0.2),  # found, and nothing else would have done
        play(0.5, 0.52, 0.5),
        play(0.5, 0.5, 0.5),  # all the same
        play(0.3, 0.6, 0.3),
        play(0.5, 0.504, 0.5),  # too little to tell
        play(0.5, 0.5, 0.4),
    ]
    assert moments_of(plays) == [3, 1, 0]
    assert moments_of(plays[4:]) == [1]
    assert moments_of(plays[2:3]) == moments_of([]) == []


def test_a_deck_with_a_ronda_in_each_deal_is_kind_and_unkind_to_the_others():
    start = dump_state(Match(get_ruleset("quito"), 3))
    deals = [{0: "5H5D5S KH QH"}, {2: "7H7D7S JD KC"}]
    kind = arranged_deck("quito", 3, deals)
    ours, theirs = luck_of(start, kind, SEED), luck_of(start, kind, SEED, seat=1)

    assert ours["points"] > ours["error"] > 0
    assert theirs == {"points": -ours["points"], "error": ours["error"]}


def test_decks_are_as_kind_as_others_on_the_average(monkeypatch):
    monkeypatch.setattr(analysis, "DEALS", 12)
    start = dump_state(Match(get_ruleset("quito"), 3))
    luck = [luck_of(start, shuffled_deck(SEED, f"{n}", 0), SEED)["points"] for n in range(30)]

    assert abs(sum(luck) / len(luck)) < 4
    assert max(luck) > 4 and min(luck) < -4
