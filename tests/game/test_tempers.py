"""Levels and characters: what each remembers, sees and likes, and that the partner is never the weaker one."""

import dataclasses
from itertools import pairwise

import pytest

from cvarenta.game.bots import BOTS, get_bot, reply
from cvarenta.game.bots.quirks import (
    bait,
    builder,
    carton_no_more,
    figures_first,
    for_partner,
    fourth_card,
    hunter,
    showy_limpia,
    was_fallen_on,
)
from cvarenta.game.bots.tempers import LEVELS, MIGUEL, RIVALS, TEMPERS, VIRGEN, Temper
from cvarenta.game.duel import Tally, play_pair
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import bot_stream
from cvarenta.game.view import view_of

from .tables import QUITO, sit


def plays_of(temper, match, tries=60):
    """How often a temper chooses each play, by chance."""
    view, found = view_of(match, match.to_play), {}
    for n in range(tries):
        play = format_play(temper.choose(view, bot_stream(n.to_bytes(32, "big"), match.ply)))
        found[play] = found.get(play, 0) + 1
    return found


def liking(quirk, match):
    """What a quirk adds to each legal play."""
    view = view_of(match, match.to_play)
    return {format_play(play): quirk(view, play) for play in view.legal}


def test_every_temper_is_a_bot_of_its_name():
    assert set(TEMPERS) <= set(BOTS)
    assert list(RIVALS) == ["almeida", "ramon", "cantuna", "manuela", "diablo"]
    assert len(MIGUEL) == len(RIVALS) and list(LEVELS) == ["aprendiz"] and list(VIRGEN) == ["virgen"]


def test_who_sees_half_of_the_caidas_misses_one_in_four():
    match = sit(QUITO, "5H 7C", holding="7S 2D 3C KD QH")
    blind = Temper(caida=0.5, carton=0, risk=1)
    missed = 400 - plays_of(blind, match, 400).get("7Sx7C", 0)
    assert 60 <= missed <= 140
    assert plays_of(Temper(), match) == {"7Sx7C": 60}


def test_memory_is_what_tells_a_safe_lay_from_a_dangerous_one():
    match = sit(QUITO, "KH KDxKH QS QCxQS", holding="KS 6H 4D JC")
    assert plays_of(Temper(), match) == {"KS": 60}  # two kings are gone
    assert plays_of(Temper(memory=0.0), match).get("KS", 0) < 60


def test_forgetting_is_given_the_cards_that_nobody_played_by_rank():
    match = sit(QUITO, "KH KDxKH QS QCxQS", holding="KS 6H 4D JC")
    lists = []
    reply.weigh(view_of(match, match.to_play), lambda unplayed: lists.append(list(unplayed)))
    assert lists == [[4, 4, 4, 4, 4, 4, 4, 4, 2, 2]]


def test_don_ramon_opens_with_a_figure():
    match = sit(QUITO, "", holding="2S 4D 6C JH AH")
    assert liking(figures_first, match) == {"2S": 0, "4D": 0, "6C": 0, "JH": 40, "AH": 0}
    assert plays_of(RIVALS["ramon"], match).get("JH", 0) > 50
    later = sit(QUITO, "5H", holding="2S 4D 6C JH AH")
    assert set(liking(figures_first, later).values()) == {0}


FALLEN = "5H 5Dx5H AC 2C"  #: seat 0 suffers a caida


@pytest.mark.parametrize(
    "plays, holding, seat, fallen",
    [
        (FALLEN, "KD", 0, True),
        (FALLEN, "KD", 1, False),
        (f"{FALLEN} KD 7H QC JS", "6D", 0, True),
        (f"{FALLEN} KD 7H QC JS 6D 4H QSxQCKD JDxJS", "KS", 0, False),  # two turns later it has recovered
        ("5H KD 5Dx5H 2C", "QS", 0, False),  # taken a turn later it is no caida
    ],
)
def test_don_ramon_is_pecked_for_two_turns(plays, holding, seat, fallen):
    assert was_fallen_on(view_of(sit(QUITO, plays, holding=holding), seat)) == fallen


def test_a_pecked_don_ramon_forgets_what_was_played():
    match = sit(QUITO, "KH KDxKH QS QCxQS JH JDxJH 6C 2D", holding="KS 4H 3D")
    pecked, calm = RIVALS["ramon"], dataclasses.replace(RIVALS["ramon"], pecked=None, memory=1.0)
    assert was_fallen_on(view_of(match, 0))
    assert plays_of(pecked, match) != plays_of(calm, match)


