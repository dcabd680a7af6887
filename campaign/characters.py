"""Who sits at the tables: names, emblems and what they say, as data."""

from typing import NamedTuple

from cvarenta.game.bots import get_bot
from cvarenta.game.errors import Unreadable
from cvarenta.game.rulesets import RULESETS


class Character(NamedTuple):
    """Somebody at a table. `lines` are what they may say at an event: caida, fallen (suffered a caida), limpia, ronda,
    ace, four, thirty_eight (their pair has 38), won, beaten; `temper` is one sentence on how they play, `bot` the bot
    that plays for them and `mate` the one that plays for San Miguel beside them; `difficulty` is 1 to 5, or 0 where the
    name says it."""

    name: str
    emblem: str
    temper: str = ""
    lines: dict[str, tuple[str, ...]] = {}
    bot: str = ""
    mate: str = ""
    difficulty: int = 0

    @property
    def called(self) -> str:
        """The name within a sentence: «el diablo», «don Ramón», «el padre Almeida»."""
        for title, within in _TITLES:
            if self.name.startswith(title):
                return within + self.name.removeprefix(title)
        return self.name


_TITLES = (("El ", "el "), ("Don ", "don "), ("Padre ", "el padre "))

YOU = Character("Tú", "tu")
VIRGEN = Character("Virgen de Legarda", "virgen", "Tu compañera. Juega con calma.", bot="virgen")
MIGUEL = Character("San Miguel", "miguel", "Se sienta con quien llega sin compañía: así la balanza queda pareja.")

_SAYINGS = {"ace": ("As que no me caerás.",), "four": ("Cuatrero has de ser.",)}

LEVELS = {
    "aprendiz": Character(
        "El aprendiz",
        "aprendiz",
        "Recién empieza: se le va alguna caída y se olvida de lo que ya salió.",
        {
            "caida": ("¡Caída! ¿Sí es caída, no?", "Dos, juecito."),
            "fallen": ("Esa no la vi.", "Ya he de aprender."),
            "limpia": ("¡Limpié! ¿Vieron?",),
            "ronda": ("¿Tres iguales? ¡Ronda!",),
        },
        bot="aprendiz",
    ),
    "aficionado": Character(
        "El aficionado",
        "aficionado",
        "De los que juegan cada Fiestas: cuenta lo que salió y mira qué te deja.",
        {
            "caida": ("Dos, señor juez.", "Con esta te caí."),
            "fallen": ("Herido viene…", "Bien jugada."),
            "limpia": ("Vea cómo le dejo, limpiecito.",),
            "ronda": ("Dos por guapo.",),
            **_SAYINGS,
        },
        bot="aficionado",
    ),
    "maestro": Character(
        "El maestro",
        "maestro",
        "No olvida una carta y piensa la mano hasta el final.",
        {
            "caida": ("Dos. Ya le estaba esperando.", "Dos, y sigo."),
            "fallen": ("Bien visto.", "Esa me la merecía."),
            "limpia": ("Mesa limpia.",),
            "ronda": ("Ronda, con permiso.",),
        },
        bot="maestro",
    ),
}

