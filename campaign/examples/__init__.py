"""The guide's playable examples: records of the game, with what each asks and lets choose, kept in examples.json."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cvarenta.game.events import Carton
from cvarenta.game.match import Match
from cvarenta.game.record import Record, record_from, replay


@dataclass(frozen=True)
class Example:
    """One example. `under` names the heading it stands under; `kind` is what is done in it: `play` a card from the
    position its record leads to, `deal` its deck, or `count` the piles of a deck. `asks` is the question, `finds` what
    there is to see in it once a play of `about` is made, or any if that is empty; `scores` are the points one may begin
    with, the first unless another is chosen."""

    slug: str
    under: str
    kind: str
    title: str
    asks: str
    finds: str
    scores: tuple[int, ...]
    record: Record
    about: tuple[str, ...] = ()

    def moment(self, score: int) -> tuple[Match, list]:
        """The match in the example's position, our team having begun with these points, and the events to there."""
        record = self.record._replace(score=(score, self.record.score[1]))
        match = record.new_match()
        return match, list(replay(record, match))

    def at(self, score: int) -> Match:
        """The match in the example's position, seat 0 to play."""
        return self.moment(score)[0]

    @cached_property
    def count(self) -> Carton:
        """The count that ends the record's deck."""
        return next(event for event in self.moment(self.record.score[0])[1] if isinstance(event, Carton))


def _example(data):
    lists = {name: tuple(data.get(name, ())) for name in ("scores", "about")}
    return Example(**data | lists | {"record": record_from(data["record"])})


EXAMPLES: dict[str, Example] = {
    example.slug: example
    for example in map(_example, json.loads(Path(__file__).with_name("examples.json").read_text("utf-8")))
}
