"""The tournament keeps its promises on SQLite too, where people try the site at home: its tests again, on a file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).parents[1]
# Where the database matters: moments compared, writers that wait for each other, constraints, SQL of our own.
CHOSEN = {
    "tests/tournament/test_start_scored_run.py": [
        "test_a_day_has_slots_one_two_and_three_and_no_fourth",
        "test_midnight_of_greenwich_is_no_midnight_of_quito",
        "test_a_day_ends_at_midnight_of_quito",
        "test_a_season_elsewhere_has_the_days_of_there",
        "test_the_servers_zone_changes_nothing",
        "test_a_season_opens_at_its_very_moment",
        "test_one_second_before_the_close_a_run_still_scores_and_at_the_close_not",
        "test_a_server_whose_clock_is_behind_finds_the_slots_of_its_own_day",
        "test_the_database_alone_refuses_a_fourth_row_and_a_slot_twice",
        "test_fifty_at_once_by_one_player_are_exactly_three",
        "test_at_midnight_the_two_days_have_three_each",
    ],
    "tests/tournament/test_award.py": [
        "test_whatever_is_told_twice_is_paid_once",
        "test_one_second_before_the_close_counts_and_at_the_close_not",
        "test_the_bonus_too_is_paid_before_the_close_only",
        "test_points_that_arrive_late_do_not_set_the_clock_back",
        "test_who_reached_the_same_first_comes_first",
        "test_the_database_alone_refuses_what_was_paid",
        "test_three_at_once_are_paid_once",
        "test_awards_of_one_player_at_once_are_all_in_the_standing",
    ],
    "tests/tournament/test_close.py": [
        "test_the_final_table_is_the_table_as_it_stood",
        "test_it_is_written_once_however_often_it_is_done",
        "test_nothing_is_awarded_once_it_is_written",
        "test_the_database_keeps_a_place_and_a_standing_once",
        "test_one_deleted_after_the_close_and_before_it_was_written_too",
        "test_among_those_of_one_moment_one_without_a_name_comes_last",
        "test_six_at_once_write_it_once",
    ],
    "tests/tournament/test_leave_and_data.py": [
        "test_who_leaves_has_no_place_any_more_and_the_others_move_up",
        "test_a_player_with_a_standing_is_not_deleted_past_the_service",
        "test_a_standing_is_somebodys_until_they_leave",
    ],
    "tests/tournament/test_audit.py": ["test_whatever_was_played_is_proved", "test_what_was_changed_by_hand_is_named"],
    "tests/tournament/test_decisions.py": [
        "test_annulling_takes_the_points_out_and_restoring_puts_them_back_as_they_were",
        "test_what_an_annulled_run_goes_on_to_win_counts_once_it_is_restored",
        "test_a_final_table_is_written_again_and_back",
        "test_of_twelve_reviewers_at_once_one_decides_and_the_others_are_told",
        "test_decisions_and_awards_at_once_lose_no_point",
        "test_the_database_refuses_to_change_or_remove_a_line",
        "test_the_audit_names_what_was_changed_by_hand",
        "test_several_after_the_close_are_one_table_and_the_refused_keep_no_other_back",
    ],
    "tests/tournament/test_review.py": ["test_of_twelve_requests_at_once_one_is_kept"],
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
    tests = [f"{file}::{name}" for file, names in CHOSEN.items() for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= len(tests)
