"""What the campaign does without anybody asking."""

from celery import shared_task
from django.utils import timezone

from . import analysing, pledges, services

SUMMED_AT_ONCE = 500


@shared_task
def forget_guests() -> int:
    """Guests' practice matches that nobody played for a month; returns how many were removed."""
    return services.forget_guests(at=timezone.now())


@shared_task
def forget_pledges() -> int:
    """Spent pledges that are too old to be tried again; returns how many were removed."""
    return pledges.forget(at=timezone.now())


@shared_task
def sum_up() -> int:
    """The figures of finished matches that have none, some hundreds at a time; returns how many were written."""
    return services.sum_up(most=SUMMED_AT_ONCE)


@shared_task
def analyse(match_id: str) -> bool:
    """The analysis of a finished match, if it is awaited; whether it was written now."""
    return analysing.analyse(match_id=match_id, clock=timezone.now)


@shared_task
def analyse_waiting() -> int:
    """Analyses asked for whose task was lost; returns how many were written."""
    return analysing.analyse_waiting(clock=timezone.now)
