"""A run is verified in the background: the same flags once, though a worker is killed, the task sent thirty times, or lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign import proofs, services
from campaign.models import Match, Run
from cvarenta.celery import app
from tests.campaign.played_runs import known_seeds, play_run  # noqa: F401
from tests.support import make_player
from tests.tournament.books import in_threads, make_season
from tests.worker import until, workers_at_once
from tournament import review, tasks
from tournament.models import Flag, ScoredRun
from tournament.tasks import check_run, check_runs

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("known_seeds")]


@pytest.fixture
def scripted(player):
    """Makes the run of a script that plays at once, won a chapter so long ago, and whose bots were not those that are named."""

    make_season(closes_at=timezone.now() + timedelta(days=1))

    def make(player=player, **ago):
        at = timezone.now() - timedelta(**ago)
        run = play_run(player, at, think=lambda: 60, matches=1)
        Match.objects.filter(run=run.pk).update(bots="0:random/1,random/1,random/1")
        return run

    return make


def flags():
    return sorted(Flag.objects.values_list("run_id", "kind"))


def all_of(run):
    return [(run.pk, "beat"), (run.pk, "bots"), (run.pk, "pace")]


def is_checked(run):
    return ScoredRun.objects.filter(pk=run.pk).exclude(checked_at=None).exists()


def test_a_worker_is_killed_in_the_middle_and_another_finishes(scripted, tmp_path):
    run, go = scripted(hours=1), tmp_path / "go"
    with workers_at_once(2, tmp_path, application="tests.tasks.slow_check", GO=str(go)) as workers:
        check_run.delay(run.pk)
        killed = until(lambda: next((worker for worker in workers if "in the middle" in worker.said()), None))
        killed.kill()
        assert flags() == [] and not is_checked(run)

        workers.remove(killed)
        (other,) = workers
        go.touch()
        until(lambda: is_checked(run))
        check_run.delay(run.pk)
        check_run.delay(run.pk, True)
        until(lambda: other.said().count(" succeeded in ") == 3)
    assert flags() == all_of(run)


def test_thirty_at_once_give_the_same_flags_once(scripted, monkeypatch):
    run = scripted(hours=1)
    monkeypatch.setattr(proofs.signs, "agreement", lambda record, seed: (0, 0))  # seconds of it, thirty times
    in_threads([lambda: review.check_run(run_id=run.pk, at=timezone.now())] * 30)
    assert flags() == all_of(run) and is_checked(run)


def test_two_accounts_of_one_device_verified_at_once_are_both_flagged_once(scripted, monkeypatch):
    runs = [scripted(hours=1), scripted(make_player("lola"), hours=1)]
    monkeypatch.setattr(proofs.signs, "agreement", lambda record, seed: (0, 0))
    for run in runs:
        review.trace(run_id=run.pk, digests={"device": "the same", "address": "the same"}, at=timezone.now())
    in_threads([lambda run=run: review.check_run(run_id=run.pk, at=timezone.now()) for run in runs * 5])
    shared = [(run.pk, kind) for run in runs for kind in ("address", "device")]
    assert flags() == sorted(sum(map(all_of, runs), shared)) and all(map(is_checked, runs))


def test_the_sweep_finds_a_run_whose_task_was_lost_a_week_ago(scripted, worker, player, monkeypatch):
    run = scripted(days=7)
    with monkeypatch.context() as lost:
        lost.setattr(tasks, "soon", lambda *task: None)
        services.abandon_run(run=Run.objects.get(), at=timezone.now() - timedelta(days=7))
    worker_said = len(worker.said())
    assert flags() == [] and not is_checked(run)
    check_runs()
    until(lambda: is_checked(run))
    assert flags() == all_of(run) and "Traceback" not in worker.said()[worker_said:]


def test_without_redis_it_is_done_in_place(scripted, monkeypatch):
    run = scripted(hours=1)
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    services.abandon_run(run=Run.objects.get(), at=timezone.now())
    until(lambda: is_checked(run))
    assert flags() == all_of(run)
