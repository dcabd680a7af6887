"""Seasons in Spanish, and what a page needs to count down by the server's clock."""

from datetime import datetime

from cvarenta.wording import moment_in_words, span_in_words

from .models import Season


def countdown(until: datetime, season: Season, at: datetime) -> dict:
    """A moment as pages tell it (templates/tournament/_countdown.html): in words, and the seconds that are left."""
    return {
        "until": until,
        "moment": moment_in_words(until, season.zone, season.zone_name),
        "seconds": max(0, (until - at).total_seconds()),
        "words": span_in_words(until - at),
    }


def season_in_words(season: Season, at: datetime) -> dict:
    """What pages say of a season at a moment."""
    begins = season.opens_at if season.is_to_come(at) else season.closes_at
    return {
        "season": season,
        "is_open": season.is_open(at),
        "is_to_come": season.is_to_come(at),
        "has_closed": season.has_closed(at),
        "closing": countdown(begins, season, at),
    }


def prizes_of(season: Season, chapters: int) -> dict:
    """What a season pays, in a run of so many chapters, and for how many runs a day."""
    return {
        "chapter": season.chapter_points,
        "bonus": season.bonus_points,
        "run": chapters * season.chapter_points + season.bonus_points,
        "runs_a_day": season.runs_a_day,
    }
