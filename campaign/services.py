"""The only writers of runs and matches: begin them, play in them, give them up, forget the old ones.

Whoever touches several takes the player first, then the run, then the match, so that nobody waits for each other.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction

from cvarenta.game import match as game_match
from cvarenta.game.errors import Unreadable
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.rulesets import get_ruleset
from cvarenta.game.shuffle import bot_stream, check_nonce
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of
from tournament import services as tournament

from .chapters import LAST, RULESET, get_chapter
from .characters import get_rival, line_up_for
from .figures import summary_of
from .history import by_deck
from .models import SEAT, Match, Picture, Run, Summary, new_seed
from .pledges import open_pledge, spend

GUESTS_KEPT = timedelta(days=30)


class BadNonce(Unreadable):
    """What was added to the deck is not 0 to 64 of A-Z a-z 0-9 _ -."""


class OldPly(Exception):
    """The play answers a moment of the match that has passed."""


class MatchIsOver(OldPly):
    """The match has been won or given up; nothing more is played in it."""


class MatchUnderWay(Exception):
    """Nobody has won the match yet: others must not see its cards."""


class MatchOfARun(Exception):
    """The match belongs to a run and stays with it."""


class RunUnderWay(Exception):
    """The player has a run that has not ended."""


class RunHasEnded(Exception):
    """The run is completed, lost or abandoned."""


class WrongChapter(Exception):
    """The run stands at another chapter."""


class OfferHasChanged(Exception):
    """The slot that a page offered is not the one a run would take now: it is taken, or the day or the season is
    over."""


def start_practice(*, owner, ruleset, rival, pledge=None, nonce="", is_led=False, at):
    """A new practice match, dealt and played up to the person's first turn; returns the Match. `pledge` is the token of
    the deck it is dealt from (see `campaign.pledges`), else a fresh one; `is_led` says that it leads its player step by
    step.

    Raises PledgeRefused; BadNonce; the game's Unreadable for an unknown rule set or rival.
    """
    pledge, nonce = _opened(pledge, at), _checked(nonce)
    with transaction.atomic():
        match = _kept(
            _dealt,
            player_id=owner.player_id,
            guest="" if owner.player_id else owner.guest,
            ruleset=ruleset,
            rival=rival,
            pledge=pledge,
            nonce=nonce,
            lesson=Match.Lesson.LED if is_led else "",
            at=at,
        )
        if match.is_over:  # a doble ronda has won it
            _write_figures([match])
    return match


def start_run(
    *,
    player_id: int,
    is_scored: bool = False,
    offered: str | None = None,
    pledge: str | None = None,
    nonce: str = "",
    at: datetime,
) -> Match:
    """A new run with its first match, dealt from the pledged deck or a fresh one; a scored run if one is asked for and
    the tournament has a slot for it. `offered` names the slot that the player was told of: no run begins in another, or
    without. Returns the Match.

    Raises RunUnderWay if the player has one, however many ask at once; OfferHasChanged; PledgeRefused; BadNonce.
    """
    run, pledge = Run(player_id=player_id, started_at=at), _opened(pledge, at)
    nonce = _checked(nonce)
    with transaction.atomic():
        try:
            run.save(force_insert=True)
        except IntegrityError as error:  # whether or not that run has ended by now
            raise RunUnderWay from error
        slot = tournament.open_slot(player_id=player_id, run_id=run.pk, at=at) if is_scored else None
        if offered is not None and (slot is None or slot.name != offered):
            raise OfferHasChanged
        if slot:
            run.is_scored, run.attempts = True, slot.attempts
            run.save(update_fields=["is_scored", "attempts"])
        # Last of all: how long dealing takes tells something of the deck, and nothing is refused any more.
        match = _kept(_dealt_chapter, run, 1, pledge=pledge, nonce=nonce, at=at)
    return match


def go_on(*, run: Run, chapter: int, pledge: str | None = None, nonce: str = "", at: datetime) -> tuple[Match, bool]:
    """The match to be played in a chapter of a run, and whether it was dealt now, from the pledged deck or a fresh one:
    one under way is never dealt again, and needs no pledge.

    Raises RunHasEnded; WrongChapter if the run stands at another chapter; PledgeRefused; BadNonce.
    """
    with transaction.atomic():
        run = _lock(run.pk)
        if chapter != run.chapter:
            raise WrongChapter
        if match := run.matches.under_way().first():
            return match, False
        pledge, nonce = _opened(pledge, at), _checked(nonce)
        match = _kept(_dealt_chapter, run, chapter, pledge=pledge, nonce=nonce, at=at)
    return match, True


def abandon_run(*, run: Run, at: datetime) -> Run:
    """The run ends here, and its match with it; what was won stays won. Raises RunHasEnded."""
    with transaction.atomic():
        run = _lock(run.pk)
        run.matches.under_way().update(abandoned_at=at)
        _end(run, Run.Outcome.ABANDONED, at)
    return run


def leave(*, player_id: int, at: datetime) -> None:
    """The player's account is being deleted: the run under way ends and all matches go."""
    tournament.close_seasons(at=at)  # a final table that is due, before any run is held: as who decides on one goes
    for run in Run.objects.under_way().filter(player_id=player_id):
        with suppress(RunHasEnded):  # its last play was made meanwhile
            abandon_run(run=run, at=at)
    Match.objects.filter(player_id=player_id).delete()


