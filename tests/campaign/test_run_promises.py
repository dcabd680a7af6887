"""What the database itself refuses about runs, whatever the code above it does."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Match, Run
from campaign.services import start_run

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def refused(call):
    with pytest.raises(IntegrityError), transaction.atomic():
        call()


def copy_of(match, **changes):
    """Another row like this match."""
    fields = {field.attname: getattr(match, field.attname) for field in Match._meta.concrete_fields if field.name != "id"}
    return Match(**fields | changes)


@pytest.fixture
def match(player):
    return start_run(player_id=player.pk, at=NOW)


def test_a_second_run_under_way(match, player):
    refused(lambda: Run.objects.create(player=player, started_at=NOW))


def test_but_other_players_and_ended_runs_are_free(match, player, rival_player):
    Run.objects.create(player=rival_player, started_at=NOW)
    for _ in range(2):
        Run.objects.create(player=player, started_at=NOW, ended_at=NOW, outcome="abandoned")
        Run.objects.create(player=None, started_at=NOW)
    assert Run.objects.count() == 6


def test_a_second_match_under_way_in_a_run(match):
    refused(lambda: copy_of(match, chapter=2).save(force_insert=True))


def test_a_second_win_of_a_chapter(match):
    Match.objects.filter(pk=match.pk).update(winner=0, finished_at=NOW)
    won = Match.objects.get(pk=match.pk)
    refused(lambda: copy_of(won).save(force_insert=True))
    copy_of(won, winner=1).save(force_insert=True)
    copy_of(won, chapter=2).save(force_insert=True)


@pytest.mark.parametrize("changes", [{"chapter": 0}, {"chapter": 6}, {"chapter": None}, {"run_id": None}])
def test_a_match_of_no_chapter(match, changes):
    Match.objects.all().update(winner=1, finished_at=NOW)
    refused(lambda: copy_of(Match.objects.get(), **changes).save(force_insert=True))


def test_a_match_both_won_and_abandoned(match):
    refused(lambda: Match.objects.update(winner=0, finished_at=NOW, abandoned_at=NOW))


@pytest.mark.parametrize("changes", [{"chapters_won": 6}, {"chapters_won": 5}, {"outcome": "lost"}, {"ended_at": NOW},
                                     {"outcome": "completed", "ended_at": NOW + timedelta(1)}])  # fmt: skip
def test_a_run_that_contradicts_itself(match, changes):
    refused(lambda: Run.objects.update(**changes))
