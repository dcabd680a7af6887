"""`python manage.py replay`, as people run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cvarenta.game.record import replay_lines

from .tables import MANO, QUITO, a_record

ROOT = Path(__file__).parents[2]
GOOD = a_record(QUITO, "5H 5Dx5H")
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_") and k != "DATABASE_URL"}


def run(*files, stdin=b""):
    """Exit status and lines; nothing else may be said."""
    done = subprocess.run(
        [sys.executable, "manage.py", "replay", *map(str, files)],
        cwd=ROOT, env=ENVIRONMENT, input=stdin, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr + done.stdout
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_good_record_prints_its_events_and_exits_0(file):
    status, lines = run(file(GOOD))
    assert status == 0
    assert lines == list(replay_lines(json.dumps(GOOD)))
    assert [line["event"] for line in lines] == ["deal", "play", "play", "open"]


def test_a_dash_reads_standard_input():
    assert run("-", stdin=json.dumps(GOOD).encode()) == (0, list(replay_lines(json.dumps(GOOD))))
    status, lines = run("-", stdin=b"")
    assert status == 1 and [line["event"] for line in lines] == ["error"]


CONTENTS = {
    "empty": b"",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01",
    "no JSON": b"quito\n",
    "NUL bytes": b"\x00" * 1000,
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "deep nesting": b"[" * 1_000_000,
    "50 MB of two-byte letters": "ñ".encode() * 25_000_000,
}


@pytest.mark.parametrize("name", ["empty", "a picture", "50 MB of two-byte letters"])
def test_a_file_that_is_no_record_is_one_error_line_and_exit_1(file, name):
    status, lines = run(file(CONTENTS[name]))
    assert status == 1
    assert [line["event"] for line in lines] == ["error"]
    assert lines[0]["ply"] == 0 and lines[0]["reason"]


def test_of_many_such_files_each_is_one_error_line(file):
    status, lines = run(*(file(content, name) for name, content in CONTENTS.items()))
    assert status == 1
    assert [line["event"] for line in lines] == ["record", "error"] * len(CONTENTS)


def test_an_illegal_play_shows_the_events_up_to_it_and_exits_1(file):
    status, lines = run(file(GOOD | {"plays": ["5H", "5D"]}))
    assert status == 1
    assert [line["event"] for line in lines] == ["deal", "play", "error"]
    assert lines[-1]["ply"] == 1


def test_a_missing_file_is_an_error(tmp_path):
    status, lines = run(tmp_path / "nothing.json")
    assert status == 1 and [line["event"] for line in lines] == ["error"]


def test_a_folder_is_an_error(tmp_path):
    status, lines = run(tmp_path)
    assert status == 1 and [line["event"] for line in lines] == ["error"]


def test_of_several_files_an_error_ends_only_its_own_record(file, tmp_path):
    other = a_record(MANO, "KH 3D")
    paths = [
        file(GOOD, "a.json"),
        file(b"", "b.json"),
        tmp_path / "nothing.json",
        tmp_path,
        file(other, "ñandú.json"),
    ]
    status, lines = run(*paths)
    assert status == 1
    assert [line["file"] for line in lines if line["event"] == "record"] == list(map(str, paths))
    groups = []
    for line in lines:
        groups.append([]) if line["event"] == "record" else groups[-1].append(line)
    assert groups[0] == list(replay_lines(json.dumps(GOOD)))
    assert [[line["event"] for line in group] for group in groups[1:4]] == [["error"]] * 3
    assert groups[4] == list(replay_lines(json.dumps(other)))


def test_several_good_files_exit_0(file):
    path = file(GOOD)
    status, lines = run(path, path)
    assert status == 0
    assert [line["event"] for line in lines] == ["record", "deal", "play", "play", "open"] * 2
