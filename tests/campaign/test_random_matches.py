"""Whole practice matches by a scripted person, over real HTTP: random legal plays read off the pages or the JSON.

6 matches a table in the suite (2 at those of two, where random plays take three times as many decks). MATCHES=1000 in the
environment makes a long soak of it; MATCHES_FROM begins at another number.
"""

import json
import os
import random

import pytest

from campaign.characters import RIVALS
from cvarenta.game.rulesets import RULESETS

from .playing import JSON, PAGE, Program, Reader
from .truth import assert_bots_played_it, assert_whole, replayed

FIRST = int(os.environ.get("MATCHES_FROM", 0))

pytestmark = pytest.mark.django_db(transaction=True)


def numbers(ruleset, by_pages):
    """The numbers of the matches to play; every third is played by pages."""
    matches = int(os.environ.get("MATCHES") or (6 if RULESETS[ruleset].seats == 4 else 2))
    return [n for n in range(FIRST, FIRST + matches) if (n % 3 == 0) == by_pages]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_matches_of_random_plays_by_json_end_and_replay_to_the_same_score(visit, ruleset):
    for number in numbers(ruleset, by_pages=False):
        rng, browser = random.Random(f"{ruleset} {number}"), visit()
        program = Program(browser)
        nonce = "" if number % 2 else f"n-{number}"
        match_id = program.start(ruleset=ruleset, rival=list(RIVALS)[number % len(RIVALS)], nonce=nonce)
        table, events = program.play_on(match_id, rng)

        text = program.record(match_id)
        game, replayed_events = replayed(text)
        assert events == replayed_events
        assert (list(game.score), game.winner, list(game.chicas)) == (table["score"], table["winner"], table["chicas"])
        assert json.loads(text)["nonce"] == nonce
        assert_bots_played_it(text)
        if number % 5 == 1:
            assert program.look(match_id)["events"] == events
            assert_whole(match_id)
        browser.close()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_matches_of_random_plays_by_pages_end_and_replay_to_the_same_score(visit, ruleset):
    for number in numbers(ruleset, by_pages=True):
        rng, browser = random.Random(f"{ruleset} {number}"), visit()
        reader = Reader(browser)
        path, page = reader.start(ruleset, list(RIVALS)[number % len(RIVALS)])
        path, page, tables = reader.play_on(path, page, rng)

        assert path.startswith("/partida/")
        assert f"{path}?record" in page.links
        download = browser.get(f"{path}?record", headers=PAGE)
        assert download["Content-Disposition"] == f'attachment; filename="cvarenta-{path.split("/")[2]}.json"'
        game, events = replayed(download.text)
        assert game.is_over
        assert_bots_played_it(download.text)
        plies = [int(table.table["data-ply"]) for table in tables]
        assert plies == sorted(set(plies))
        for table in tables:
            assert_log_tells(table.log, events, int(table.table["data-ply"]))
        assert_whole(path.split("/")[2])
        assert browser.get(path, headers=JSON).json() == download.json()
        browser.close()


def assert_log_tells(lines, events, ply):
    """The log's lines are the newest events before this ply, two decks of them, in order."""
    upto = next((i for i, event in enumerate(events) if event.get("ply") == ply), len(events))
    told = [as_line(event) for event in events[:upto]]
    lines = [(line["data-kind"], line.get("data-card", ""), line.get("data-takes", ""), line.get("data-score")) for line in lines]
    assert lines == told[-len(lines):]
    decks = sum(event["event"] == "deal" and event["deal"] == 0 for event in events[:upto])
    assert sum(event["event"] == "deal" and event["deal"] == 0 for event in events[:upto][-len(lines):]) == min(decks, 2)


def as_line(event):
    score = event.get("score")
    return (event["event"], event.get("card", ""), " ".join(event.get("takes", ())), score and "{} {}".format(*score))
