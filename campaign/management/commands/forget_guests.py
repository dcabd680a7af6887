"""Remove the practice matches of guests who did not come back."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from campaign.services import GUESTS_KEPT, forget_guests


class Command(BaseCommand):
    help = (
        f"Removes guests' practice matches that were not played for {GUESTS_KEPT.days} days; safe to run at any time."
    )

    def handle(self, **options):
        self.stdout.write(f"{forget_guests(at=timezone.now())} matches removed.")
