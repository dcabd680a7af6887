"""Signs that a run was perhaps not played by one person alone: a pace no hand keeps, choices no eye finds. None of
them proves anything, and each can have an innocent reason; a reviewer looks."""

from statistics import median, quantiles

from django.db.models import Q

from cvarenta.game.bots import BOTS
from cvarenta.game.bots.search import options_of, weigh
from cvarenta.game.record import Record
from cvarenta.game.shuffle import Stream
from cvarenta.game.verify import positions
from cvarenta.game.view import view_of
from cvarenta.wording import counted, listed, seconds_in_words, tenths
from tournament.models import ScoredRun
from tournament.review import Finding

from . import thresholds as limits
from .models import SEAT

SPREAD_OF_MAD = 1.4826  #: times the median deviation is the standard deviation of what is spread as usual


# The pace


def pace(times: list[int], *, match_id: str) -> Finding | None:
    """Whether the think times of a match, in milliseconds, are too short for a person."""
    if len(times) < limits.FEW:
        return None
    middle, hasty = median(times), sum(time < limits.HASTY_MS for time in times)
    if len(times) < limits.PLAYS and middle >= limits.HASTY_MS:
        return None
    if middle >= limits.MEDIAN_MS and hasty < limits.HASTY_SHARE * len(times):
        return None
    fast = f"{hasty} de ellas en menos de {seconds_in_words(limits.HASTY_MS)}"
    evidence = f"{len(times)} jugadas: la mitad, en {seconds_in_words(middle)} o menos; {fast}."
    return Finding("pace", "Jugó más rápido de lo que alcanza una mano", evidence, match_id, _replay(match_id))


def beat(times: list[int], *, match_id: str) -> Finding | None:
    """Whether the think times of a match are as even as a clock's."""
    if len(times) < limits.PLAYS:
        return None
    spread, (first, _, third) = spread_of(times), _quartiles(times)
    if spread >= limits.EVEN_SPREAD or third - first >= limits.EVEN_MS:
        return None
    evidence = (
        f"{len(times)} jugadas: la mitad de ellas, entre {seconds_in_words(first)} y {seconds_in_words(third)}. "
        f"Es el {_percent(spread)} de la mediana; en una persona pasa del {_percent(limits.EVEN_SPREAD)}."
    )
    return Finding("beat", "Jugó a un compás muy parejo", evidence, match_id, _replay(match_id))


def spread_of(times: list[int]) -> float:
    """How much think times vary: what lies between their quartiles, in medians; what is far off does not count."""
    first, middle, third = _quartiles(times)
    return (third - first) / middle if middle else 0.0


def _quartiles(times):
    return quantiles(times, n=4, method="inclusive")


# The choices


def agreement(record: Record, seed: bytes) -> tuple[int, int]:
    """Of a record whose plays keep the rules: how many plays of the person tell who is strong, and how many of them are
    what `maestro` would play. They tell it where what pays most at once is not the best, and the best is clearly so."""
    choices = agreed = 0
    for game, play in positions(record):
        if game.to_play != SEAT:
            continue
        view = view_of(game, SEAT)
        options = options_of(view)
        if len(options) == 1:
            continue
        # Not the chance with which the bots of this match played: that of anybody who asks `maestro`.
        chance = Stream(seed, f"cvarenta-sign/1|{view.ply}")
        (best, top), (second, _), *_ = sorted(weigh(view, chance, options), key=lambda option: -option[0])
        if best - second < limits.CLEAR or _alike(view, top, BOTS["greedy"].choose(view, chance)):
            continue
        choices += 1
        agreed += _alike(view, top, play)
    return choices, agreed


def _alike(view, one, other):
    """Whether two plays of a view differ by suits alone."""
    keys = [options_of(view._replace(legal=(play,)))[0][0] for play in (one, other)]
    return keys[0] == keys[1]


