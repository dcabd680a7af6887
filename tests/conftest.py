"""What every test may ask for: the cast, a browser, a worker; and a Redis that remembers no other test."""

import os
import re
import shutil
from functools import cache

import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from redis import Redis

from cvarenta.game.bots import prepare
from tests.support import player, reviewer, rival_player, stranger  # noqa: F401
from tests.tournament.books import clock, season  # noqa: F401
from tests.worker import QUEUES, worker, worker_process  # noqa: F401

# Playwright keeps an event loop in this thread; the ORM is used from it all the same.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
expect.set_options(timeout=30_000)  # as long as all else is waited for in a browser

LONG = re.compile(r"tests/(pages|tasks|test_on_sqlite|test_ground|game/test_(tempers|strong))")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--disable-gpu",
]
NO_BROWSER = (
    "No Chromium: install your system's package, or run "
    "`.venv/bin/playwright install --with-deps --only-shell chromium`, or name one in CHROMIUM."
)


def pytest_xdist_auto_num_workers(config):
    """The whole suite on two cores; a file that is named, in one process."""
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return 2 if is_whole and (os.cpu_count() or 1) > 1 else 0


def pytest_collection_modifyitems(items):
    """What takes long begins first, so that no process is alone at the end."""
    items.sort(key=lambda item: not LONG.search(item.nodeid))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """CHROMIUM, else the machine's own, else Playwright's."""
    args = list(QUIET_FLAGS)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        args.append("--no-sandbox")  # Chromium refuses root otherwise
    options = {**browser_type_launch_args, "args": args}
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found:
        options["executable_path"] = found
    return options


@pytest.fixture(scope="session")
def browser(launch_browser):
    try:
        browser = launch_browser()
    except PlaywrightError as error:
        if "Executable doesn't exist" not in str(error):
            raise
        if os.environ.get("CI"):  # which must not pass by skipping
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """A telephone in Quito."""
    return {
        **browser_context_args,
        "viewport": {"width": 390, "height": 844},
        "locale": "es-EC",
        "timezone_id": "America/Guayaquil",
    }


@pytest.fixture(scope="session", autouse=True)
def prepared_bots():
    """As the site's processes do before their first request."""
    prepare()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Without the season that a migration made: whether it is open depends on the day the tests run. Who needs one makes
    one; transactional tests would have lost it anyway."""
    from tournament.models import Season

    with django_db_blocker.unblock():
        Season.objects.all().delete()


KEPT = {"django_content_type", "auth_permission", "django_migrations"}
flush = TransactionTestCase._fixture_teardown


@cache
def delete_all():
    """SQL; which rows point to which is not asked, for all go, and who still writes is waited for."""
    tables = set(connection.introspection.django_table_names(include_views=False)) - KEPT
    names = [connection.ops.quote_name(table) for table in sorted(tables)]
    return "; ".join(
        [
            "BEGIN",
            f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE",
            "SET LOCAL session_replication_role = replica",
            *(f"DELETE FROM {name}" for name in names),
            "COMMIT",
        ]
    )


def quick_flush(self):
    """What Django does after a transactional test, in a tenth of the time, hundreds of times: it would truncate every
    table and make all permissions anew."""
    if connection.vendor != "postgresql":
        return flush(self)
    with connection.cursor() as cursor:
        cursor.execute(delete_all())


TransactionTestCase._fixture_teardown = quick_flush

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
BROKER, CACHE = Redis.from_url(settings.REDIS_URL), Redis.from_url(settings.REDIS_CACHE_URL)


@pytest.fixture(autouse=True)
def empty_redis(request):
    """No transaction takes back what a test left in the cache and the queue; who uses the database starts without it."""
    if request.node.get_closest_marker("django_db") or not DATABASE_FIXTURES.isdisjoint(request.fixturenames):
        CACHE.flushdb()
        BROKER.delete(*QUEUES, "unacked", "unacked_index")  # and no more: workers keep to their places


@pytest.fixture(autouse=True)
def trail_may_be_cleared(request):
    """SQLite is cleared by DELETE after a test that commits, which the trail's triggers refuse, as they should."""
    marker = request.node.get_closest_marker("django_db")
    if connection.vendor != "sqlite" or marker is None or not marker.kwargs.get("transaction"):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        for table in ("decision", "secondlook", "flag"):
            cursor.execute(f"DELETE FROM tournament_{table}")
        for _, statement in triggers:
            cursor.execute(statement)
