"""The app that holds the player."""

from django.apps import AppConfig


class CvarentaConfig(AppConfig):
    name = "cvarenta"
    verbose_name = "Cvarenta de Qvito"
