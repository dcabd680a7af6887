"""The cache where there is a Redis: Redis while it answers, and the database's table while it does not.

What is written in one is not seen in the other: counts begin anew when Redis goes and when it comes back, and nothing
may be kept here without an end.
"""

from functools import partial

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from .breaker import Breaker

FALLBACK = "database"  # its name in CACHES, so that createcachetable makes its table

# Django makes a cache for each thread; this is the process's.
breaker = Breaker("The cache's Redis", RedisError, OSError)


def either(name):
    """The method of this name, of Redis or else of the fallback."""

    def call(self, *args, **kwargs):
        ask = partial(getattr(super(RedisOrDatabaseCache, self), name), *args, **kwargs)
        return breaker.call(ask, lambda: getattr(caches[FALLBACK], name)(*args, **kwargs))

    call.__name__ = name
    return call


class RedisOrDatabaseCache(RedisCache):
    """All that RedisCache asks Redis itself; whatever else a cache can do is made of these."""

    add, get, set, touch, delete = map(either, ("add", "get", "set", "touch", "delete"))
    get_many, set_many, delete_many = map(either, ("get_many", "set_many", "delete_many"))
    has_key, incr, clear = map(either, ("has_key", "incr", "clear"))