#: the rivals of the five chapters, in their order
STORY = {
    "almeida": Character(
        "Padre Almeida",
        "almeida",
        "Improvisa. Se arriesga mucho y se acuerda de poco.",
        {
            "caida": ("¡Dos, juecito! Y sin soltar la guitarra.", "Te caí en la misma nota."),
            "fallen": ("¿Hasta cuándo me han de caer? ¡Hasta la vuelta!", "Se me reventó una cuerda."),
            "limpia": ("Mesa limpia, como patio de convento un lunes.", "Ni el eco quedó."),
            "ronda": ("Tres iguales: ya tengo trío para la serenata.", "Dos por guapo, y por afinado."),
            "thirty_eight": ("Treinta y ocho: una cuerda más y canto.",),
            "won": ("Otra vueltita y a dormir. ¿Quién cierra la ventana?",),
            "beaten": ("Me ganaron cantando. ¡Hasta la vuelta!",),
        },
        bot="almeida",
        mate="miguel-1",
        difficulty=1,
    ),
    "ramon": Character(
        "Don Ramón",
        "ramon",
        "Abre con figuras y no deja pasar una caída. Si le caes, se despluma un ratito.",
        {
            "caida": ("¡Aquí canta el gallo, y canta de a dos!", "Picotazo y dos, juecito."),
            "fallen": ("¡Ay! Eso fue con espuela.", "Se me despeinó la pluma."),
            "limpia": ("Ni un granito dejé. Buen provecho.", "Barrido el corral."),
            "ronda": ("Dos por guapo, y eso que vengo sin perfume.", "Tres iguales: ninguno como yo."),
            "thirty_eight": ("Treinta y ocho: ya tengo el canto en la garganta.",),
            "won": ("Canté yo. Mañana madrugan ustedes.",),
            "beaten": ("Me bajaron la cresta. Bien jugado.",),
        },
        bot="ramon",
        mate="miguel-2",
        difficulty=2,
    ),
    "cantuna": Character(
        "Cantuña",
        "cantuna",
        "Construye: escaleras largas, cartón grande y nada que puedas sumar.",
        {
            "caida": ("Piedra sobre piedra, y esta calzó justita.", "A plomo y a escuadra: dos."),
            "fallen": ("Bien puesta. Yo la habría labrado igual.", "Esa grada no la vi."),
            "limpia": ("Atrio despejado. Pasen, que está parejito.", "No quedó ni el ripio."),
            "ronda": ("Tres sillares iguales: con eso se hace una grada.", "Dos por buen maestro."),
            "thirty_eight": ("Treinta y ocho. Siempre falta una piedra.",),
            "won": ("Obra entregada. Vuelvan, que les guardo la piedra.",),
            "beaten": ("Buen pulso. La piedra es de ustedes.",),
        },
        bot="cantuna",
        mate="miguel-3",
        difficulty=3,
    ),
    "manuela": Character(
        "Manuela Sáenz",
        "manuela",
        "Estratega. Juega para su pareja, y desde los 30 sale a cazar caídas.",
        {
            "caida": ("Puntería de balcón: justo en el pecho.", "Dos, y sin bajar a la calle."),
            "fallen": ("Buen tiro. Con gente así se ganan campañas.", "Tomo nota. Y desquite."),
            "limpia": ("Plaza tomada sin un solo disparo.", "Despejen, que viene el desfile."),
            "ronda": ("Tres en formación. ¡Dos por guapa!", "Pasen revista: son iguales."),
            "thirty_eight": ("Treinta y ocho, y todavía sin bajar del balcón.",),
            "won": ("Hoy la plaza es mía. Mañana la disputamos.",),
            "beaten": ("Así se gana. Abran el balcón.",),
        },
        bot="manuela",
        mate="miguel-4",
        difficulty=4,
    ),
    "diablo": Character(
        "El diablo",
        "diablo",
        "El del cuadro: se acuerda de todo lo que salió. Por una limpia vistosa, pierde la cabeza.",
        {
            "caida": ("Dos, por favor. Anote, San Miguel, anote.", "Un descuidito, y dos."),
            "fallen": ("¡Otra vez me faltó una piedra!", "Esa no estaba en el cuadro."),
            "limpia": ("Limpio quedó: me llevé hasta el hollín.", "Ni una chispa en la mesa."),
            "ronda": ("Tres iguales, y juro que no hice trampa.", "Dos por guapo. Malo, pero guapo."),
            "thirty_eight": ("Treinta y ocho. Se me calienta el marco.",),
            "won": ("Cuarenta. Y eso que vine pintado.",),
            "beaten": ("Cuarenta justos. Me vuelvo a mi cuadro.",),
        },
        bot="diablo",
        mate="miguel-5",
        difficulty=5,
    ),
}

#: those who were here before the others
REGULARS = {
    "greedy": Character(
        "El Goloso",
        "goloso",
        "Se lleva siempre lo que más paga. De mañana no se acuerda.",
        {
            "caida": ("¡Toma, dos por shunsho!", "Dos, señor juez.", "Con esta te caí."),
            "fallen": ("Herido viene…", "Eso me pasa por apurado."),
            "limpia": ("Vea cómo le dejo, limpiecito.", "Ni las migas."),
            "ronda": ("Dos por guapo.", "¡Tengo ronda!"),
            **_SAYINGS,
        },
        bot="greedy",
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
            **_SAYINGS,
        },
        bot="random",
    ),
}

RIVALS = LEVELS | STORY | REGULARS
RIVAL_GROUPS = (("Los de la historia", STORY), ("Por nivel", LEVELS), ("Los de la esquina", REGULARS))
FIRST_RIVAL = "almeida"  #: who sits down when nobody was asked for


def get_rival(name):
    """The rival of that name; raises Unreadable."""
    rival = RIVALS.get(name) if isinstance(name, str) else None
    if rival is None:
        raise Unreadable("there is no such rival")
    return rival


def line_up_for(rules, rival):
    """The Bots of seats 1, 2, … of a table of a rule set against this rival, a Character."""
    names = [rival.bot, VIRGEN.bot, rival.mate or rival.bot]
    return [get_bot(name) for name in names[: rules.seats - 1]]


class Rules(NamedTuple):
    """What the short rules say differently at each table; titles and sentences."""

    take: str
    ladder: str
    ronda_title: str
    ronda: str
    end_title: str
    end: str


_CARTON = "Al acabar la baraja se cuentan las cartas recogidas: 20 valen 6 puntos, cada carta más, uno; a par."
_TAKE_MANY = "Tu 7 se lleva otro 7, o las que sumen 7: dos, tres o más. O lo igual o la suma. Las figuras no suman."
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


def seated(rules, rival, person=YOU):
    """The characters at seats 0, 1, … of a table with this rival; `person` is YOU, or as `seen_by_others`."""
    other = RIVALS[rival]
    return (person, other, VIRGEN, MIGUEL) if rules.seats == 4 else (person, other)


def seen_by_others(name):
    """The person at seat 0 as whoever only looks on calls them: by name."""
    return YOU._replace(name=name)


def line_at(character, moment, ply):
    """What a character says at a moment, or ''; each play of a match has its own, always the same."""
    lines = character.lines.get(moment, ())
    return lines[ply // 3 % len(lines)] if lines else ""
