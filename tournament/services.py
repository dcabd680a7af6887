"""What the campaign tells the tournament: a run begins, a chapter is won, a run ends, something looks odd.

All of it is called inside the transaction of what it tells, with plain values: this app knows no card and no campaign.
No season is kept yet, so no run is scored, and what is told of free runs leaves nothing in the books.
"""

from datetime import datetime
from typing import NamedTuple


class Slot(NamedTuple):
    """A scored place among a day's runs: its number from 1, and how often each chapter may be tried."""

    number: int
    attempts: int


def open_slot(*, player_id: int, run_id: str, at: datetime) -> Slot | None:
    """The slot that a run begun now takes, or None for a free run: always, while there is no season."""
    return None


def award(*, run_id: str, chapter: int, at: datetime) -> None:
    """A scored run has won its chapter (1–5)."""


def close_run(*, run_id: str, outcome: str, at: datetime) -> None:
    """A scored run has ended: «completed», «lost» or «abandoned»."""


def flag(*, run_id: str, reason: str, at: datetime) -> None:
    """Something about a scored run that a reviewer should look at."""
