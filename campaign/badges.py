"""The badges of the story: what each is for, and the match that a player earned it with, as the books have it."""

from typing import NamedTuple

from django.db.models import Q

from cvarenta.wording import day_in_words

from .models import SEAT, Match

_WON = Q(winner=SEAT % 2)


class Badge(NamedTuple):
    """`key` is its part of addresses and its drawing in static/img/badges.svg; `earned` says what its bearer did, `how`
    what is to be done for it; `where` finds the matches that earn it."""

    key: str
    name: str
    earned: str
    how: str
    drawing: str
    where: Q


class Earned(NamedTuple):
    """A badge, and the first match that earned it."""

    badge: Badge
    match: Match

    @property
    def day(self) -> str:
        return day_in_words(self.match.finished_at)


BADGES = (
    Badge(
        "a-la-vuelta-por-la-puerta",
        "A la vuelta por la puerta",
        "Ganó el primer capítulo: el padre Almeida regresó a San Diego por la puerta.",
        "Gana el primer capítulo de la historia, en La Ronda.",
        "una puerta abierta con luz adentro y una guitarra arrimada",
        _WON & Q(chapter=1),
    ),
    Badge(
        "piedra-en-mano",
        "Piedra en mano",
        "Ganó el tercer capítulo con una caída en 38: la última piedra, en la palma.",
        "Gana el tercer capítulo con una caída tuya, estando en 38.",
        "una mano abierta que sostiene una piedra encendida",
        _WON & Q(chapter=3, summary__won_by_caida=True),
    ),
    Badge(
        "buen-maestro",
        "Buen maestro",
        "Contó 26 cartas o más en un cartón.",
        "Junta con tu pareja 26 cartas o más en un cartón.",
        "un cartón de cartas apiladas bajo una estrella",
        Q(summary__cartones__regex=r"(^| )(2[6-9]|3[0-9]|40)( |$)"),
    ),
    Badge(
        "sin-un-solo-perro",
        "Sin un solo perro",
        "Ganó y dejó al rival sin llegar a diez: zapatero.",
        "Gana una partida sin que el rival llegue a 10.",
        "un zapato recién lustrado que brilla",
        _WON & Q(summary__is_zapatero=True),
    ),
)
_BY_KEY = {badge.key: badge for badge in BADGES}


def get_badge(key: str) -> Badge | None:
    """The badge of that key, or None."""
    return _BY_KEY.get(key)


def earned_badge(player_id: int, badge: Badge) -> Earned | None:
    """The badge with the first match that earned it to the player, or None; one question."""
    won = Match.objects.finished().filter(badge.where, player_id=player_id)
    first = won.defer("seed", "plays", "think_times").order_by("finished_at", "pk").first()
    return Earned(badge, first) if first else None


def earned_badges(player_id: int) -> list[Earned]:
    """All badges a player has, in the order of BADGES."""
    return [earned for badge in BADGES if (earned := earned_badge(player_id, badge))]
