"""The bots: they play by the rules, by what their seat sees, and the same again."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from cvarenta.game.bots import BOTS, get_bot
from cvarenta.game.errors import Unreadable
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import bot_stream
from cvarenta.game.view import view_of

from .tables import MANO, QUITO, RULE_SETS, TWO, hidden_permuted, random_games, sit

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32))
SEARCHING = ("maestro", "virgen", "diablo", "manuela", "miguel-5")
every_bot = pytest.mark.parametrize("name", BOTS)
rule_sets = pytest.mark.parametrize("ruleset", RULE_SETS)


def positions(ruleset, games=6):
    """Some hundred positions with a play to choose, early and late in decks and matches."""
    for seed in range(games):
        for match, _ in random_games(ruleset, seed, decks=2, score=(10 * (seed % 2), 38 * (seed % 3 == 2))):
            if match.legal():
                yield match


def chosen(name, match, seed=SEED):
    return get_bot(name).choose(view_of(match, match.to_play), bot_stream(seed, match.ply))


@every_bot
@rule_sets
def test_it_plays_a_legal_play_and_the_same_again_whatever_is_hidden(name, ruleset):
    rng, seen, changed = random.Random(1), 0, 0
    every = 1 if name == "maestro" or name not in SEARCHING else 4
    for number, match in enumerate(positions(ruleset)):
        if number % every:
            continue
        play = chosen(name, match)
        assert play in match.legal()
        assert chosen(name, match) == play
        other = hidden_permuted(match, match.to_play, rng)
        changed += other.hands != match.hands
        assert chosen(name, other) == play, f"{name} saw a hidden card"
        seen += 1
    assert seen >= 200 // every and changed > seen / 2


@pytest.mark.parametrize("name", ["maestro", "aficionado", "diablo", "cantuna"])
def test_it_plays_the_same_in_another_process(name):
    """Nothing of hashing, of what was played before or of the process's own chance goes into a choice."""
    script = (
        "from tests.game.test_bots import positions, chosen\n"
        "from itertools import islice\n"
        f"print([chosen({name!r}, match) for match in islice(positions('quito'), 0, None, 9)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT, env={"PYTHONHASHSEED": hashing, "PATH": ""}, capture_output=True, text=True, check=True,
        ).stdout
        for hashing in ("0", "1534")
    }  # fmt: skip
    here = [chosen(name, match) for number, match in enumerate(positions("quito")) if number % 9 == 0]
    assert told == {f"{here}\n"}


@every_bot
@rule_sets
def test_whole_matches_come_to_an_end(name, ruleset):
    def choose(match, rng):
        return get_bot(name).choose(view_of(match, match.to_play), bot_stream(rng.randbytes(32), match.ply))

    ended, games = 0, 1 if name in SEARCHING else 3
    for seed in range(games):
        *_, (match, _) = random_games(ruleset, seed, decks=60, choose=choose)
        ended += match.is_over
    assert ended == games


@every_bot
def test_it_changes_nothing_of_the_view_and_asks_for_no_more(name):
    match = sit(QUITO, "5H 3D", holding="5S 2C KD QH JC")
    view = view_of(match, match.to_play)
    before = repr(view)
    get_bot(name).choose(view, bot_stream(SEED, match.ply))
    assert repr(view) == before


def test_random_plays_every_legal_play_sooner_or_later():
    match = sit(MANO, "5H 3D 2C", holding="5S")
    plays = {chosen("random", match, n.to_bytes(32, "big")) for n in range(300)}
    assert plays == set(match.legal())


@rule_sets
def test_greedy_leaves_no_points_on_the_table(ruleset):
    for match in positions(ruleset, games=3):
        view = view_of(match, match.to_play)
        play = chosen("greedy", match)
        gains = {}
        for legal in view.legal:
            after = hidden_permuted(match, match.to_play, random.Random(0))
            gains[legal] = after.play(legal)[0].points
        assert gains[play] == max(gains.values()), format_play(play)


def greedy_plays(match):
    """All that greedy may choose here, by chance."""
    return {format_play(chosen("greedy", match, n.to_bytes(32, "big"))) for n in range(40)}


def test_greedy_takes_the_caida_over_a_limpia_without_points_at_38():
    match = sit(QUITO, "3H 2D", holding="2S 5S KD KC QH", score=(38, 0))
    assert greedy_plays(match) == {"2Sx2D3H"}  # a caida; the sum of the five cleans the table as well


def test_greedy_takes_the_caida_over_a_limpia_of_more_cards_at_38():
    match = sit(QUITO, "7H 4H 3D", holding="3S 7S KD KC QH", score=(0, 38))
    # 3S falls for two points and leaves the seven; 7S takes the pair or the seven for nothing
    assert greedy_plays(match) == {"3Sx3D4H"}


def test_greedy_at_36_takes_caida_and_limpia():
    match = sit(QUITO, "5H", holding="5S AD 2C KH QH", score=(0, 36))
    assert greedy_plays(match) == {"5Sx5H"}


def test_greedy_takes_the_points_before_more_cards():
    match = sit(TWO, "AC JH 6D 3C 2S KS", holding="5S KD")
    # 5S takes 2 + 3 and goes on to the six, four cards with its own; KD falls for two points with two
    assert greedy_plays(match) == {"KDxKS"}


def test_greedy_takes_the_most_cards_where_no_points_are():
    match = sit(QUITO, "KH 6D 3C 2S", holding="5S KD 7D JH")
    assert greedy_plays(match) == {"5Sx2S3C6D"}


def test_greedy_lays_the_card_whose_rank_was_seen_most():
    match = sit(QUITO, "KH KDxKH QS", holding="KS JD 7C 2H 2D")
    assert greedy_plays(match) == {"KS"}  # three kings seen with its own; two twos; one jack, one seven
    match = sit(QUITO, "QS", holding="KS JD 7C 2H 2D")
    assert greedy_plays(match) == {"2H", "2D"}


@pytest.mark.parametrize("label", [*BOTS, *(f"{name}/1" for name in BOTS)])
def test_a_bot_is_found_by_name_or_by_name_and_version(label):
    assert get_bot(label).label == f"{label.partition('/')[0]}/1"


@pytest.mark.parametrize(
    "label",
    [
        "",
        "/",
        "/1",
        "Greedy",
        "greedy/",
        "greedy/0",
        "greedy/2",
        "greedy/01",
        "greedy/1/1",
        "greedy 1",
        "stockfish",
        None,
        1,
        b"greedy",
    ],
)
def test_an_unknown_name_or_version_is_refused(label):
    with pytest.raises(Unreadable):
        get_bot(label)


def test_every_bot_has_the_name_it_is_kept_under():
    assert all(name == bot.name and bot.version >= 1 for name, bot in BOTS.items())
