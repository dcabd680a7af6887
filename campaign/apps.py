"""The story and the play."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaña"

    def ready(self):
        from . import desk, receivers, verification  # noqa: F401
