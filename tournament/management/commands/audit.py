"""Prove that a season's books agree with each other, and with what was played."""

import sys

from django.core.management.base import BaseCommand, CommandError

from tournament.audit import audit
from tournament.models import Season

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Proves the books of a season, or of all: runs, slots, awards, standings, ranking, final table. "
        "Repairs nothing; exits 1 if something is wrong."
    )

    def add_arguments(self, parser):
        parser.add_argument("season", nargs="?", metavar="SEASON", help="as in /ranking/<season>/ (all of them)")
        parser.add_argument("--all-faults", action="store_true", help=f"name every fault, not {SHOWN} a check")

    def handle(self, *, season, all_faults, **options):
        seasons = Season.objects.order_by("closes_at")
        if season:
            seasons = seasons.filter(slug=season)
            if not seasons:
                known = ", ".join(Season.objects.values_list("slug", flat=True)) or "none"
                raise CommandError(f"There is no season {season!r}. There is: {known}.")
        is_clean = True
        for found in seasons:
            self.stdout.write(f"{found.name} ({found.slug})")
            for name, looked_at, faults in audit(found):
                is_clean = is_clean and not faults
                self.stdout.write(
                    f"  {'WRONG' if faults else 'ok   '} {name}: {looked_at} looked at, {len(faults)} wrong"
                )
                for fault in faults if all_faults else faults[:SHOWN]:
                    self.stdout.write(f"        {fault}")
                if len(faults) > SHOWN and not all_faults:
                    self.stdout.write(f"        and {len(faults) - SHOWN} more (--all-faults)")
        if not is_clean:
            sys.exit(1)
