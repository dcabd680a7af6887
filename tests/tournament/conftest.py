"""A season to score in, and players who do."""

import pytest
from django.db import connection

from tournament import postgres

from .books import make_season


@pytest.fixture
def season(db):
    """The Fiestas de Quito 2026, the only season there is."""
    return make_season()


@pytest.fixture(params=["postgres", "plain"] if connection.vendor == "postgresql" else ["plain"])
def store(request, monkeypatch):
    """Each of the two ways in which the books are written, as if the database had no other."""
    if request.param == "plain":
        monkeypatch.setattr(postgres, "is_used", lambda: False)
    return request.param
