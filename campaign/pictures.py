"""The two pictures for sharing, a finished match's result and a badge: what each says in words, and how it is drawn."""

from typing import NamedTuple

from django.utils.text import capfirst

from cvarenta.game.rulesets import GOAL
from cvarenta.wording import day_in_words

from .badges import Earned
from .canvas import GOLD, LANTERN, LIME, MOON, NIGHT, WIDTH, Canvas
from .chapters import get_chapter
from .characters import TABLES, seated
from .models import Match

GUEST = "Invitado"  #: who played without account
MIDDLE = WIDTH // 2
BRAND = "CVARENTA · DE · QVITO"


class Result(NamedTuple):
    """A finished match as its picture tells it. `numbers` are the points of both sides, or the chicas of a mesa, or
    None if a doble ronda won it at once."""

    sides: tuple[tuple[str, str], ...]
    emblems: tuple[str, str]
    numbers: tuple[int, int] | None
    has_chicas: bool
    has_won: bool
    place: str
    day: str

    @property
    def title(self) -> str:
        """«dolores 40, el diablo 28»; without numbers the two names alone."""
        numbers = self.numbers or ("", "")
        return ", ".join(f"{side[0]} {number}".strip() for side, number in zip(self.sides, numbers, strict=True))

    @property
    def says(self) -> str:
        """The text alternative: «dolores y la Virgen ganaron 40 a 28 contra el diablo y San Miguel. …»."""
        mine, theirs = (" y ".join(filter(None, side)) for side in self.sides)
        won, lost = (mine, theirs) if self.has_won else (capfirst(theirs), mine)
        verb = "ganaron" if self.sides[0][1] else "ganó"
        how = "con la doble ronda"
        if self.numbers:
            how = f"{max(self.numbers)} a {min(self.numbers)}" + (" en chicas" if self.has_chicas else "")
        return f"{won} {verb} {how} contra {lost}. {self.place}, {self.day}."


def result_of(match: Match) -> Result:
    """The result of a finished match; reads its player."""
    game = match.load_game()
    characters = seated(game.rules, match.rival)
    has_chicas = game.rules.is_mesa and game.chicas[game.winner] == game.rules.chicas
    is_at_once = not has_chicas and game.score[game.winner] < GOAL
    mates = ("la Virgen", "San Miguel") if len(characters) == 4 else ("", "")
    chapter = get_chapter(match.chapter) if match.run_id else None
    return Result(
        sides=(
            (match.player.username if match.player_id else GUEST, mates[0]),
            (characters[1].called, mates[1]),
        ),
        emblems=("virgen" if mates[0] else "tu", characters[1].emblem),
        numbers=None if is_at_once else game.chicas if has_chicas else game.score,
        has_chicas=has_chicas,
        has_won=match.has_won,
        place=f"Capítulo {chapter.numeral}, {chapter.title}" if chapter else f"Mesa: {TABLES[match.ruleset].name}",
        day=day_in_words(match.finished_at),
    )


def draw_result(result: Result) -> bytes:
    """The PNG of a result."""
    canvas = Canvas()
    _head(canvas, "VICTORIA" if result.has_won else "SE · NOS · FVE", LANTERN if result.has_won else MOON)
    columns = ((330, 0), (WIDTH - 330, 1))
    for x, side in columns:
        is_winner = result.has_won == (side == 0)
        if result.numbers:
            number, has_counters = result.numbers[side], not result.has_chicas
            canvas.write(str(number), x, 365, face="display", size=190, weight=700, fill=LANTERN if is_winner else LIME)
            if has_counters:
                canvas.counters(min(number, GOAL), x, 392)
        else:
            canvas.medallion("emblems.svg", result.emblems[side], x, 310, 170)
        who, mate = result.sides[side]
        if not result.numbers and result.emblems[side] == "tu":
            canvas.write(who[0].upper(), x, 330, face="display", size=58, weight=700, fill=NIGHT)
        canvas.write(capfirst(who) if side else who, x, 480, size=44, weight=600, widest=440)
        if mate:
            canvas.write(f"y {mate}", x, 522, face="italic", size=32, fill=MOON)
    if result.numbers:
        canvas.medallion("emblems.svg", result.emblems[1], MIDDLE, 300, 168)
        if result.has_chicas:
            canvas.write("chicas", MIDDLE, 420, face="italic", size=32, fill=MOON)
    else:
        canvas.write("doble ronda", MIDDLE, 322, face="italic", size=44, fill=LANTERN)
    canvas.write(f"{result.place} · {result.day}", MIDDLE, 578, size=27, fill=GOLD, widest=900)
    return canvas.png()


def badge_says(name: str, earned: Earned) -> str:
    """The text alternative of a badge's picture."""
    badge = earned.badge
    return f"Insignia «{badge.name}» de {name}: {badge.drawing}. {badge.earned} {earned.day}."


def draw_badge(name: str, earned: Earned) -> bytes:
    """The PNG of a badge of the player of that name."""
    canvas = Canvas()
    canvas.write(BRAND, MIDDLE, 82, face="display", size=24, weight=600, fill=GOLD, spaced=0.14)
    canvas.medallion("badges.svg", earned.badge.key, MIDDLE, 232, 250)
    canvas.write(earned.badge.name, MIDDLE, 432, face="display", size=62, weight=700, fill=LANTERN, spaced=0.02)
    canvas.rule(MIDDLE, 466, 190)
    canvas.write(name, MIDDLE, 526, size=46, weight=600)
    canvas.write(earned.day, MIDDLE, 578, face="italic", size=28, fill=GOLD)
    return canvas.png()


def _head(canvas, title, fill):
    canvas.write(BRAND, MIDDLE, 82, face="display", size=24, weight=600, fill=GOLD, spaced=0.14)
    canvas.write(title, MIDDLE, 158, face="display", size=62, weight=700, fill=fill, spaced=0.1)
    canvas.rule(MIDDLE, 190, 190)
