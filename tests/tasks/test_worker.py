"""A task that is sent is done by a worker, once, whatever happens to the worker."""


import pytest

from campaign.models import Match
from campaign.tasks import forget_guests
from cvarenta.celery import app
from cvarenta.tasks import soon
from tests.worker import QUEUE, Worker, until, workers_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def matches():
    return set(Match.objects.values_list("pk", flat=True))


def test_a_task_that_is_sent_is_done(worker, guests_match):
    old, young = guests_match(days=31), guests_match(days=29)

    soon(forget_guests)

    until(lambda: old not in matches())
    assert matches() == {young}


def test_a_task_sent_twice_does_its_work_once(worker, guests_match):
    guests_match(days=31)
    young, before = guests_match(days=29), len(worker.said())

    soon(forget_guests)
    soon(forget_guests)

    said = until(lambda: worker.said()[before:].count(" succeeded in ") == 2 and worker.said()[before:])
    assert [line.split()[-1] for line in said.splitlines() if " succeeded in " in line] == ["1", "0"]
    assert matches() == {young}


def test_without_a_worker_a_task_waits(broker, guests_match):
    guests_match(days=31)

    soon(forget_guests)

    assert broker.llen(QUEUE) == 1 and len(matches()) == 1


def test_workers_killed_and_frozen_in_the_middle_harm_nothing(guests_match, tmp_path):
    """Three workers: one is killed in the middle of the task, the next to get it freezes there, the last finds it begun."""
    guests_match(days=31)
    young, go = guests_match(days=29), tmp_path / "go"
    with workers_at_once(3, tmp_path, application="tests.tasks.slow", GO=str(go)) as workers:
        forget_guests.delay()

        killed = until(lambda: in_the_middle(workers))
        killed.kill()
        assert len(matches()) == 2

        workers.remove(killed)
        frozen = until(lambda: in_the_middle(workers))
        frozen.freeze()
        workers.remove(frozen)
        last = workers[0]
        until(lambda: "received" in last.said())
        assert len(matches()) == 2

        go.touch()
        frozen.thaw()
        until(lambda: "succeeded" in frozen.said() and "succeeded" in last.said())
        assert matches() == {young}


def test_a_worker_goes_on_after_its_redis_hung_and_was_started_anew(own_redis, guests_match, tmp_path):
    """Also when Redis hung just as the worker said that a task was done."""
    go = tmp_path / "go"
    sender = app.connection_for_write(own_redis.url)

    def send():
        forget_guests.apply_async(connection=sender)

    with Worker(tmp_path, application="tests.tasks.slow", GO=str(go), REDIS_URL=own_redis.url) as worker:
        guests_match(days=31)
        send()
        until(lambda: in_the_middle([worker]))
        own_redis.hang()
        go.touch()
        until(lambda: "Couldn't ack" in worker.said())
        own_redis.go_on()
        guests_match(days=31)
        send()
        until(lambda: not matches())

        own_redis.stop()
        own_redis.come()
        guests_match(days=31)
        send()
        until(lambda: not matches())


def in_the_middle(workers):
    return next((worker for worker in workers if "in the middle" in worker.said()), None)
