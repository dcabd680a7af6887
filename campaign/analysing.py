"""The only writer of analyses: ask for one, work it out, find those that were lost."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from cvarenta.game.bots.analysis import VERSION
from cvarenta.game.bots.analysis import analyse as analyse_game
from cvarenta.game.match import Match as Game

from .models import SEAT, Analysis, Match

logger = logging.getLogger(__name__)

LOST_AFTER = timedelta(minutes=3)  #: without getting on: the whole takes seconds, and few wait before it
GIVEN_UP_AFTER = timedelta(days=1)  #: no sweep tries one for longer; its player may ask again
IN_A_SWEEP = 5  #: which take less than a task may, on a busy machine too
OF_ONE, OF_ALL = 2, 20  #: how many of one player, and of all, may be under way
NEWS = 20  #: how often the progress is written in all, at most


class NotFinished(Exception):
    """Only a match that somebody has won is looked back at."""


class TooMany(Exception):
    """Others of the same player, or of many, are to be worked out first."""


class _NoLongerAwaited(Exception):
    """Another worker was quicker, or the match is gone."""


def is_lost(analysis: Analysis, at: datetime) -> bool:
    """Whether it has not got on for so long that nobody works on it."""
    return not analysis.is_finished and analysis.told_at <= at - LOST_AFTER


def ask_analysis(*, match: Match, at: datetime) -> bool:
    """Ask for the analysis of a finished match; whether it is to be worked out now: it is not if it was, or if it is
    under way. Asked again once it is lost, or when more has been learnt (a new `VERSION`), it begins anew; of many who
    ask at once one is told so. Raises NotFinished, TooMany, and Match.DoesNotExist if the match is gone meanwhile.
    """
    if not match.is_over:
        raise NotFinished
    with transaction.atomic():
        Match.objects.only("pk").select_for_update(no_key=True).get(pk=match.pk)
        found = Analysis.objects.filter(pk=match.pk).first()
        if found and found.version == VERSION and not is_lost(found, at):
            return False
        _check_crowd(match, at)
        Analysis.objects.update_or_create(match_id=match.pk, defaults=_begun(at))
        return True


def _check_crowd(match, at):
    """Raises TooMany if enough others wait. Those who ask at the same moment may be some more."""
    others = Analysis.objects.awaited().filter(told_at__gt=at - LOST_AFTER).exclude(pk=match.pk)
    own = others.filter(match__player_id=match.player_id, match__guest=match.guest)
    if own[:OF_ONE].count() >= OF_ONE or others[:OF_ALL].count() >= OF_ALL:
        raise TooMany


def _begun(at):
    nothing = {"done": 0, "total": 0, "result": None, "finished_at": None}
    return {"version": VERSION, "asked_at": at, "told_at": at} | nothing


def analyse(*, match_id: str, clock: Callable[[], datetime]) -> bool:
    """Work out the analysis of a match if it is awaited; whether it is written now. Its steps are told as it goes."""
    analysis = _awaited(match_id).select_related("match").first()
    if analysis is None:
        return False
    match = analysis.match
    seed, decks = bytes(match.seed), 1 + match.load_game().deck_number

    told = -1

    def tell(done, total):
        nonlocal told
        if (news := done * NEWS // max(1, total)) == told:
            return
        told = news
        if not _awaited(match_id).update(done=done, total=total, told_at=clock()):
            raise _NoLongerAwaited

    try:
        result = analyse_game(
            Game(match.rules, match.first_dealer),
            [match.deck(n) for n in range(decks)],
            match.parsed_plays(),
            seed,
            seat=SEAT,
            tell=tell,
        )
    except _NoLongerAwaited:
        return False
    if result["plies"] < match.ply:
        logger.warning("match %s cannot be analysed beyond ply %d", match_id, result["plies"])
    return bool(_awaited(match_id).update(result=result, finished_at=clock()))


def analyse_waiting(*, clock: Callable[[], datetime]) -> int:
    """Work out what was asked for and lost on the way, the oldest first; returns how many were written."""
    at, written = clock(), 0
    lost = Analysis.objects.stuck(at - LOST_AFTER).filter(version=VERSION, asked_at__gt=at - GIVEN_UP_AFTER)
    for match_id in lost.order_by("asked_at").values_list("pk", flat=True)[:IN_A_SWEEP]:
        try:
            written += analyse(match_id=match_id, clock=clock)
        except Exception:  # one that cannot be worked out must not keep back the others
            logger.exception("The analysis of match %s failed", match_id)
    return written


def _awaited(match_id):
    return Analysis.objects.awaited().filter(pk=match_id, version=VERSION)
