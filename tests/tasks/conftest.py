"""Something for the tasks to do: guests' matches that nobody has played for long; and a Redis that may be stopped."""

import signal
from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from campaign.owners import Owner
from campaign.services import start_practice
from tests.services import free_port, start_redis


@pytest.fixture
def guests_match(db):
    """Makes a guest's match that was last played so many days ago; returns its id."""

    def make(days):
        at = timezone.now() - timedelta(days=days)
        return start_practice(owner=Owner(None, "a guest"), ruleset="quito", rival="greedy", at=at).pk

    return make


@pytest.fixture
def broker(settings):
    with Redis.from_url(settings.REDIS_URL) as broker:
        yield broker


class OwnRedis:
    """A Redis that goes and comes back."""

    def __init__(self):
        self.port = free_port()
        self.come()

    def come(self):
        url, self.server = start_redis(self.port)
        self.url = f"{url}/0"

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def hang(self):
        self.server.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.server.send_signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def own_redis():
    redis = OwnRedis()
    yield redis
    redis.go_on()
    redis.stop()
