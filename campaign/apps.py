"""The story and the play."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaña"

    def ready(self):
        from . import receivers  # noqa: F401
