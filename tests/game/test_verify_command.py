"""`manage.py verify`: a line a check, whatever the file holds; the exit status says whether one fails."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from cvarenta.game.verify import CHECKS

from .proven import proven

ROOT = Path(__file__).parents[2]
GOOD = proven()
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_") and k != "DATABASE_URL"}
FILES = {
    "empty": b"",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "a list": b"[]",
    "deep nesting": b"[" * 1_000_000,
    "a huge file": b" " * 20_000_000,
}


def run(*arguments):
    """Exit status and lines."""
    said, status = StringIO(), 0
    try:
        call_command("verify", *map(str, arguments), stdout=said)
    except SystemExit as end:
        status = end.code
    return status, said.getvalue().splitlines()


def test_a_good_record_is_a_line_for_each_check_and_exit_0_from_a_shell():
    done = subprocess.run(
        [sys.executable, "manage.py", "verify", "-"], cwd=ROOT, env=ENVIRONMENT | {"LC_ALL": "C"}, timeout=60,
        input=json.dumps(GOOD).encode(), capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split() for line in done.stdout.decode().splitlines()] == [[name, "ok"] for name in CHECKS]


def test_a_tampered_record_says_which_check_fails_and_exits_1(file):
    status, lines = run(file(GOOD | {"commitment": "0" * 64}))
    assert status == 1
    assert [line.split()[1] for line in lines] == ["ok", "ok", "FAILS:", *["ok"] * 5]
    assert "it is not the seed's SHA-256" in lines[2]


def test_what_is_unchecked_is_told_and_is_no_failure(file):
    status, lines = run("--no-bots", file(GOOD))
    assert status == 0 and lines[-1].split(maxsplit=1) == ["bots", "unchecked: not asked for"]
    status, lines = run(file(GOOD | {"bots": GOOD["bots"].replace("greedy/1", "greedy/0")}))
    assert status == 0 and "unchecked: no longer here: «greedy/0»" in lines[-1]


def test_the_decks_are_shown_when_asked_for(file):
    lines = run("--no-bots", "--decks", file(GOOD))[1]
    assert lines[len(CHECKS) :] == [f"deck {n}: {deck}" for n, deck in enumerate(GOOD["decks"])]
    assert run("--decks", file(GOOD | {"decks": ["\x1b[2J", *GOOD["decks"]]}))[1][len(CHECKS)] == "deck 0: no deck"


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_record_is_said_to_be_none_and_exits_1(file, name):
    status, lines = run("--decks", file(FILES[name]))
    assert status == 1
    assert lines[0].startswith("record ") and "FAILS: " in lines[0]
    assert all("unchecked" in line for line in lines[1:])


def test_each_of_several_files_is_led_by_its_name(file, tmp_path):
    paths = [file(GOOD, "uno.json"), tmp_path / "nothing.json", tmp_path, file(GOOD, "dos\udcff.json")]
    status, lines = run("--no-bots", *paths)
    assert status == 1
    heads = [n for n, line in enumerate(lines) if line.endswith(":")]
    assert [lines[n].rpartition("/")[2] for n in heads[::3]] == ["uno.json:", "dos\\udcff.json:"]
    assert [sum("FAILS" in line for line in lines[a:b]) for a, b in zip(heads, [*heads[1:], None], strict=True)] == [
        0,
        1,
        1,
        0,
    ]
