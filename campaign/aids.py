"""What stands beside the cards at the table: the led match's word, and the dangers of each play if hints are on."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from cvarenta.game.match import Match as Game
from cvarenta.game.notation import parse_play
from cvarenta.game.view import view_of

from .hints import danger_words, may_hint
from .lessons import lesson_of
from .models import SEAT, Match
from .owners import COOKIE_SECONDS

COOKIE = "pistas"


def has_hints_on(request: HttpRequest) -> bool:
    """Whether this browser asked for hints at every table that may give them."""
    return request.COOKIES.get(COOKIE) == "1"


def remember_hints(response: HttpResponse, is_on: bool) -> HttpResponse:
    """Keep the switch in the browser."""
    if is_on:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(COOKIE, "1", max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=secure)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


def is_led(match: Match) -> bool:
    return match.lesson == Match.Lesson.LED


def aids_of(request: HttpRequest, match: Match, game: Game, hand: list[dict], *, asked: bool = False) -> dict:
    """The templates' `aids` of the person's turn, or {} when none are on or may be: the `lesson`, and for each option
    of the `hand` (see `table_context`) its danger. `asked` says that somebody asked for hints now."""
    # The scored run last: at a table without hints nothing more is asked of the database.
    if (
        game.is_over
        or match.is_abandoned
        or not (asked or is_led(match) or has_hints_on(request))
        or not may_hint(match)
    ):
        return {}
    view = view_of(game, SEAT)
    dangers = [
        {
            "key": card["key"],
            "play": option["play"],
            "label": option["label"] if len(card["options"]) > 1 else "",
            "says": danger_words(view, parse_play(option["play"])),
        }
        for card in hand
        for option in card["options"]
    ]
    return {"aids": {"lesson": lesson_of(match) if is_led(match) else "", "is_led": is_led(match), "dangers": dangers}}
