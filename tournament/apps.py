"""The books of the tournament."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentConfig(AppConfig):
    name = "tournament"
    verbose_name = "Torneo"

    def ready(self):
        from . import receivers, tasks  # noqa: F401
        from .reviewers import make_group

        post_migrate.connect(make_group, sender=self)
