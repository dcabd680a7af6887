"""kill -9 to the whole server while it answers plays: after a restart the match goes on from the same cards, nothing doubled.

RESTARTS=50 in the environment makes a soak of it.
"""

import http.client
import os
import random
import time
from threading import Thread

import pytest

from tests.worker import until

from .playing import Program, Visitor
from .serving import Server, production, url_of_the_database
from .truth import assert_whole, row_of

RESTARTS = int(os.environ.get("RESTARTS", 3))
LOST = (OSError, http.client.HTTPException)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server():
    server = Server(production(url_of_the_database()), "--workers", "2")
    yield server
    if server.process:
        server.stop()


@pytest.fixture
def slow_server():
    server = Server(production(url_of_the_database()), "--workers", "2", application="tests.campaign.slow_bots")
    yield server
    if server.process:
        server.stop()


def keep_playing(program, table, rng, sent):
    """Plays until the server is gone; notes each play before it is sent and each answer after it came."""
    try:
        while True:
            if table["over"]:
                table = program.look(program.start(ruleset="quito", rival="greedy"))
            play = rng.choice(table["legal"])
            sent.append((table["id"], table["ply"], play, None))
            table = program.play(table["id"], play, table["ply"]).json()
            sent[-1] = (*sent[-1][:3], table["ply"])
    except LOST:
        pass


def test_a_server_killed_at_any_moment_goes_on_from_the_same_cards(server):
    rng, started = random.Random(9), []
    server.start()
    program = Program(Visitor(server.url))
    table = program.look(program.start(ruleset="quito", rival="greedy"))
    for _ in range(RESTARTS):
        sent = []
        player = Thread(target=keep_playing, args=(program, table, rng, sent))
        player.start()
        until(lambda: len(sent) > 1)  # its first play is answered
        time.sleep(0.3 + rng.random() * 0.4)
        server.kill()
        player.join(60)
        assert not player.is_alive() and len(sent) > 1
        program.browser.close()

        server.start()
        for match_id in {match_id for match_id, *_ in sent}:
            match = assert_whole(match_id)
            mine = [(ply, play, answered) for sent_id, ply, play, answered in sent if sent_id == match_id]
            kept = match.plays.split()
            for ply, play, answered in mine:
                if answered is not None:  # what was answered is there, once
                    assert kept[ply] == play and match.ply >= answered
            if mine[-1][2] is None:  # what was not is there wholly, bots' answers and all, or not at all
                assert match.ply == mine[-1][0] or kept[mine[-1][0]] == mine[-1][1]
            started.append(match_id)
        table = program.look(sent[-1][0])
        assert table["over"] or table["to_play"] == 0
    if not table["over"]:
        table, _ = program.play_on(table["id"], rng)
    assert_whole(table["id"])
    program.browser.close()


def test_a_server_killed_in_the_bots_turn_has_not_played_and_plays_the_same_again(server, slow_server):
    server.start()
    program = Program(Visitor(server.url))
    table = program.look(program.start(ruleset="quito", rival="greedy"))
    before = row_of(table["id"])
    server.kill()

    slow_server.start()
    slow = Program(Visitor(slow_server.url))
    slow.browser.cookies = program.browser.cookies
    lost = []

    def play():
        try:
            lost.append(slow.play(table["id"], table["legal"][0], table["ply"]))
        except LOST as error:
            lost.append(error)

    player = Thread(target=play)
    player.start()
    time.sleep(0.8)  # the person's card is played, the second bot thinks
    slow_server.kill()
    player.join(60)
    assert isinstance(lost[0], LOST)
    assert row_of(table["id"]) == before

    server.start()
    program.browser.close()
    assert program.look(table["id"]) == table
    after = program.play(table["id"], table["legal"][0], table["ply"])
    assert after.status_code == 200
    assert [event["ply"] for event in after.json()["events"] if event["event"] == "play"] == [table["ply"] + n for n in range(4)]
    assert program.play(table["id"], table["legal"][0], table["ply"]).status_code == 409
    assert_whole(table["id"])
    program.browser.close()
