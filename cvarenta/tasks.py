"""How the site sends a task: nothing waits for it, and nothing depends on its being sent, for periodic tasks sweep."""

import logging

from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

from .breaker import Breaker

logger = logging.getLogger(__name__)

breaker = Breaker("The broker", OperationalError)


def soon(task: Task, *args) -> None:
    """Has the task done once the running transaction is committed (at once if there is none), in place where there is
    no broker. Raises nothing, and hardly waits: if the broker does not answer, the task is not sent."""
    transaction.on_commit(lambda: _send(task, args), robust=True)


def _send(task, args):
    breaker.call(
        lambda: task.delay(*args),
        lambda: logger.warning("Not sent, left to the sweeps: %s%r", task.name, args),
    )
