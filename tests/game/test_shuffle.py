"""The shuffle that can be checked."""

import hmac
import struct

import pytest

from cvarenta.game import shuffle
from cvarenta.game.cards import format_cards
from cvarenta.game.errors import Unreadable
from cvarenta.game.shuffle import (
    Stream,
    bot_stream,
    check_nonce,
    commitment,
    first_dealer,
    random_deck,
    shuffled_deck,
)

SEED = bytes(range(32))
DECK_0 = "KS3HACAH2DKD4DQDJD6DJHQC7HKC7CKH3C5D6H4CQS4H2C5HAS4SQH2S5C3D7S6S7D6CAD2HJC5SJS3S"
DECK_1 = "7D4C3D4D3HAHJS4S7HQS6HJHJC2S6CKD6SAD5C3C2DQDJDKH5SQH5DAC4HQC6DKCAS5HKS7C7S2C3S2H"
QUITO_1534 = "7C6CACJH6DKSKH4DQH4SQDQC3CAHQS3DJS4H6H3S2DJCKDKC7H5CAS7S2SJD5S2C4C5D6SAD5H2H7D3H"


def words(label, n):
    """The first words of a stream, read from the page that describes it."""
    blocks = (hmac.new(SEED, f"{label}|{block}".encode(), "sha256").digest() for block in range(n // 8 + 1))
    return struct.unpack(f">{(n // 8 + 1) * 8}I", b"".join(blocks))[:n]


def test_the_worked_commitment():
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("nonce", "n", "deck"),
    [("", 0, DECK_0), ("", 1, DECK_1), ("quito-1534", 0, QUITO_1534)],
    ids=["0", "1", "nonce"],
)
def test_the_worked_decks(nonce, n, deck):
    assert format_cards(shuffled_deck(SEED, nonce, n)) == deck


@pytest.mark.parametrize(
    ("nonce", "seats", "dealer"), [("", 4, 2), ("", 2, 0), ("quito-1534", 4, 3), ("quito-1534", 2, 1)]
)
def test_the_worked_dealers(nonce, seats, dealer):
    assert first_dealer(SEED, nonce, seats) == dealer


@pytest.mark.parametrize("nonce", ["", "a", "Z", "0", "_", "-", "quito-1534", "x" * 64, "-_-"])
def test_a_nonce_may_be_up_to_64_letters_digits_lines_and_dashes(nonce):
    assert check_nonce(nonce) == nonce


@pytest.mark.parametrize(
    "nonce",
    ["x" * 65, " ", "a b", "a\n", "\n", "a|b", "ñ", "a.b", "a/b", "٣", "Α", "\x00", None, 5, b"a", ["a"]],
)
def test_every_other_nonce_is_unreadable(nonce):
    with pytest.raises(Unreadable):
        check_nonce(nonce)


def test_the_numbers_are_the_words_of_the_stream_in_order():
    stream = Stream(SEED, "cvarenta-bot/1|7")
    assert [stream.below(2**32) for _ in range(40)] == list(words("cvarenta-bot/1|7", 40))


def test_a_word_in_the_last_uneven_part_is_passed_over():
    m = 2**31 + 1  # almost every second word is too high
    stream = Stream(SEED, "test")
    low = [word for word in words("test", 400) if word < m]
    assert [stream.below(m) for _ in range(100)] == low[:100]
    assert low[:100] != [word % m for word in words("test", 100)]


@pytest.mark.parametrize(("first", "number"), [(2**32 - 17, 39), (2**32 - 16, 5), (2**32 - 1, 5)])
def test_the_first_word_refused_below_forty_is_the_one_at_the_limit(monkeypatch, first, number):
    assert 2**32 % 40 == 16
    monkeypatch.setattr(shuffle, "digest", lambda key, message, name: struct.pack(">8I", first, 45, *[0] * 6))
    assert Stream(SEED, "test").below(40) == number


def test_a_block_of_refused_words_leads_to_the_next_block(monkeypatch):
    blocks = {b"test|0": [2**32 - 1] * 8, b"test|1": [2**32 - 1] * 7 + [83], b"test|2": [7] * 8}
    monkeypatch.setattr(shuffle, "digest", lambda key, message, name: struct.pack(">8I", *blocks[message]))
    stream = Stream(SEED, "test")
    assert [stream.below(40), stream.below(40)] == [3, 7]


def test_a_number_below_one_is_nought():
    assert Stream(SEED, "test").below(1) == 0


def test_a_bots_chance_is_the_stream_of_its_ply():
    assert bot_stream(SEED, 12).below(2**32) == words("cvarenta-bot/1|12", 1)[0]
    assert [bot_stream(SEED, ply).below(2**32) for ply in (3, 3)] == [words("cvarenta-bot/1|3", 1)[0]] * 2


def test_other_seeds_nonces_and_numbers_give_other_decks():
    decks = [shuffled_deck(SEED, nonce, n) for nonce in ("", "a", "1") for n in (0, 1, 11)]
    decks.append(shuffled_deck(bytes(32), "", 0))
    assert len(set(map(tuple, decks))) == len(decks)


def test_a_deck_of_a_random_function_is_forty_cards_and_follows_it():
    numbers = [i * 7 % 40 / 40 for i in range(40)]
    deck = random_deck(iter(numbers).__next__)
    assert sorted(deck) == list(range(40))
    assert [numbers[card] for card in deck] == sorted(numbers)
