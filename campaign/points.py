"""What the tournament paid a run, and why not more, as its pages tell it."""

from datetime import datetime

from cvarenta.wording import counted, day_in_words, listed, moment_in_words
from tournament import services as tournament
from tournament.models import Award, Season
from tournament.wording import countdown

from .chapters import LAST, get_chapter
from .models import Run


def points_in_words(run: Run, at: datetime) -> dict | None:
    """The awards, what of them counts and what to say about what is missing; None for a free run."""
    books = tournament.books_of(run.pk) if run.is_scored else None
    if books is None:
        return None
    season, awards = books.season, list(books.awards.all())
    paid = {award.chapter for award in awards}
    earned = sum(award.points for award in awards)
    unpaid = [number for number in range(1, run.chapters_won + 1) if number not in paid]
    return {
        "books": books,
        "season": season,
        "slot": f"Cupo {books.slot} de {books.runs_a_day}",
        "day": day_in_words(books.started_at, season.zone),
        "is_of_another_day": books.day != season.day(at),
        "awards": [_award_in_words(award, season) for award in awards],
        "is_annulled": not books.is_valid,
        "earned": earned,
        "total": earned if books.is_valid else 0,
        "says": _sum_in_words(earned, books.is_valid),
        "chapter_points": books.chapter_points,
        "bonus_points": books.bonus_points,
        "paid": paid,
        "is_open": season.is_open(at),
        "closing": countdown(season.closes_at, season, at),
        "why": _why(run, books, unpaid, at),
    }


def _sum_in_words(earned, is_valid):
    if is_valid:
        return f"{counted(earned, 'punto', 'puntos')}."
    return f"0 puntos: {counted(earned, 'ganado, anulado', 'ganados, anulados')}." if earned else "0 puntos."


def _award_in_words(award: Award, season: Season):
    what = "Los cinco capítulos"
    if award.chapter:
        chapter = get_chapter(award.chapter)
        what = f"{chapter.numeral} · {chapter.title}"
    moment = moment_in_words(award.at, season.zone, season.zone_name)
    return {"what": what, "points": award.points, "moment": moment}


def _why(run, books, unpaid, at):
    """Why there is not more, in sentences; or what there is to win still."""
    season = books.season
    close = moment_in_words(season.closes_at, season.zone, season.zone_name)
    said = []
    if unpaid:
        which = listed([get_chapter(number).numeral for number in unpaid])
        if len(unpaid) == 1:
            won, counts = f"El capítulo {which} lo ganaste", "cuenta en tu historia, pero ya no suma"
        else:
            won, counts = f"Los capítulos {which} los ganaste", "cuentan en tu historia, pero ya no suman"
        said.append(f"{won} después del cierre ({close}): {counts}.")
        if run.outcome == Run.Outcome.COMPLETED:
            said.append(f"Por eso faltan también los {books.bonus_points} por los cinco.")
    if run.is_under_way and season.has_closed(at):
        said.append(f"El torneo cerró: {close}. Esta vuelta sigue, ya sin puntos.")
    elif run.is_under_way and not books.is_valid:
        said.append("Está anulada: lo que ganes se guarda, y cuenta solo si la revisión la restituye.")
    elif run.is_under_way:
        each = f"Cada capítulo que ganes suma {books.chapter_points}"
        said.append(
            f"{each}; ganar los cinco, {books.bonus_points} más. Cuenta lo que ganes antes del cierre: {close}."
        )
    elif run.outcome == Run.Outcome.LOST:
        which = get_chapter(run.chapter).numeral
        no_more = "en una vuelta puntuable no hay revancha" if run.attempts == 1 else f"eran {run.attempts} intentos"
        said.append(f"Terminó al perder el capítulo {which}: {no_more}.")
    elif run.outcome == Run.Outcome.ABANDONED:
        left = counted(LAST - run.chapters_won, "capítulo", "capítulos")
        said.append(f"La dejaste con {left} por ganar, y su cupo quedó usado.")
    elif not unpaid:
        said.append("Ganaste todo lo que una vuelta puede dar.")
    return said


def just_won(points: dict, number: int) -> str:
    """What winning a chapter paid, said once it is won."""
    if number not in points["paid"]:
        return "Este capítulo lo ganaste después del cierre del torneo: ya no suma puntos."
    if points["is_annulled"]:
        return "Este capítulo lo tienes ganado y se guarda, pero la vuelta está anulada: cuenta solo si se restituye."
    bonus = f" y {points['bonus_points']} más por los cinco" if None in points["paid"] and number == LAST else ""
    return f"Ganaste {counted(points['chapter_points'], 'punto', 'puntos')}{bonus}. Esta vuelta suma {points['total']}."
