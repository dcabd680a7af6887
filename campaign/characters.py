"""Who sits at the tables: names, emblems and what they say, as data."""

from typing import NamedTuple

from cvarenta.game.rulesets import RULESETS


class Character(NamedTuple):
    """Somebody at a table. `lines` are what they may say at an event: caida, fallen (suffered a caida), limpia, ronda,
    ace, four; `temper` is one sentence on how they play."""

    name: str
    emblem: str
    temper: str = ""
    lines: dict[str, tuple[str, ...]] = {}


YOU = Character("Tú", "tu")
VIRGEN = Character("Virgen de Legarda", "virgen", "Tu compañera. Juega con calma.")
MIGUEL = Character("San Miguel", "miguel", "Se sienta con quien llega sin compañía: así la balanza queda pareja.")

RIVALS = {
    "greedy": Character(
        "El Goloso",
        "goloso",
        "Se lleva siempre lo que más paga. De mañana no se acuerda.",
        {
            "caida": ("¡Toma, dos por shunsho!", "Dos, señor juez.", "Con esta te caí."),
            "fallen": ("Herido viene…", "Eso me pasa por apurado."),
            "limpia": ("Vea cómo le dejo, limpiecito.", "Ni las migas."),
            "ronda": ("Dos por guapo.", "¡Tengo ronda!"),
            "ace": ("As que no me caerás.",),
            "four": ("Cuatrero has de ser.",),
        },
    ),
    "random": Character(
        "El Trompo",
        "azar",
        "Gira y suelta lo que salga. Bueno para la primera mesa.",
        {
            "caida": ("¿Caí? ¡Caí!", "Dos, juecito, y sin mirar."),
            "fallen": ("Dolido va.", "Me di la vuelta."),
            "limpia": ("¿Y la mesa? Se me fue girando.",),
            "ronda": ("¡Ronda! Ni la había visto.",),
            "ace": ("As que no me caerás.",),
            "four": ("Cuatrero has de ser.",),
        },
    ),
}


class Rules(NamedTuple):
    """What the short rules say differently at each table; titles and sentences."""

    take: str
    ladder: str
    ronda_title: str
    ronda: str
    end_title: str
    end: str


_CARTON = (
    "Al acabar la baraja se cuentan las cartas recogidas: 20 valen 6 puntos, cada carta más, uno; a par."
)
_TAKE_MANY = (
    "Tu 7 se lleva otro 7, o las que sumen 7: dos, tres o más. O lo igual o la suma. Las figuras no suman."
)
_LADDER_FREE = "Si también están las que siguen, te las puedes llevar: 5, 6, 7 y de ahí la J. Cortas donde quieras."
_TRADICIONAL = Rules(
    _TAKE_MANY,
    _LADDER_FREE,
    "Ronda, 2",
    "Te reparten tres iguales. Se canta sola. Cuatro iguales ganan toda la mesa.",
    "Cartón y chicas",
    _CARTON + " Cada bando con 20 o más suma. A 40 se gana la chica.",
)


class Table(NamedTuple):
    """How one rule set is offered in practice."""

    name: str
    summary: str
    differences: tuple[str, ...]
    rules: Rules


TABLES = {
    "quito": Table(
        "Quito",
        "Cuatro en dos parejas, a 40. La mesa de la casa.",
        (
            "Si tu carta puede recoger, recoge, con toda su escalera.",
            "Se suman solo dos cartas.",
            "Ronda 2, mientras tu pareja tenga 30 o menos.",
            "Con 38, solo la caída suma.",
        ),
        Rules(
            "Tu 5 se lleva otro 5, o un 2 y un 3. Una cosa o la otra, nunca las dos. La J, la Q y la K no suman.",
            "Si también están las que siguen, van: 5, 6, 7 y de ahí la J. Donde hay hueco, se acaba.",
            "Ronda, 2",
            "Te reparten tres o cuatro iguales. Se canta sola, y suma mientras tu pareja tenga 30 o menos.",
            "Cartón, y 38 que no juega",
            _CARTON + " Suma la pareja con más, si tenía menos de 30; si empatan, 2 para la de quien va a repartir."
            " Desde 38, solo la caída cierra.",
        ),
    ),
    "mano-a-mano": Table(
        "Mano a mano",
        "Tú contra uno, a 40. Rápida y de nervios.",
        (
            "Recoger es a tu gusto, y la escalera la cortas donde quieras.",
            "Se suman dos cartas o más.",
            "La ronda vale 4.",
            "Con 38, solo la caída cierra.",
        ),
        Rules(
            _TAKE_MANY,
            _LADDER_FREE,
            "Ronda, 4",
            "Te reparten tres o cuatro iguales. Se canta sola.",
            "Cartón, y 38 que no juega",
            _CARTON + " Si nadie llega a 20, 2 para quien tenga más. Nada que no sea caída pasa de 38.",
        ),
    ),
    "tradicional-2": Table(
        "Tradicional de dos",
        "Dos personas, dos chicas de 40. La mesa larga.",
        (
            "Recoger es a tu gusto, y la escalera la cortas donde quieras.",
            "Se suman dos cartas o más.",
            "Cuatro iguales ganan toda la mesa.",
            "Gana quien lleva dos chicas, o la primera si el otro no llegó a 10.",
        ),
        _TRADICIONAL,
    ),
    "tradicional-4": Table(
        "Tradicional de cuatro",
        "Dos parejas, dos chicas de 40, con zapatería.",
        (
            "Recoger es a tu gusto, y la escalera la cortas donde quieras.",
            "Se suman dos cartas o más.",
            "Cuatro iguales ganan toda la mesa.",
            "Gana quien lleva dos chicas, o la primera si ellos no llegaron a 10.",
        ),
        _TRADICIONAL,
    ),
}
assert TABLES.keys() == RULESETS.keys()


def seated(rules, rival):
    """The characters at seats 0, 1, … of a table with this rival."""
    other = RIVALS[rival]
    return (YOU, other, VIRGEN, MIGUEL) if rules.seats == 4 else (YOU, other)


def line_at(character, moment, ply):
    """What a character says at a moment, or ''; each play of a match has its own, always the same."""
    lines = character.lines.get(moment, ())
    return lines[ply // 3 % len(lines)] if lines else ""
