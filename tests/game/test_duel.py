"""Let two bots play duplicate matches: the command and what it counts."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from cvarenta.game.bots import BOTS, get_bot
from cvarenta.game.duel import Tally, play_pair, wilson
from cvarenta.game.record import replay_lines
from cvarenta.game.rulesets import RULESETS

ROOT = Path(__file__).parents[2]


def duel(*arguments, **options):
    out = io.StringIO()
    call_command("duel", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_both_matches_of_a_pair_have_the_same_decks_and_dealer_and_the_sides_changed(ruleset):
    first, second = play_pair(ruleset, [get_bot("greedy"), get_bot("random")], "s", 3, lambda: 0.0)
    decks = min(len(first.record["decks"]), len(second.record["decks"]))
    assert first.record["decks"][:decks] == second.record["decks"][:decks]
    assert first.record["dealer"] == second.record["dealer"]
    assert first.record["bots"][0] == "greedy/1" and second.record["bots"][0] == "random/1"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_winner_and_points_are_those_of_the_replayed_record(ruleset):
    for number in range(4):
        for side, match in enumerate(
            play_pair(ruleset, [get_bot("greedy"), get_bot("plain")], "s", number, lambda: 0.0)
        ):
            lines = list(replay_lines(json.dumps(match.record)))
            assert lines[-1]["event"] == "end" and lines[-1]["winner"] ^ side == match.winner
            if not RULESETS[ruleset].is_mesa:
                score = lines[-1]["score"]
                assert match.points == (score[side], score[1 - side])
            assert match.plies == len(match.record["plays"]) == sum(map(len, match.seconds))


def test_the_clock_is_read_around_each_decision():
    ticks = iter(range(10**6))
    first, _ = play_pair("quito", [get_bot("greedy"), get_bot("greedy")], "s", 0, lambda: float(next(ticks)))
    assert {second for both in first.seconds for second in both} == {1.0}


def test_a_pair_is_won_drawn_or_lost_and_the_shares_follow():
    tally = Tally()

    class Fake:
        points, plies, seconds = (40, 20), 100, ([0.001], [0.002])

        def __init__(self, winner):
            self.winner = winner

    for winners, times in (((0, 0), 6), ((0, 1), 3), ((1, 1), 1)):
        for _ in range(times):
            tally.add([Fake(winner) for winner in winners])
    told = tally.summary()
    assert (told["won"], told["drawn"], told["lost"]) == (6, 3, 1)
    assert told["matches"] == 75.0 and told["decided"] == 85.7
    low, high = told["matches_interval"]
    assert low == pytest.approx(75 - 1.96 * 100 * (0.125 / 10) ** 0.5, abs=0.1) and high == pytest.approx(96.9, abs=0.1)
    assert told["mean_ms"] == [1.0, 2.0] and told["points"] == [40.0, 20.0]


def test_the_interval_of_a_share_is_wilsons():
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
    assert wilson(0, 5)[0] == 0.0 and wilson(5, 5)[1] == 1.0


def test_it_tells_pairs_shares_points_and_times_as_text():
    text = duel("greedy", "random", pairs=4, processes=1)
    assert text.startswith("greedy/1 against random/1, quito, 4 pairs, seed 0\npairs    4 won, 0 drawn, 0 lost\n")
    assert "100.0 % won" in text and "p99" in text


def test_the_same_seed_tells_the_same_on_any_number_of_processes():
    one, two = (json.loads(duel("aficionado", "greedy", pairs=6, processes=n, seed="x", json=True)) for n in (1, 2))
    for timed in ("mean_ms", "p99_ms"):
        one.pop(timed), two.pop(timed)
    assert one == two
    other = json.loads(duel("aficionado", "greedy", pairs=6, processes=1, seed="y", json=True))
    assert other["points"] != one["points"]


def test_records_of_all_matches_are_written_and_replay(tmp_path):
    file = tmp_path / "records.jsonl"
    duel("greedy", "cantuna", pairs=2, processes=2, ruleset="mano-a-mano", records=str(file))
    lines = file.read_text().splitlines()
    assert len(lines) == 4
    for line in lines:
        *_, last = replay_lines(line)
        assert last["event"] == "end"
    assert [json.loads(line) for line in duel("greedy", "cantuna", ruleset="mano-a-mano", record=1).splitlines()] == [
        json.loads(line) for line in lines[2:]
    ]


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_and_character_can_duel(name):
    told = json.loads(duel(name, f"{name}/1", pairs=1, processes=1, json=True))
    assert told["a"] == f"{name}/1" and told["pairs"] == 1


@pytest.mark.parametrize("arguments", [("nobody", "greedy"), ("greedy", "greedy/2"), ("", "greedy")])
def test_an_unknown_bot_is_refused_with_the_list_of_those_there_are(arguments):
    with pytest.raises(CommandError, match="A and B are two of random, plain, greedy"):
        duel(*arguments)


@pytest.mark.parametrize("options", [{"pairs": 0}, {"pairs": -1}, {"processes": 0}, {"record": -1}])
def test_numbers_that_make_no_sense_are_refused(options):
    with pytest.raises(CommandError, match="at least"):
        duel("greedy", "random", **options)


def test_a_file_that_cannot_be_written_is_told_in_one_line(tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        duel("greedy", "random", pairs=1, records=str(tmp_path / "no" / "where"))


def test_the_command_line_shows_no_progress_where_nobody_watches():
    done = subprocess.run(
        [sys.executable, "manage.py", "duel", "greedy", "random", "--pairs", "2", "--json"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == "" and json.loads(done.stdout)["won"] == 2
