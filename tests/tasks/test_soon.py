"""A task is sent when what it is about is in the database, and done in place where there is no Redis."""

import subprocess
import sys

import pytest
from django.db import transaction

from campaign.models import Match
from campaign.tasks import forget_guests
from cvarenta.breaker import Breaker
from cvarenta.tasks import soon
from tests.worker import QUEUE

from ..campaign.serving import ROOT, production, url_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)

IN_PLACE = """
from django.db import transaction
from campaign import services
from campaign.models import Match
from campaign.tasks import forget_guests
from cvarenta.tasks import soon
with transaction.atomic():
    soon(forget_guests)
    print(Match.objects.count(), end=" ")
print(Match.objects.count(), end=" ")
services.forget_guests = None
with transaction.atomic():
    soon(forget_guests)
print("went on")
"""


def test_a_task_is_sent_once_all_is_committed(broker):
    with transaction.atomic():
        soon(forget_guests)
        assert broker.llen(QUEUE) == 0
    assert broker.llen(QUEUE) == 1


def test_what_was_not_committed_sends_nothing(broker):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        soon(forget_guests)
        raise ZeroDivisionError
    assert broker.llen(QUEUE) == 0


def test_a_task_that_cannot_be_sent_is_told_in_the_log_and_no_fault_of_the_brokers(broker, caplog):
    soon(forget_guests, "too much")
    assert "takes 0 positional arguments" in caplog.text

    soon(forget_guests)
    assert broker.llen(QUEUE) == 1


def test_without_redis_a_task_is_done_in_place_and_its_error_stays_there(guests_match):
    guests_match(days=31)
    command = [sys.executable, ROOT / "manage.py", "shell", "--no-imports", "-c", IN_PLACE]
    done = subprocess.run(command, env=production(url_of_the_database()), cwd=ROOT, capture_output=True, text=True)

    assert done.stdout == "1 0 went on\n", done.stderr
    assert "Task campaign.tasks.forget_guests" in done.stderr and "TypeError: 'NoneType'" in done.stderr
    assert not Match.objects.exists()


# Nobody waits twice for who does not answer


def test_a_service_that_did_not_answer_is_left_alone_for_some_seconds(monkeypatch):
    now, asked = [100.0], []
    monkeypatch.setattr("cvarenta.breaker.time.monotonic", lambda: now[0])
    breaker = Breaker("It", OSError)

    def ask():
        asked.append(now[0])
        if now[0] < 106:
            raise OSError
        return "an answer"

    answers = []
    for now[0] in (100.0, 101.0, 104.9, 105.1, 107.0, 110.2, 110.3):
        answers.append(breaker.call(ask, lambda: "otherwise"))
    assert asked == [100.0, 105.1, 110.2, 110.3]
    assert answers == ["otherwise"] * 5 + ["an answer"] * 2


def test_an_error_that_is_not_the_services_is_the_callers():
    breaker = Breaker("It", OSError)
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 / 0, lambda: "otherwise")
    assert breaker.call(lambda: "an answer", lambda: "otherwise") == "an answer"
