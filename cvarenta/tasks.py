"""How the site sends a task: nothing waits for it, and nothing depends on its being sent, for periodic tasks sweep."""

import logging
from concurrent.futures import ThreadPoolExecutor

from celery import Task, shared_task
from django.core.management import call_command
from django.db import connections, transaction
from kombu.exceptions import OperationalError

from .breaker import Breaker

logger = logging.getLogger(__name__)

SLOW = "slow"  #: the queue that settings give tasks that take seconds, so that the others never wait for them

breaker = Breaker("The broker", OperationalError)
aside = ThreadPoolExecutor(1, thread_name_prefix="slow task")


def soon(task: Task, *args) -> None:
    """Has the task done once the running transaction is committed (at once if there is none). Where there is no broker
    it is done in place, a slow one beside the request, one after the other in each process. Raises nothing, and hardly
    waits: if the broker does not answer, the task is not sent."""
    transaction.on_commit(lambda: _send(task, args), robust=True)


def _send(task, args):
    if task.app.conf.task_always_eager and task.app.conf.task_routes.get(task.name) == {"queue": SLOW}:
        aside.submit(_do_aside, task, args)
        return
    breaker.call(
        lambda: task.delay(*args),
        lambda: logger.warning("Not sent, left to the sweeps: %s%r", task.name, args),
    )


def _do_aside(task, args):
    try:
        task.apply(args)
    finally:
        connections.close_all()  # this thread's


@shared_task
def clear_sessions() -> None:
    """Remove the sessions that are over."""
    call_command("clearsessions")
