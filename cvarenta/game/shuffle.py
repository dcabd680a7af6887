"""Chance from a secret seed and a public nonce, so that every deck can be checked afterwards.

A stream with a label is the bytes of HMAC-SHA256(seed, label + "|" + block), block 0, 1, 2 …, read as big-endian 32-bit
words.
"""

import hashlib
import re
import struct
from hmac import digest
from itertools import repeat, starmap

from .cards import DECK, RANKS, SUITS, parse_card
from .errors import Unreadable

SEED_BYTES = 32
_ORDER = tuple(parse_card(rank + suit) for suit in SUITS for rank in RANKS)
_NONCE = re.compile(r"[A-Za-z0-9_-]{0,64}")


class Stream:
    """The random numbers of one label under one seed."""

    def __init__(self, seed, label):
        self._seed, self._label, self._block, self._words = seed, label.encode("ascii"), 0, []

    def below(self, m):
        """A number 0 .. m - 1, each equally likely; 1 <= m <= 2**32."""
        limit = 2**32 - 2**32 % m
        while True:
            if not self._words:
                block = digest(self._seed, b"%b|%d" % (self._label, self._block), "sha256")
                self._words = list(reversed(struct.unpack(">8I", block)))
                self._block += 1
            word = self._words.pop()
            if word < limit:
                return word % m


def check_nonce(nonce):
    """The nonce itself; raises Unreadable unless it is 0 to 64 of A-Z a-z 0-9 _ -."""
    if not isinstance(nonce, str) or not _NONCE.fullmatch(nonce):
        raise Unreadable("a nonce is 0 to 64 letters, digits, _ or -")
    return nonce


def commitment(seed):
    """The SHA-256 of a seed in hex, shown before the first card."""
    return hashlib.sha256(seed).hexdigest()


def shuffled_deck(seed, nonce, n):
    """Deck n (0-based) of a match as a list of forty cards, first dealt first."""
    stream = Stream(seed, f"cvarenta-deck/1|{nonce}|{n}")
    deck = list(_ORDER)
    for i in range(39, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def first_dealer(seed, nonce, seats):
    """The seat that deals the first deck."""
    return Stream(seed, f"cvarenta-dealer/1|{nonce}").below(seats)


def random_deck(random):
    """A deck from a function that gives floats in [0, 1): for bots that imagine, duels, tests and benches."""
    keys = list(starmap(random, repeat((), 40)))
    return sorted(DECK, key=keys.__getitem__)


def bot_stream(seed, ply):
    """The chance of the bot that plays at this ply."""
    return Stream(seed, f"cvarenta-bot/1|{ply}")
