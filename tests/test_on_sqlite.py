"""The tournament keeps its promises on SQLite too, where people try the site at home: its tests again, on a file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).parents[1]
CHOSEN = {
    "tests/tournament/test_start_scored_run.py": [],
    "tests/tournament/test_award.py": [],
    "tests/tournament/test_close.py": [],
    "tests/tournament/test_leave_and_data.py": [],
    "tests/tournament/test_audit.py": ["test_whatever_was_played_is_proved", "test_what_was_changed_by_hand_is_named"],
    "tests/tournament/test_season_admin.py": ["test_of_seasons_added_at_once_one_is_there_and_the_others_are_told"],
    "tests/campaign/test_scored_starts_at_once.py": [
        "test_fifty_starts_and_the_abandons_between_them_are_three_scored_runs",
        "test_over_midnight_each_day_has_three",
        "test_an_account_deleted_while_its_scored_runs_begin_leaves_no_error",
    ],
    "tests/campaign/test_points_of_a_run.py": [
        "test_the_last_play_from_three_tabs_is_paid_once",
        "test_if_the_award_fails_there_is_neither_play_nor_points",
        "test_one_second_before_the_close_counts_and_at_the_close_the_run_goes_on_without_points",
        "test_a_run_belongs_to_the_day_it_began_whenever_it_is_won",
        "test_who_deletes_the_account_has_no_place_and_the_others_move_up",
    ],
}
OWN = ("TEST_REDIS_URL", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "DATABASE_URL", "REDIS_URL")  # theirs is another Redis


@pytest.mark.skipif(connection.vendor == "sqlite", reason="all of them run on it now")
def test_the_tournament_is_as_right_on_a_sqlite_file(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    environment["TEST_DATABASE_URL"] = f"sqlite:///{tmp_path / 'site.sqlite3'}"
    tests = [f"{file}::{name}" for file, names in CHOSEN.items() for name in names] + [file for file, names in CHOSEN.items() if not names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 100
