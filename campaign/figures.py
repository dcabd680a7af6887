"""Figures: those of one match when it has ended, and those of a player over all matches."""

from statistics import median

from django.db.models import Count, Q, Sum

from cvarenta.game.events import Carton, Chica, Played, Ronda

from .history import events_of
from .models import SEAT, Match, Summary

TEAM = SEAT % 2
LAST_STEP = 38  #: a caída from here wins a game of forty
ZAPATERO_BELOW = 10  #: at every table, told of a won game whose rival did not get so far
CARTONES = ((0, 19), (20, 20), (21, 22), (23, 24), (25, 26), (27, 40))  #: cards, from and to: what each two are worth
THINK_SECONDS = ((0, 3), (3, 6), (6, 12), (12, 30), (30, None))  #: from, and up to but not with
COUNTS = ("caidas", "caidas_suffered", "limpias", "rondas")


def summary_of(match):
    """The Summary of a finished match, not saved yet; told from its record."""
    told, game = [event for _, event in events_of(match)], match.load_game()
    plays = [event for event in told if isinstance(event, Played)]
    own = [event for event in plays if event.seat == SEAT]
    times = [int(ms) for ms in match.think_times.split()]
    last, won = plays[-1] if plays else None, game.winner == TEAM
    zapateria = any(isinstance(event, Chica) and event.zapateria for event in told)
    return Summary(
        match_id=match.pk,
        own_score=game.score[TEAM],
        rival_score=game.score[1 - TEAM],
        caidas=sum(event.caida for event in own),
        caidas_suffered=sum(
            event.caida and before.seat == SEAT for before, event in zip(plays, plays[1:], strict=False)
        ),
        limpias=sum(event.limpia for event in own),
        rondas=sum(isinstance(event, Ronda) and event.seat == SEAT for event in told),
        won_by_caida=bool(
            won and last and last.seat == SEAT and last.caida and last.score[TEAM] - last.points == LAST_STEP
        ),
        is_zapatero=won and (zapateria if game.rules.is_mesa else game.score[1 - TEAM] < ZAPATERO_BELOW),
        cartones=" ".join(str(event.cards[TEAM]) for event in told if isinstance(event, Carton)),
        plays=len(times),
        think_ms=sum(times),
    )


def figures_of_player(player_id):
    """The figures of all finished matches of a player, ready for JSON: sums in one question, what is spread out over
    the matches (cartones, think times) in another."""
    finished = Match.objects.finished().filter(player_id=player_id)
    sums = {name: Sum(f"summary__{name}") for name in COUNTS}
    groups = list(
        finished.values("rival", "ruleset").annotate(played=Count("pk"), won=Count("pk", filter=Q(winner=TEAM)), **sums)
    )
    spread = list(
        finished.exclude(summary=None).values_list("summary__cartones", "summary__plays", "summary__think_ms")
    )
    cards = [int(count) for cartones, *_ in spread for count in cartones.split()]
    thinks = [think_ms / plays / 1000 for _, plays, think_ms in spread if plays]
    return {
        "played": sum(group["played"] for group in groups),
        "won": sum(group["won"] for group in groups),
        "by_rival": _by("rival", groups),
        "by_ruleset": _by("ruleset", groups),
        **{name: sum(group[name] or 0 for group in groups) for name in COUNTS},
        "cartones": [
            {"cards": [low, high], "count": sum(low <= count <= high for count in cards)} for low, high in CARTONES
        ],
        "best_carton": max(cards, default=None),
        "think": {
            "median_seconds": round(median(thinks), 1) if thinks else None,
            "matches": [
                {
                    "seconds": [low, high],
                    "count": sum(low <= think and (high is None or think < high) for think in thinks),
                }
                for low, high in THINK_SECONDS
            ],
        },
    }


def _by(key, groups):
    """What was played and won for each value of a key, most played first."""
    rows = {}
    for group in groups:
        row = rows.setdefault(group[key], {key: group[key], "played": 0, "won": 0})
        row["played"] += group["played"]
        row["won"] += group["won"]
    return sorted(rows.values(), key=lambda row: (-row["played"], row[key]))
