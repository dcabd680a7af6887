"""The two ways in which the books are written."""

import pytest
from django.db import connection

from tournament import postgres


@pytest.fixture(params=["postgres", "plain"] if connection.vendor == "postgresql" else ["plain"])
def store(request, monkeypatch):
    """Each of the two ways in which the books are written, as if the database had no other."""
    if request.param == "plain":
        monkeypatch.setattr(postgres, "is_used", lambda: False)
    return request.param


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
        cursor.execute("DELETE FROM tournament_decision")
        cursor.execute("DELETE FROM tournament_secondlook")
        for _, statement in triggers:
            cursor.execute(statement)
