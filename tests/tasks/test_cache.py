"""The cache is Redis while Redis answers, and the database's table while it does not: no call ever fails for it."""

import socket
import time
from itertools import count

import pytest
from django.core.cache import cache, caches

from campaign.tasks import forget_guests
from cvarenta import cache as module
from cvarenta.breaker import Breaker
from cvarenta.cache import RedisOrDatabaseCache
from cvarenta.settings import REDIS_TIMEOUTS
from tests.worker import QUEUE

pytestmark = pytest.mark.django_db


@pytest.fixture
def redis_at(monkeypatch):
    """Makes caches, as each thread has one, over a Redis at this port; and what became of the last one is forgotten."""
    monkeypatch.setattr(module, "breaker", Breaker("A Redis", *module.breaker.errors))
    return lambda port: RedisOrDatabaseCache(f"redis://127.0.0.1:{port}/1", {"OPTIONS": REDIS_TIMEOUTS})


@pytest.fixture
def nobody(redis_at):
    """Over a Redis that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return redis_at(port)


@pytest.fixture
def deaf():
    """Somebody who takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        server.setblocking(False)
        yield server


def callers(server):
    """How many have called there since they were last counted."""
    for number in count():
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return number


def everything(cache):
    """What each method answers, one after the other."""
    return [
        cache.get("a"), cache.set("a", 1), cache.get("a"), "a" in cache, cache.has_key("b"), cache.add("a", 2), cache.add("b", 3),
        cache.incr("a"), cache.decr("b"), cache.get_many(["a", "b", "c"]), cache.touch("a", 60), cache.touch("c"),
        cache.set_many({"d": [1], "e": "é"}), cache.get_or_set("d", 5), cache.get_or_set("f", lambda: 6), cache.incr_version("a"),
        cache.get("a", version=2), cache.get("a", "none"), cache.delete("d"), cache.delete("d"), cache.delete_many(["e"]),
        cache.get("e", "none"), bool(cache.clear() or True), cache.get_many(["a", "b", "f"]), cache.set("g", 1, timeout=0), cache.get("g"),
    ]  # fmt: skip


def test_without_redis_everything_works_as_with_it(nobody):
    assert everything(nobody) == everything(caches["database"]) == everything(cache)


def test_with_redis_the_database_is_not_asked(django_assert_num_queries):
    with django_assert_num_queries(0):
        everything(cache)


def test_what_a_cache_refuses_it_refuses_with_and_without_redis(nobody):
    for each in (cache, nobody):
        with pytest.raises(ValueError, match="not found"):
            each.incr("unknown")


def test_what_was_kept_without_redis_is_seen_by_all(nobody):
    nobody.set("a", 1)
    assert caches["database"].get("a") == 1


def test_a_redis_that_hangs_is_waited_for_once_by_a_process(redis_at, deaf, monkeypatch):
    """Half a second, and not for each call nor for each thread's cache."""
    monkeypatch.setattr("cvarenta.breaker.OPEN_SECONDS", 600)  # however slow the machine is
    port = deaf.getsockname()[1]
    one_threads, another_threads = redis_at(port), redis_at(port)
    began = time.monotonic()
    assert everything(one_threads) == everything(another_threads)
    assert time.monotonic() - began > 0.4 and callers(deaf) == 1


def test_clearing_the_cache_leaves_the_tasks_that_wait(broker):
    forget_guests.delay()
    cache.set("a", 1)

    cache.clear()

    assert cache.get("a") is None and broker.llen(QUEUE) == 1
