"""The site's settings, as in production but for what would only slow the tests or need a certificate."""

import os

from tests import services

os.environ["DATABASE_URL"] = services.database_url()
os.environ["REDIS_URL"] = services.redis_url()
os.environ["DJANGO_DEBUG"] = "0"
os.environ["DJANGO_SECURE"] = "0"
os.environ["DJANGO_SECRET_KEY"] = "for-the-tests-and-nothing-else-" * 2

from cvarenta.settings import *  # noqa: E402, F403
from cvarenta.settings import CACHES, DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as players have it: in memory there is no second connection to wait for.
    DATABASES["default"]["TEST"] = {"NAME": services.temporary_folder() / "test.sqlite3"}

if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    # After a test that commits all is cleared, the trail too.
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c cvarenta.may_clear=on"

CACHES["default"]["OPTIONS"] = {"socket_timeout": 30}  # a busy machine is no reason to count elsewhere
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True  # nothing was collected
ACCOUNT_RATE_LIMITS = False  # every test comes from one address; tests/accounts/test_limits.py turns them on