def test_cantuna_likes_long_escaleras_and_leaves_no_sums():
    likes = liking(builder, sit(QUITO, "5H 6D 7C 2S", holding="5S AH KD QC"))
    assert likes == {"5Sx5H6D7C": 30, "AH": -40, "KD": -40, "QC": -40}  # 2 and 5 on the table make a 7
    assert liking(builder, sit(QUITO, "6H 7D", holding="KD"))["KD"] == 0
    assert RIVALS["cantuna"].carton == 1.0


def test_cantuna_stops_chasing_the_carton_at_thirty():
    early = sit(QUITO, "5H KC", holding="5S AH", score=(28, 0))
    late = sit(QUITO, "5H KC", holding="5S AH", score=(30, 0))
    assert liking(carton_no_more, early)["5Sx5H"] == 0 and liking(carton_no_more, late)["5Sx5H"] == -20


RONDA = {0: "5H 5D 5S 2C", 1: "3D 4C 6S JH", 2: "7C QD KS 2H", 3: "7H 3C 4S 6H"}


def test_manuela_holds_the_fourth_card_against_an_announced_ronda():
    match = sit(QUITO, "KD AH QC", holding="5C", deals=[RONDA | {2: "7C QD KS 2H"}])
    assert liking(fourth_card, match)["5C"] == -80
    partner = sit(QUITO, "KD AH", holding="5C", deals=[RONDA | {3: "7H 3C 4S 6H JC"}])
    assert liking(fourth_card, partner)["5C"] == 0  # her partner's ronda is no enemy


def test_manuela_hunts_caidas_from_thirty_on():
    early = sit(QUITO, "5H", holding="5S 2C KD QH JC", score=(0, 28))
    late = sit(QUITO, "5H", holding="5S 2C KD QH JC", score=(0, 30))
    assert liking(hunter, early)["5Sx5H"] == 0 and liking(hunter, late)["5Sx5H"] == 60


def test_manuela_leaves_what_the_next_seat_showed_it_does_not_hold():
    match = sit(QUITO, "KH QD QCxQDKH 3S", holding="QH 2D 4C AS")
    assert liking(for_partner, match) == {"QH": 25, "2D": 0, "4C": 0, "AS": 0}


def test_the_devil_baits_with_a_card_whose_twins_are_gone():
    match = sit(QUITO, "KH KDxKH JH", holding="KS KC 2C 4D")
    likes = liking(bait, match)
    assert likes["KS"] == likes["KC"] == 25 and likes["2C"] == likes["4D"] == 0


def test_the_devil_has_a_weakness_for_a_limpia_even_without_points():
    match = sit(QUITO, "2H 3H", holding="5S KD QC 7H AD", score=(38, 38))
    likes = liking(showy_limpia, match)
    assert likes.pop("5Sx2H3H") == 150 and set(likes.values()) == {0}
    assert showy_limpia in RIVALS["diablo"].quirks


@pytest.mark.parametrize("name", [*VIRGEN, *MIGUEL])
def test_san_miguel_and_the_virgin_play_straight(name):
    temper = TEMPERS[name]
    assert temper.caida == temper.limpia == 1.0 and not temper.quirks and temper.pecked is None


def test_san_miguel_grows_with_the_chapters():
    order = list(MIGUEL.values())
    assert all(a.memory <= b.memory and a.risk >= b.risk and a.lanes <= b.lanes for a, b in pairwise(order))


@pytest.mark.parametrize("chapter", range(5))
def test_the_partner_is_never_weaker_than_the_rival_of_the_chapter(chapter):
    rival, tally = list(RIVALS)[chapter], Tally()
    for pair in range(8):
        tally.add(play_pair(QUITO, [get_bot("virgen"), get_bot(rival)], "partner", pair, lambda: 0.0))
    told = tally.summary()
    assert told["matches_interval"][1] >= 50 and told["matches"] >= 45, told


def test_a_called_ronda_is_held_until_its_cards_are_played():
    match = sit(QUITO, "QH 5H KD AS 3H 5Dx5H 7D JS 2H 5Sx2H3H 6S 4C", holding="JC")
    view = view_of(match, 0)

    def misses(*ronda):
        return reply._misses(view._replace(rondas=(ronda,)), 1, None, 0)

    assert misses(1, 4, 4)[4] == 0.0  # one of four fives is still in its hand
    assert misses(1, 4, 3)[4] > 0.0  # all three are played: the fourth may be anywhere
    assert misses(2, 4, 4)[4] > 0.0  # another seat's ronda
