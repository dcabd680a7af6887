"""Whether a match was played as its record says: the shuffle from seed and nonce, each play by the rules, each bot's
play its own choice. What the site, `manage.py verify` and a reviewer check is checked here, and nowhere else.

A record alone cannot say that a match was played where it claims to have been (anybody may make a seed and play), nor
that its person played what it says: another legal play of theirs that happens to lead on to the same bots' choices and
to an end is another good record. So the commitment is to be compared with the one shown before the first card, and the
site keeps its own plays. Think times and moments are told, not proved.
"""

import re
from typing import NamedTuple

from .cards import format_cards, parse_deck, quote
from .errors import GameError, NotAllowed, Unreadable
from .notation import format_play, parse_play
from .record import record_from, replay
from .shuffle import SEED_BYTES, bot_stream, check_nonce, commitment, first_dealer, shuffled_deck
from .view import view_of

OK, FAILS, UNCHECKED = "ok", "fails", "unchecked"
CHECKS = ("record", "seed", "commitment", "nonce", "dealer", "decks", "plays", "bots")  #: in this order
SEAT = 0  #: the person's
_SEED = re.compile(rf"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")
_LABEL = re.compile(r"[^/]+/[0-9]+")


class Check(NamedTuple):
    """One thing that was looked at: its name (of `CHECKS`), its state (OK, FAILS, UNCHECKED), what is wrong or was not
    looked at, the ply or deck where, counted from 0, and of the bots what that is about: who plays otherwise, the play
    they choose and the one that is there; or, unchecked, who is no longer here."""

    name: str
    state: str
    detail: str = ""
    where: int | None = None
    about: tuple[str, ...] = ()


class Verified(NamedTuple):
    """The checks of a record, with the score and winner its plays lead to (None where they do not)."""

    checks: list[Check]
    score: tuple[int, int] | None = None
    winner: int | None = None

    @property
    def fails(self):
        """The checks that fail."""
        return [check for check in self.checks if check.state == FAILS]

    @property
    def gone(self):
        """The bots that are no longer here to be asked."""
        return frozenset(label for check in self.checks if check.state == UNCHECKED for label in check.about)

    @property
    def is_proved(self):
        """Whether nothing fails and nothing was left unchecked."""
        return all(check.state == OK for check in self.checks)


def verify(data, *, with_bots=True):
    """Check the JSON object of a finished match's record. Raises nothing: what cannot be read is a check that fails,
    and what hangs on it is unchecked. Without bots their choices, the slow part, are not worked out."""
    try:
        record = record_from(data)
    except Unreadable as error:
        return Verified([Check("record", FAILS, str(error)), *_unchecked(CHECKS[1:], "the record cannot be read")])
    begins = record.score == (0, 0)
    checks = [Check("record", OK) if begins else Check("record", FAILS, "a match begins at 0 to 0")]
    seed, nonce = _seed(data, checks), _nonce(data, checks)
    if seed is not None and nonce is not None:
        checks += [_dealer(record, seed, nonce), _decks(record, seed, nonce)]
    else:
        checks += _unchecked(("dealer", "decks"), "the seed or the nonce cannot be read")
    match = record.new_match()
    checks.append(_plays(record, match))
    checks.append(_bots(data.get("bots"), record, seed) if with_bots else Check("bots", UNCHECKED, "not asked for"))
    checks.sort(key=lambda check: CHECKS.index(check.name))
    return Verified(checks, match.score if match.is_over else None, match.winner)


def _unchecked(names, why):
    return [Check(name, UNCHECKED, why) for name in names]


def _seed(data, checks):
    """The seed, or None; with what it says of itself and of its commitment."""
    text = data.get("seed")
    if not isinstance(text, str) or not _SEED.fullmatch(text):
        checks.append(Check("seed", FAILS, f"the seed is not {SEED_BYTES} bytes in hex"))
        checks += _unchecked(("commitment",), "the seed cannot be read")
        return None
    seed = bytes.fromhex(text)
    checks.append(Check("seed", OK))
    is_kept = data.get("commitment") == commitment(seed)
    checks.append(Check("commitment", OK) if is_kept else Check("commitment", FAILS, "it is not the seed's SHA-256"))
    return seed


def _nonce(data, checks):
    try:
        nonce = check_nonce(data.get("nonce"))
    except Unreadable as error:
        checks.append(Check("nonce", FAILS, str(error)))
        return None
    checks.append(Check("nonce", OK))
    return nonce