def strong(measures: dict, peers: list[dict]) -> Finding | None:
    """Whether a run agrees with `maestro` far beyond other good players, given its measures and those of `peers_of` it:
    beyond any person's share, and beyond theirs where they are enough to tell."""
    choices, agreed = measures["choices"], measures["agreed"]
    if choices < limits.CHOICES:
        return None
    shares = [peer["agreed"] / peer["choices"] for peer in peers if peer["choices"] >= limits.CHOICES]
    limit, others = limits.STRONG_SHARE, ""
    if len(shares) >= limits.PEERS:
        middle = median(shares)
        spread = SPREAD_OF_MAD * median(abs(share - middle) for share in shares)
        limit = max(limit, min(middle + limits.PEER_SPREADS * spread, limits.MOST_SHARE))
        usual = f"lo usual es el {_percent(middle)}"
        others = f" En {len(shares)} vueltas anteriores de otras personas, todas completas, {usual}."
    if agreed / choices < limit:
        return None
    evidence = (
        f"En {agreed} de {choices} jugadas difíciles ({_percent(agreed / choices)}) hizo lo que haría el maestro; "
        f"la señal empieza en el {_percent(limit)}.{others}"
    )
    return Finding("strong", "Acierta como el maestro, mucho más que quien juega muy bien", evidence)


def peers_of(run: ScoredRun, version: int) -> list[dict]:
    """The measures of other players' runs of the season that were won whole and verified, of each player the latest:
    those that nobody has a doubt about, or whoever does wrong in numbers would be what is usual.

    Only runs that were over before this one began: whoever comes later changes nothing of what is said of it, and a
    verification that is done again, or late, finds the same.
    """
    runs = ScoredRun.objects.filter(
        season_id=run.season_id, day__lte=run.day, ended_at__lt=run.started_at,
        outcome="completed", measures__version=version, measures__choices__gte=limits.CHOICES,
    )  # fmt: skip
    trusted = runs.valid().filter(Q(is_flagged=False) | Q(state=ScoredRun.State.APPROVED))
    latest = trusted.exclude(standing=run.standing_id).order_by("-day", "-started_at", "-pk")[: limits.MOST_PEERS]
    return list(dict(reversed(list(latest.values_list("standing_id", "measures")))).values())


# In words


def measured(times: list[int], choices: int, agreed: int) -> dict:
    """The figures of a run that are kept, from the think times of all its matches."""
    return {
        "plays": len(times),
        "median": round(median(times)) if times else None,
        "spread": round(spread_of(times), 3) if len(times) >= limits.PLAYS else None,
        "hasty": sum(time < limits.HASTY_MS for time in times),
        "choices": choices,
        "agreed": agreed,
    }


def describe(measures: dict | None) -> list[tuple[str, str]]:
    """The figures of a verified run as the desk shows them: (label, value) in words; [] before it is verified."""
    if not measures:
        return []
    measures = {"matches": 0, "unchecked": 0, "gone": [], **measured([], 0, 0)} | measures  # an older version's
    rows = [("Partidas comprobadas", str(measures["matches"])), ("Jugadas suyas", str(measures["plays"]))]
    if measures["plays"]:
        rows.append(("Tiempo por jugada", f"{seconds_in_words(measures['median'])} de mediana"))
        rows.append((f"En menos de {seconds_in_words(limits.HASTY_MS)}", f"{measures['hasty']} de {measures['plays']}"))
    if measures["spread"] is not None:
        rows.append(("Variación del tiempo", f"{_percent(measures['spread'])} de la mediana"))
    if measures["choices"]:
        share = _percent(measures["agreed"] / measures["choices"])
        rows.append(("Jugadas difíciles como el maestro", f"{measures['agreed']} de {measures['choices']} ({share})"))
    if measures["unchecked"]:
        matches = counted(measures["unchecked"], "partida", "partidas")
        gone = listed(measures["gone"])
        rows.append(("Bots sin comprobar", f"en {matches}: ya no está aquí la versión de {gone}"))
    return rows


def _percent(share):
    """«86 %», «1,5 %»."""
    return f"{tenths(100 * share)} %"


def _replay(match_id):
    return f"?partida={match_id}#repaso"
