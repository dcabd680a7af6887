"""The site's settings and the naive play."""

from cvarenta.settings import *  # noqa: F403
from cvarenta.settings import INSTALLED_APPS

INSTALLED_APPS += ["tests.bench.naive"]
ROOT_URLCONF = "tests.bench.naive.urls"