def claim_guest(*, player_id: int, guest: str) -> int:
    """What was played as guest in a browser is the player's from now on; returns how many matches."""
    if not guest:
        return 0
    # What «Invitado» shared is no longer shared: under the player's name, that is for the player to say.
    return Match.objects.filter(guest=guest, player=None).update(player_id=player_id, guest="", shared_at=None)


def play(*, match, text, ply, at):
    """The person makes a play (record notation) that answers ply `ply`, then the bots theirs, up to the person's next
    turn or the end: all of it is kept, or nothing. Returns the game and the (deck, event) pairs.

    Raises OldPly or MatchIsOver, and the game's Unreadable or NotAllowed; whatever is raised, nothing has changed.
    """
    if match.is_over or match.is_abandoned:
        raise MatchIsOver
    if ply != match.ply:
        raise OldPly
    game, move = match.load_game(), parse_play(text)
    deck = game.deck_number
    events, plays = game.play(move), [format_play(move)]
    events += _answer(match, game, plays)
    think = max(0, round((at - match.played_at).total_seconds() * 1000))
    if game.is_over:
        _keep_end(match, game, plays, think, at)
    else:
        _keep(match, game, plays, think, at)
    return game, by_deck(events, deck)


def leave_lesson(*, match: Match) -> None:
    """The match goes on without leading its player; nothing happens where it does not lead."""
    _end_lesson(match.pk, Match.Lesson.LEFT)


def _end_lesson(match_id, how):
    Match.objects.filter(pk=match_id, lesson=Match.Lesson.LED).update(lesson=how)


def share(*, match: Match, is_shared: bool, at: datetime) -> None:
    """Let others look back at a finished match, or no longer; said twice it is as said once. Raises MatchUnderWay, and
    Match.DoesNotExist if it is gone, or another's, meanwhile: who signs up says anew what is shared under the name."""
    if not match.is_over:
        raise MatchUnderWay
    if match.is_shared == is_shared:
        return
    match.shared_at = at if is_shared else None
    mine = Match.objects.filter(pk=match.pk, player_id=match.player_id, guest=match.guest)
    if not mine.update(shared_at=match.shared_at):
        raise Match.DoesNotExist


def delete_match(*, match: Match) -> None:
    """Remove a practice match, under way or finished, with all that was made of it. Raises MatchOfARun."""
    if match.run_id:
        raise MatchOfARun
    with transaction.atomic():  # held first, so that nothing is made of it meanwhile
        for found in Match.objects.select_for_update().filter(pk=match.pk):
            found.delete()


_KEEP_PLAY = """
    UPDATE campaign_match
    SET state = %s, ply = %s, played_at = %s, bots = %s, winner = %s, finished_at = %s,
        plays = plays || %s, think_times = think_times || %s
    WHERE id = %s AND ply = %s AND abandoned_at IS NULL
"""


def _keep(match, game, plays, think, at):
    """Write what was played into the match's row, or raise OldPly.

    One statement, so that all of it is kept or nothing; and the ply in its condition lets one of several simultaneous
    plays through, on every database. Written out because it is what every play of everybody waits for.
    """
    winner, finished_at, state = game.winner, at if game.is_over else None, dump_state(game)
    with connection.cursor() as cursor:
        cursor.execute(
            _KEEP_PLAY,
            [state, game.ply, _datetime(at), _bots_now(match), winner, _datetime(finished_at),
             " " + " ".join(plays), f" {think}", match.pk, match.ply],
        )  # fmt: skip
        if not cursor.rowcount:
            raise OldPly
    match.state, match.ply, match.winner, match.finished_at = state, game.ply, winner, finished_at


def _keep_end(match, game, plays, think, at):
    """The play that ends a match, with the match's figures and what it does to the run: all of it, or nothing."""
    try:
        with transaction.atomic():
            run = _lock(match.run_id) if match.run_id else None
            _keep(match, game, plays, think, at)
            if match.lesson:
                _end_lesson(match.pk, Match.Lesson.DONE)
            _write_figures([Match.objects.get(pk=match.pk)])  # `match` has not all of its plays
            if run:
                _settle(run, match, at)
    except RunHasEnded as error:
        raise MatchIsOver from error


def _lock(run_id):
    """The run, held until the transaction ends; raises RunHasEnded."""
    # The player before the run, as who deletes the account does; rows that point to the player may come meanwhile.
    get_user_model().objects.select_for_update(no_key=True, of=("self",)).filter(runs=run_id).first()
    run = Run.objects.select_for_update().get(pk=run_id)
    if not run.is_under_way:
        raise RunHasEnded
    return run


