"""The cast: the people who appear in the tests, always the same four."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

PASSWORD = "cuarenta-tantos-1534"


def make_player(name: str, **fields):
    """A player who can log in with PASSWORD."""
    return get_user_model().objects.create_user(name, password=PASSWORD, **fields)


def client_of(player) -> Client:
    """A browser of its own, logged in."""
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def player(db):
    return make_player("dolores")


@pytest.fixture
def rival_player(db):
    """Plays the same tournament, and would like the same place."""
    return make_player("cantuña")


@pytest.fixture
def reviewer(db):
    return make_player("mariana", is_staff=True)


@pytest.fixture
def stranger(db):
    """Has an account and no business with anything of the others."""
    return make_player("forastero")
