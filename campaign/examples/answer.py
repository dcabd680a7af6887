"""The shape of what the game answers to somebody who tries an example, and how a try's choices are read."""

from dataclasses import dataclass, field

from campaign.characters import FIRST_RIVAL, seated
from campaign.wording import event_text


class BadTry(ValueError):
    """What was asked of an example cannot be read; the message says what to do."""


@dataclass
class Answer:
    """What the game says to a try: `is_allowed` is None where it could not be read at all. `points` are what it adds
    to our team, `score` the teams' points after it, `table` the cards that lie there after a play (None if nothing was
    played), `hands` (seat, cards, rank of its ronda) after a deal; `code` is the reason of a refusal."""

    is_allowed: bool | None
    lines: list[str]
    points: int = 0
    score: tuple[int, int] | None = None
    play: str = ""
    code: str = ""
    table: list[int] | None = None
    hands: list[tuple[int, list[int], int]] = field(default_factory=list)
    events: list = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.lines)

    @property
    def badge(self) -> str:
        """What is said first: the points, or that it does not go."""
        return f"+{self.points}" if self.points else {True: "0", False: "No va"}.get(self.is_allowed, "¿?")

    @property
    def status(self) -> int:
        """Of HTTP: a refusal is a good answer, what cannot be read is a bad request."""
        return 400 if self.is_allowed is None else 200


def chosen(fields, name, numbers, otherwise):
    """The number of a field among those that may be chosen, the first if it is not there; raises BadTry."""
    text = fields.get(name, str(numbers[0]))
    for number in numbers:
        if text == str(number):
            return number
    raise BadTry(otherwise)


def told(rules, events):
    """The lines of the log for these events."""
    characters = seated(rules, FIRST_RIVAL)
    return [event_text(event, characters, rules) for event in events]
