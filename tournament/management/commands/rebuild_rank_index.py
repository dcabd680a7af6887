"""Work the rank index out anew from the standings."""

from django.core.management.base import BaseCommand

from tournament.models import Season
from tournament.services import rebuild_rank_index


class Command(BaseCommand):
    help = (
        "Builds the rank index anew from the standings (PostgreSQL), for when audit finds it wrong or data was loaded."
    )

    def handle(self, **options):
        for season in Season.objects.order_by("closes_at"):
            rebuild_rank_index(season_id=season.pk)
            self.stdout.write(f"{season.slug}: built anew.")
