"""A real Celery worker, or beat, in a process of its own, on the tests' database and Redis."""

import itertools
import os
import signal
import subprocess
import sys
import time

import pytest
from django.conf import settings
from redis import Redis

from cvarenta.celery import app
from tests.campaign.serving import ROOT, production, url_of_the_database
from tests.services import end_with_parent

START_SECONDS = 60
QUEUE = app.conf.task_default_queue
numbers = itertools.count(1)


def until(condition, seconds=15):
    """What the condition returns once it is true; fails if that takes too long."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return result


class CeleryProcess:
    """`with` it, or start, kill, freeze and stop it. It is ready once it says so; all it says is in the file `output`."""

    def __init__(self, folder, *command, ready, application="cvarenta", **environment):
        self.name, self.ready, self.process = f"t{os.getpid()}-{next(numbers)}@here", ready, None
        self.output = folder / f"{self.name}.log"
        self.environment = production(url_of_the_database(), DJANGO_LOG_LEVEL="INFO", **environment)
        self.command = [sys.executable, "-m", "celery", "-A", application, *command, "-l", "INFO"]

    def launch(self):
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                self.command, env=self.environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True, preexec_fn=end_with_parent,
            )  # fmt: skip

    def wait(self):
        deadline = time.monotonic() + START_SECONDS
        while self.ready not in self.said():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"it did not start:\n{self.said()}")
            time.sleep(0.05)

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

    def kill(self):
        """kill -9, its children included."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    __enter__ = start

    def __exit__(self, *_):
        self.stop()


class Worker(CeleryProcess):
    def __init__(self, folder, *options, **more):
        more = {"REDIS_URL": settings.REDIS_URL} | more
        super().__init__(folder, "worker", "-c", "1", "--without-gossip", "--without-mingle", ready=" ready.", **more)
        self.command += ["-n", self.name, *options]


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
    """The session's worker, at work during this test only: in others, what is sent waits in the queue."""
    told = {"destination": [worker_process.name], "reply": True, "timeout": 10}
    assert app.control.add_consumer(QUEUE, **told)
    yield worker_process
    assert app.control.cancel_consumer(QUEUE, **told)
    with Redis.from_url(settings.REDIS_URL) as broker:  # where it still waits for one last task of that queue
        for client in broker.client_list():
            if "b" in client["flags"]:
                broker.client_unblock(client["id"])
