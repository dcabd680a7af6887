"""The Celery application: what is done later, or again and again, beside the requests."""

import os

from celery import Celery

from . import broker  # noqa: F401  (takes the place of kombu's own)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cvarenta.settings")

app = Celery("cvarenta")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