def _dealer(record, seed, nonce):
    right = first_dealer(seed, nonce, record.rules.seats)
    if record.dealer != right:
        return Check("dealer", FAILS, f"the first dealer is seat {right}, not {record.dealer}")
    return Check("dealer", OK)


def _decks(record, seed, nonce):
    for n, text in enumerate(record.decks):
        try:
            deck = parse_deck(text)
        except Unreadable as error:
            return Check("decks", FAILS, f"deck {n}: {error}", n)
        right = shuffled_deck(seed, nonce, n)
        if deck != right:
            first = next(i for i in range(40) if deck[i] != right[i])
            cards = format_cards([right[first]]), format_cards([deck[first]])
            return Check("decks", FAILS, f"deck {n}: card {first + 1} is {cards[0]}, not {cards[1]}", n)
    return Check("decks", OK)


def _plays(record, match):
    """Whether the plays follow the rules to the end; the match is left where they lead."""
    try:
        for _ in replay(record, match):
            pass
        if not match.is_over:
            return Check("plays", FAILS, f"nobody has won after {match.ply} plays", match.ply)
        if len(record.decks) != match.deck_number + 1:
            return Check(
                "plays", FAILS, f"{len(record.decks)} decks, and {match.deck_number + 1} were dealt", match.ply
            )
    except GameError as error:
        return Check("plays", FAILS, f"play {match.ply}: {error}", match.ply)
    return Check("plays", OK)


def _bots(text, record, seed):
    """Whether each bot's play is what that bot and version choose from its seat's view."""
    from .bots import get_bot  # which loads NumPy: shuffle and plays are checked without

    try:
        entries = bots_by_ply(text, record.rules.seats)
    except Unreadable as error:
        return Check("bots", FAILS, str(error))
    if seed is None:
        return Check("bots", UNCHECKED, "their chance comes from the seed, which cannot be read")
    gone = set()
    try:
        for game, play in positions(record):
            if game.to_play == SEAT:
                continue
            label = sitting(entries, game.ply)[game.to_play - 1]
            try:
                bot = get_bot(label)
            except Unreadable:
                gone.add(label)
                continue
            chosen = bot.choose(view_of(game, game.to_play), bot_stream(seed, game.ply))
            if chosen != play:
                about = label, format_play(chosen), format_play(play)
                return Check("bots", FAILS, "play {}: {} chooses {}, not {}".format(game.ply, *about), game.ply, about)
    except GameError:
        return Check("bots", UNCHECKED, "the plays break the rules")
    if gone:
        named = ", ".join(quote(label) for label in sorted(gone)[:5])
        return Check("bots", UNCHECKED, f"no longer here: {named}", about=tuple(sorted(gone)))
    return Check("bots", OK)


def positions(record):
    """Each position of a record that is played from, with the play made in it: yields (match, play), the same match
    each time. Raises GameError where the record breaks a rule."""
    match, decks = record.new_match(), iter(record.decks)
    for text in record.plays:
        while match.awaits_deck and not match.is_over:
            deck = next(decks, None)
            if deck is None:
                raise NotAllowed("a deck is missing")
            match.begin_deck(parse_deck(deck))
        if match.is_over:
            raise NotAllowed("the match is over")
        play = parse_play(text)
        yield match, play
        match.play(play)


def bots_by_ply(text, seats):
    """Which bots sat at seats 1, 2, ... from which ply on, from `0:greedy/1,greedy/1,greedy/1 40:...`: a list of (ply,
    labels). Raises Unreadable."""
    try:
        entries = [entry.partition(":") for entry in text.split()]
        read = [(int(ply), labels.split(",")) for ply, _, labels in entries]
    except (AttributeError, ValueError):
        raise Unreadable("the bots are not named as a ply and a label for each seat") from None
    plies = [ply for ply, _ in read]
    is_each_seated = all(len(labels) == seats - 1 and all(map(_LABEL.fullmatch, labels)) for _, labels in read)
    if not read or plies[0] != 0 or plies != sorted(plies) or not is_each_seated:
        raise Unreadable("the bots are not named as a ply and a label for each seat")
    return read


def sitting(entries, ply):
    """The labels of the bots that sat at seats 1, 2, ... at a ply."""
    return [labels for since, labels in entries if since <= ply][-1]
