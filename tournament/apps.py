"""The books of the tournament."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    verbose_name = "Torneo"

    def ready(self):
        from . import receivers, tasks  # noqa: F401
