"""Close to forty: what still counts at 36 and at 38."""

import pytest

from cvarenta.game.events import Chica, End, Played

from .tables import MANO, MESAS, QUITO, do, kinds, only, sit


def falls(ruleset, points):
    return do(sit(ruleset, "KH 5H", holding="5S", score=(points, 0)), "5Sx5H")


def cleans(ruleset, points):
    return do(sit(ruleset, "3H 2D", holding="5S", score=(points, 0)), "5Sx2D3H")


def falls_and_cleans(ruleset, points):
    """By the seat after the one that begins, which is of team 1."""
    return do(sit(ruleset, "5H", holding="5S", score=(0, points)), "5Sx5H")


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_38_a_caida_and_limpia_is_two_points_and_the_win(ruleset):
    events = falls_and_cleans(ruleset, 38)
    assert kinds(events) == [Played, End]
    assert (events[0].caida, events[0].limpia, events[0].points, events[0].score) == (True, True, 2, (0, 40))
    assert events[1] == End(1, (0, 40), None)


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_36_a_caida_and_limpia_is_four_points_and_the_win(ruleset):
    events = falls_and_cleans(ruleset, 36)
    assert kinds(events) == [Played, End]
    assert (events[0].points, events[0].score) == (4, (0, 40))


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_38_a_limpia_alone_adds_nothing(ruleset):
    events = cleans(ruleset, 38)
    assert kinds(events) == [Played]
    assert (events[0].limpia, events[0].points, events[0].score) == (True, 0, (38, 0))


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_36_a_limpia_alone_leads_to_38(ruleset):
    played = only(Played, cleans(ruleset, 36))
    assert (played.points, played.score) == (2, (38, 0))


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_38_a_caida_wins(ruleset):
    events = falls(ruleset, 38)
    assert (events[0].points, events[1]) == (2, End(0, (40, 0), None))


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_at_36_a_caida_leads_to_38(ruleset):
    assert only(Played, falls(ruleset, 36)).score == (38, 0)


def test_in_quito_the_limit_is_that_of_the_score_at_the_beginning_of_the_play():
    assert only(Played, cleans(QUITO, 37)).points == 2
    assert only(Played, falls_and_cleans(QUITO, 37)).points == 4
    assert cleans(QUITO, 39)[0].points == 0


def test_in_mano_a_mano_a_limpia_stops_at_38_and_the_caida_counts_after_it():
    assert only(Played, cleans(MANO, 37)).score == (38, 0)
    assert falls_and_cleans(MANO, 37)[0].points == 3
    assert cleans(MANO, 39)[0].points == 0


@pytest.mark.parametrize("ruleset", [QUITO, MANO])
def test_the_other_teams_38_limits_nobody(ruleset):
    match = sit(ruleset, "3H 2D", holding="5S", score=(20, 38))
    assert only(Played, do(match, "5Sx2D3H")).points == 2


@pytest.mark.parametrize("ruleset", MESAS)
def test_in_a_mesa_a_limpia_wins_at_38(ruleset):
    events = do(sit(ruleset, "3H 2D", holding="5S", score=(38, 12)), "5Sx2D3H")
    assert kinds(events) == [Played, Chica]
    assert (events[0].points, events[1]) == (2, Chica(0, (40, 12), (1, 0), False))
