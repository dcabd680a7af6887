"""Leaving, and asking for what is kept: the books keep what was played, without a name, and tell a player all of theirs."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.test.utils import CaptureQueriesContext

from cvarenta.accounts.services import delete_player, gather_data, rename_player
from cvarenta.models import Player
from tests.support import make_player
from tournament import ranking, review, services
from tournament.models import Award, ScoredRun, Season, Standing

from .books import CLOSE, LAST, MONDAY, begin, crowd, make_season, minutes, own_faults, quito, score, win

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


def names(season, at=CLOSE):
    return [(line.place, line.player, line.points) for line in ranking.walk(season)]


def test_who_leaves_has_no_place_any_more_and_the_others_move_up(season, player, rival_player, stranger):
    score(player, 5), score(rival_player, 3), score(stranger, 1)
    delete_player(player=rival_player, at=MONDAY + minutes(60))
    assert names(season) == [(1, "dolores", 700), (2, "forastero", 100)] and ranking.total(season) == 2
    assert ranking.line_of(season, stranger.pk).place == 2 and not own_faults(season)


def test_the_books_keep_what_was_played_without_a_name(season, player):
    score(player, 5), begin(player)
    kept = [list(model.objects.order_by("pk").values()) for model in (ScoredRun, Award)]
    delete_player(player=player, at=MONDAY + minutes(60))
    assert [list(model.objects.order_by("pk").values()) for model in (ScoredRun, Award)] == kept
    standing = Standing.objects.get()
    assert (standing.player, standing.points, standing.runs, standing.left_at) == (None, 700, 2, MONDAY + minutes(60))
    assert not own_faults(season)


def test_leaving_twice_is_leaving_once(season, player, rival_player):
    score(player, 2), score(rival_player, 1)
    for hour in (1, 2):
        services.leave(player_id=player.pk, at=MONDAY + minutes(60 * hour))
    assert Standing.objects.get(player=None).left_at == MONDAY + minutes(60)
    assert names(season) == [(1, "cantuña", 100)] and not own_faults(season)


def test_every_season_is_left(season, player):
    score(player, 2)
    later = Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60 * 24 * 60))
    score(player, 5, CLOSE)
    delete_player(player=player, at=CLOSE + minutes(60))
    assert not Standing.objects.filter(player__isnull=False).exists() and not Player.objects.exists()
    season.refresh_from_db()
    assert names(season) == [(1, None, 200)] and names(later) == []  # the first had closed, with them in it


def test_who_comes_back_begins_anew(season, player):
    score(player, 5)
    delete_player(player=player, at=MONDAY + minutes(60))
    again = make_player("lola")
    assert ranking.line_of(season, again.pk) is None and begin(again, MONDAY + minutes(61))
    assert not own_faults(season)


def test_a_run_of_someone_who_left_still_has_its_books(season, player):
    run_id = score(player, 2)
    delete_player(player=player, at=MONDAY + minutes(60))
    assert [award.chapter for award in services.books_of(run_id).awards.all()] == [1, 2]


def test_another_name_moves_nothing(season):
    players = crowd(5)
    for number, player in enumerate(players):
        score(player, 2, MONDAY + minutes(number))
    before = names(season)
    rename_player(player=players[3], name="aaa", at=MONDAY + minutes(60))
    assert names(season) == [(place, "aaa" if place == 4 else name, points) for place, name, points in before]
    assert not own_faults(season)


# Past the service


def test_a_player_with_a_standing_is_not_deleted_past_the_service(season, player, rival_player):
    score(player, 2)
    with pytest.raises(ProtectedError):
        player.delete()
    with pytest.raises(ProtectedError):
        Player.objects.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=player.pk)._raw_delete("default")
        transaction.get_connection().check_constraints()
    assert Player.objects.count() == 2 and Standing.objects.get().player == player


def test_the_books_do_not_fall_with_a_season_or_a_standing(season, player):
    score(player, 2)
    for found in (season, Standing.objects.get(), ScoredRun.objects.get()):
        with pytest.raises(ProtectedError):
            found.delete()


def test_a_standing_is_somebodys_until_they_leave(season, player):
    score(player, 2)
    for fields in ({"player": None}, {"left_at": MONDAY}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Standing.objects.update(**fields)


# What is kept about a player


def test_the_data_has_what_the_books_have(season, player, rival_player):
    first, second = score(player, LAST), begin(player, quito(12, 1))
    win(second, 1, quito(12, 1, 13)), score(rival_player, 3)
    told = gather_data(player=player)["torneos"]
    reviewed = {"estado": "Por revisar", "comprobada": None, "decisiones": [], "segunda_mirada": None, "rastros": []}
    assert told == [
        {
            "torneo": "Fiestas de Quito 2026",
            "puntos": 800,
            "alcanzados": quito(12, 1, 13),
            "vueltas": [
                {
                    "id": first, "día": MONDAY.date(), "cupo": 1,
                    "premios": [{"chapter": n, "points": 200 if n is None else 100, "at": MONDAY} for n in (1, 2, 3, 4, 5, None)],
                    **reviewed,
                },
                {
                    "id": second, "día": quito(12, 1).date(), "cupo": 1,
                    "premios": [{"chapter": 1, "points": 100, "at": quito(12, 1, 13)}],
                    **reviewed,
                },
            ],
        }
    ]  # fmt: skip
    assert "cantuña" not in json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False)


def test_it_has_each_season(season, player):
    score(player, 1)
    Season.objects.create(name="Carnaval", slug="carnaval", opens_at=CLOSE, closes_at=CLOSE + minutes(60))
    begin(player, CLOSE)
    told = gather_data(player=player)["torneos"]
    assert [(part["torneo"], part["puntos"], part["alcanzados"]) for part in told] == [("Fiestas de Quito 2026", 100, MONDAY), ("Carnaval", 0, None)]


def test_three_runs_are_told_in_as_many_questions_as_one(season, player):
    def told(number):
        for day in range(ScoredRun.objects.count(), number):
            run_id = score(player, 2, quito(12, day + 1))
            review.ask_again(run_id=run_id, at=quito(12, day + 1))
            review.trace(run_id=run_id, digests={"device": "d" * 64}, at=quito(12, day + 1))
        with CaptureQueriesContext(connection) as asked:
            (part,) = gather_data(player=player)["torneos"]
        assert [len(run["premios"]) for run in part["vueltas"]] == [2] * number
        return len(asked)

    assert told(1) == told(3)


def test_who_never_played_for_points_has_none(player):
    make_season()
    assert gather_data(player=player)["torneos"] == []
