"""A real Celery worker, or beat, in a process of its own, on the tests' database and Redis."""

import itertools
import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest
from django.conf import settings
from redis import Redis

from cvarenta.celery import app
from tests.campaign.serving import Process, production, url_of_the_database

QUEUE = app.conf.task_default_queue
QUEUES = [queue.name for queue in app.conf.task_queues]
numbers = itertools.count(1)


def until(condition, seconds=60):
    """What the condition returns once it is true; fails if that takes too long."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return result


class CeleryProcess(Process):
    """It is ready once it says so; all it says is in the file `output`. It can also be frozen."""

    def __init__(self, folder, *command, ready, application="cvarenta", **environment):
        self.name, self.ready = f"t{os.getpid()}-{next(numbers)}@here", ready
        self.output = folder / f"{self.name}.log"
        self.environment = production(url_of_the_database(), DJANGO_LOG_LEVEL="INFO", **environment)
        self.command = [sys.executable, "-m", "celery", "-A", application, *command, "-l", "INFO"]

    def launch(self):
        with self.output.open("wb") as output:
            super().launch(output)

    def wait(self):
        self.wait_until(lambda: self.ready in self.said(), self.said)

    def start(self):
        self.launch()
        self.wait()
        return self

    def said(self):
        return self.output.read_text(errors="replace")

    def freeze(self):
        os.killpg(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        os.killpg(self.process.pid, signal.SIGCONT)


class Worker(CeleryProcess):
    def __init__(self, folder, *options, **more):
        more = {"REDIS_URL": settings.REDIS_URL} | more
        super().__init__(folder, "worker", "-c", "1", "--without-gossip", "--without-mingle", ready=" ready.", **more)
        self.command += ["-n", self.name, *options]


@contextmanager
def workers_at_once(count, folder, **more):
    """So many workers, started at once; all are killed in the end."""
    workers = [Worker(folder, **more) for _ in range(count)]
    with ExitStack() as in_the_end:
        for worker in workers:
            worker.launch()
            in_the_end.callback(worker.kill)
        for worker in workers:
            worker.wait()
        yield workers


class Beat(CeleryProcess):
    def __init__(self, folder, **more):
        more = {"REDIS_URL": settings.REDIS_URL} | more
        super().__init__(folder, "beat", ready="beat: Starting...", **more)
        self.command += ["-s", str(folder / "schedule")]


@pytest.fixture(scope="session")
def worker_process(django_db_setup, tmp_path_factory):
    with Worker(tmp_path_factory.mktemp("worker"), "-Q", "none") as process:
        yield process


@pytest.fixture
def worker(worker_process, transactional_db):
    """The session's worker, at work during this test only: in others, what is sent waits in the queues."""
    told = {"destination": [worker_process.name], "reply": True, "timeout": 60}
    for queue in QUEUES:
        assert app.control.add_consumer(queue, **told)
    yield worker_process
    for queue in QUEUES:
        assert app.control.cancel_consumer(queue, **told)
    with Redis.from_url(settings.REDIS_URL) as broker:  # where it still waits for one last task of that queue
        for client in broker.client_list():
            if "b" in client["flags"]:
                broker.client_unblock(client["id"])
