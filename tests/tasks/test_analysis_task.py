"""The analysis of a match is worked out by a worker, which tells how far it is."""

import pytest
from django.test import Client
from django.utils import timezone

from campaign import analysing
from campaign.models import Analysis, Match
from campaign.tasks import analyse
from cvarenta.tasks import soon
from tests.campaign.playing import Program
from tests.worker import until

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_works_it_out_once_however_often_it_is_sent(worker):
    program = Program(Client())
    match_id = program.start(ruleset="mano-a-mano", rival="greedy")
    table, before = program.look(match_id), len(worker.said())
    while not table["over"]:
        table = program.play(match_id, table["legal"][0], table["ply"]).json()

    assert analysing.ask_analysis(match=Match.objects.get(), at=timezone.now())
    soon(analyse, match_id)
    soon(analyse, match_id)

    until(lambda: worker.said()[before:].count(" succeeded in ") == 2, seconds=60)
    found = Analysis.objects.get()
    assert found.done == found.total > 0
    assert found.result["plies"] == table["ply"]
    told = [line.split()[-1] for line in worker.said()[before:].splitlines() if " succeeded in " in line]
    assert told == ["True", "False"]
