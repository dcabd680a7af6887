"""What the books do in the background. Each may run twice, late or never: what is lost, the next sweep finds."""

from datetime import timedelta

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone

from cvarenta.tasks import soon

from . import front, review, services
from .models import ScoredRun, Season
from .signals import run_closed

OVERDUE = timedelta(minutes=5)


@receiver(run_closed)
def check_when_closed(run_id, **_):
    soon(check_run, run_id)


@shared_task
def check_run(run_id, again=False):
    """Verify a run that nobody has; `again`, also one that was verified already."""
    if again or ScoredRun.objects.filter(pk=run_id, checked_at=None).exists():
        review.check_run(run_id=run_id, at=timezone.now())


@shared_task
def check_runs():
    for run_id in review.runs_to_check(before=timezone.now() - OVERDUE):
        soon(check_run, run_id)


@shared_task
def forget_traces():
    return review.forget_traces(at=timezone.now())


@shared_task
def close_seasons():
    return services.close_seasons(at=timezone.now())


@shared_task
def refresh_ranking():
    """Gather what has moved and draw the first page before anybody waits for it."""
    now = timezone.now()
    season = Season.objects.open_at(now).first()
    if season:
        services.gather(season_id=season.pk)
        front.refresh(season, at=now)
