"""What a machine that watches the site asks: does it live, can it serve."""

import logging

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis

logger = logging.getLogger(__name__)


def check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def check_migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise RuntimeError("There are migrations to run.")


def check_cache() -> None:
    """The limits on guessing live there."""
    cache.set("readyz", 1, timeout=60)
    if not cache.get("readyz"):
        raise RuntimeError("The cache forgets at once.")


def check_redis() -> None:
    """Pages do without; tasks are not sent meanwhile. It must take a write: a full one still answers a ping."""
    for url in (settings.REDIS_URL, settings.REDIS_CACHE_URL):
        with Redis.from_url(url, **settings.REDIS_TIMEOUTS) as redis:
            redis.set("readyz", 1, ex=60)


CHECKS = {"database": check_database, "migrations": check_migrations, "cache": check_cache}
if settings.REDIS_URL:
    CHECKS["redis"] = check_redis


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers, whatever the database does."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served, 503 with the names of what failed."""
    failed = []
    for name, check in CHECKS.items():
        try:
            check()
        except Exception:  # whatever it is, it is not ready; the log says why
            logger.exception("Not ready: %s", name)
            failed.append(name)
    return JsonResponse({"failed": failed}, status=503 if failed else 200)


def answer_first(get_response):
    """Before hosts are looked at and https is asked for: the machine asks itself, by whatever name."""
    views = {"/healthz": healthz, "/readyz": readyz}

    def middleware(request: HttpRequest) -> HttpResponse:
        view = views.get(request.path_info)
        if view is None:
            return get_response(request)
        response = view(request)
        response["Content-Length"] = str(len(response.content))  # or the connection would be closed after it
        return response

    return middleware
