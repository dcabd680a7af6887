"""What is done again and again: the schedule names tasks that there are, and beat sends them."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from campaign.models import Match
from cvarenta.celery import app
from tests.worker import Beat, until


@pytest.mark.parametrize("entry", settings.CELERY_BEAT_SCHEDULE.values(), ids=settings.CELERY_BEAT_SCHEDULE)
def test_what_is_scheduled_is_a_task(entry):
    assert import_string(entry["task"]).name == entry["task"]
    assert entry["task"] in app.tasks


@pytest.mark.parametrize("entry", settings.CELERY_BEAT_SCHEDULE.values(), ids=settings.CELERY_BEAT_SCHEDULE)
def test_what_is_scheduled_every_few_moments_is_not_done_late(entry):
    """Or, after a night without a worker, the same would be done a thousand times."""
    if isinstance(entry["schedule"], int):
        assert entry["options"]["expires"] <= entry["schedule"]


def test_beat_sends_what_the_worker_does_again_and_again(worker, guests_match, tmp_path):
    guests_match(days=31)
    with Beat(tmp_path, application="tests.tasks.hasty"):
        until(lambda: not Match.objects.exists())
        guests_match(days=31)
        until(lambda: not Match.objects.exists())
