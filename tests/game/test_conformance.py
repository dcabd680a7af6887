"""The conformance files: records and the events they must give, an error compared by its ply only."""

import json
from pathlib import Path

import pytest

from cvarenta.game.record import replay_lines

FOLDER = Path(__file__).parents[1] / "data" / "conformance"
ROWS = [json.loads(line) for file in sorted(FOLDER.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]


def shape(event):
    return {"event": "error", "ply": event["ply"]} if event["event"] == "error" else event


def test_the_rows_are_there():
    assert len(ROWS) >= 99
    assert {row["record"]["ruleset"] for row in ROWS} == {
        "quito",
        "mano-a-mano",
        "tradicional-2",
        "tradicional-4",
    }


@pytest.mark.parametrize("row", ROWS, ids=[row["name"][:80] for row in ROWS])
def test_the_record_gives_its_events(row):
    assert list(map(shape, replay_lines(json.dumps(row["record"])))) == list(map(shape, row["events"]))
