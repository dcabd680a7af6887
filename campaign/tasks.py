"""What the campaign does without anybody asking."""

from celery import shared_task
from django.utils import timezone

from . import services


@shared_task
def forget_guests() -> int:
    """Guests' practice matches that nobody played for a month; returns how many were removed."""
    return services.forget_guests(at=timezone.now())
