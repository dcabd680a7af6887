"""Write down the final tables that are due."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournament.services import close_seasons


class Command(BaseCommand):
    help = "Writes down the final table of each season that has closed, once; safe to run at any time and by several."

    def handle(self, **options):
        self.stdout.write(f"{close_seasons(at=timezone.now())} final tables written.")
