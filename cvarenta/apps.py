"""The app that holds the player."""

from django.apps import AppConfig


class CvarentaConfig(AppConfig):
    name = "cvarenta"
    verbose_name = "Cvarenta de Qvito"

    def ready(self):
        from . import celery  # noqa: F401  (so that every task finds its application)