def _settle(run, match, at):
    """What the end of a chapter's match does to its run."""
    if match.has_won:
        run.chapters_won = match.chapter
        if run.is_scored:
            tournament.award(run_id=run.pk, chapter=match.chapter, at=at)
        if match.chapter == LAST:
            _end(run, Run.Outcome.COMPLETED, at)
        else:
            run.save(update_fields=["chapters_won"])
    elif run.attempts and run.matches.lost().filter(chapter=match.chapter).count() >= run.attempts:
        _end(run, Run.Outcome.LOST, at)


def _end(run, outcome, at):
    run.outcome, run.ended_at = outcome, at
    run.save(update_fields=["chapters_won", "outcome", "ended_at"])
    if run.is_scored:
        tournament.close_run(run_id=run.pk, outcome=outcome.value, at=at)


def sum_up(*, player_id: int | None = None, most: int) -> int:
    """Write the figures of finished matches that have none, at most so many of them, of one player or of all; may be
    done twice at once. Returns how many there were."""
    missing = Match.objects.unsummed().order_by("played_at")
    if player_id is not None:
        missing = missing.filter(player_id=player_id)
    matches = list(missing[:most])
    if matches:
        with suppress(IntegrityError), transaction.atomic():  # one of them went meanwhile: the others come next time
            _write_figures(matches)
    return len(matches)


def _write_figures(matches):
    Summary.objects.bulk_create([summary_of(match) for match in matches], ignore_conflicts=True)


def keep_picture(*, of: dict, says: str, png: bytes) -> None:
    """Keep a picture in the place of the one there is; `of` is `match_id`, or `player_id` and `badge`."""
    with suppress(IntegrityError), transaction.atomic():  # the match or the player went meanwhile
        Picture.objects.bulk_create(
            [Picture(says=says, png=png, **of)],
            update_conflicts=True,
            unique_fields=["match"] if "match_id" in of else ["player", "badge"],
            update_fields=["says", "png"],
        )


def _datetime(at):
    """A moment, or None, as the database's own type."""
    return connection.ops.adapt_datetimefield_value(at)


def forget_guests(*, at):
    """Remove guests' practice matches that were not played for thirty days; returns how many."""
    return Match.objects.forgotten(before=at - GUESTS_KEPT).delete()[1].get(Match._meta.label, 0)


def _opened(token, at):
    return None if token is None else open_pledge(token, at=at)


def _kept(deal, *args, pledge, at, **more):
    """Write that the pledge is spent, then deal a match from it and write that; in a transaction of the caller's."""
    if pledge:
        spend(pledge, at=at)
    match = deal(*args, pledge=pledge, at=at, **more)
    match.save(force_insert=True)
    return match


def _dealt(*, ruleset, rival, pledge, nonce, at, **fields):
    """A new match, dealt and played up to the person's first turn, not saved yet."""
    rules = get_ruleset(ruleset)
    line_up = line_up_for(rules, get_rival(rival))
    match = Match(
        ruleset=rules.name,
        rival=rival,
        bots="0:" + ",".join(bot.label for bot in line_up),
        seed=pledge.seed if pledge else new_seed(),
        nonce=nonce,
        started_at=at,
        played_at=at,
        **fields,
    )
    game = game_match.Match(rules, match.first_dealer)
    plays = []
    _answer(match, game, plays)
    match.state, match.ply, match.plays = dump_state(game), game.ply, " ".join(plays)
    if game.is_over:  # a doble ronda may win a mesa before anybody plays
        match.winner, match.finished_at = game.winner, at
    return match


def _dealt_chapter(run, number, *, pledge, nonce, at):
    """The match of a chapter of a run, dealt and not saved yet."""
    fields = {"player_id": run.player_id, "run": run, "chapter": number, "rival": get_chapter(number).rival}
    return _dealt(**fields, ruleset=RULESET, pledge=pledge, nonce=nonce, at=at)


def _checked(nonce):
    try:
        return check_nonce(nonce)
    except Unreadable as error:
        raise BadNonce(*error.args) from error


def _answer(match, game, plays):
    """Deal and let the bots play until the person is to play or the match is over; returns the events."""
    events, bots, seed = [], match.line_up(), bytes(match.seed)
    while not game.is_over:
        if game.awaits_deck:
            events += game.begin_deck(match.deck(game.deck_number + 1))
        elif game.to_play == SEAT:
            break
        else:
            seat = game.to_play
            move = bots[seat - 1].choose(view_of(game, seat), bot_stream(seed, game.ply))
            events += game.play(move)
            plays.append(format_play(move))
    return events


def _bots_now(match):
    """The match's `bots`, with a further entry if versions have changed since it last was played."""
    labels = ",".join(bot.label for bot in match.line_up())
    return match.bots if match.bots.endswith(":" + labels) else f"{match.bots} {match.ply}:{labels}"
