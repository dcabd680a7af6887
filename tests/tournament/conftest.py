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
