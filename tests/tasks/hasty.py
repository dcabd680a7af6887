"""The application, but guests are forgotten every second."""

from cvarenta.celery import app

app.conf.beat_schedule |= {"forget guests": {"task": "campaign.tasks.forget_guests", "schedule": 1}}
