"""Browsers of people without an account, and of dolores, who has one and a confirmed e-mail."""

import pytest
from django.test import Client

from tests.support import client_of

from .asking import give_email


@pytest.fixture
def dolores(player):
    give_email(player, "dolores@quito.ec")
    return player


@pytest.fixture
def inside(dolores):
    return client_of(dolores)


@pytest.fixture
def elsewhere(dolores):
    """Her other browser."""
    return client_of(dolores)


@pytest.fixture
def limited(settings):
    """The limits of the settings, which other tests are spared."""
    from cvarenta import settings as site

    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS


@pytest.fixture
def strict_client(db):
    return Client(enforce_csrf_checks=True)
