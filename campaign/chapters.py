"""The five chapters of the story, from La Ronda to the Last Judgement, as data."""

import unicodedata
from typing import NamedTuple

from .characters import STORY, Character
from .wording import AGAIN, THANKS

RULESET = "quito"  #: the table of the story


class Chapter(NamedTuple):
    """One match of the story. `before` and `after` are its scenes in words, `dark` and `lit` say what the drawing shows
    in each; `layer` names what the victory switches on, `missing` and `back` say it of the city."""

    number: int
    numeral: str
    title: str
    place: str
    rival: str
    missing: str
    back: str
    layer: str
    picture: str
    before: str
    after: str
    dark: str
    lit: str
    teaches: str

    @property
    def character(self) -> Character:
        return STORY[self.rival]

    @property
    def inscription(self) -> str:
        """The title as it is carved: capitals without accents, V for U and I for J.

        >>> CHAPTERS[4].inscription
        'IVICIO FINAL'
        """
        letters = (c for c in unicodedata.normalize("NFD", self.title.upper()) if not unicodedata.combining(c))
        return "".join(letters).translate(str.maketrans("UJ", "VI"))

    @property
    def drawing(self) -> str:
        """The static file of its scene as it is before."""
        return f"img/scenes/{self.picture}.svg"

    @property
    def recovered(self) -> str:
        """The static file of what the victory brings back, to lie over the drawing."""
        return f"img/scenes/{self.picture}-after.svg"


CHAPTERS = (
    Chapter(
        number=1,
        numeral="I",
        title="La serenata prestada",
        place="La Ronda, de noche",
        rival="almeida",
        missing="Falta la música",
        back="Volvió la música",
        layer="music",
        picture="la-ronda",
        before=(
            "Quito amanece callado: a La Ronda se le olvidaron las canciones y las guitarras cuelgan mudas "
            "entre los geranios. El padre Almeida, que anda otra vez con su «hasta la vuelta», ofrece devolver "
            "la serenata a quien le gane una mesa."
        ),
        after=(
            "El fraile pierde riéndose, afina la última cuerda y la calle entera vuelve a sonar de balcón en "
            "balcón. «Hasta aquí nomás», promete, y esta vez regresa a San Diego por la puerta."
        ),
        dark=(
            "La Ronda de noche y en silencio: postigos cerrados, farol apagado y guitarras mudas colgadas entre "
            "los geranios, bajo una luna azulada."
        ),
        lit=(
            "La Ronda vuelve a sonar: balcones iluminados, el farol encendido y una cinta de notas doradas que "
            "sube por la calle mientras el padre Almeida y dos vecinos dan serenata."
        ),
        teaches="Recoge lo igual, y cae sobre lo que acaban de dejar.",
    ),
    Chapter(
        number=2,
        numeral="II",
        title="El gallo y el gallito",
        place="La Plaza Grande, bajo la Catedral",
        rival="ramon",
        missing="Falta el amanecer",
        back="Volvió el amanecer",
        layer="light",
        picture="plaza-grande",
        before=(
            "El gallito de la Catedral perdió la voz y la noche se instaló en la Plaza Grande como visita que "
            "no se despide. Don Ramón Ayala jura que en esta ciudad el único que canta es él, y reparte las "
            "cartas para probarlo."
        ),
        after=(
            "Vencido, don Ramón se quita el sombrero ante la veleta y el gallito, muy digno, canta. Sale el sol"
            " detrás de las cúpulas verdes y hay chocolate para todos, incluido el rival."
        ),
        dark=(
            "La Plaza Grande en una noche que no se va: la Catedral en penumbra azul, la cúpula casi negra, la "
            "campana quieta y el gallito cabizbajo en su veleta."
        ),
        lit=(
            "Amanece en la Plaza Grande: el sol asoma detrás de las cúpulas verdes, el gallito dorado canta, "
            "repica la campana, don Ramón levanta el sombrero y hay chocolate humeante para todos."
        ),
        teaches="Las figuras no suman: se recogen con su igual. Paciencia.",
    ),
    Chapter(
        number=3,
        numeral="III",
        title="La piedra que falta",
        place="El atrio de San Francisco",
        rival="cantuna",
        missing="Falta la piedra",
        back="Volvió la piedra",
        layer="stone",
        picture="san-francisco",
        before=(
            "La gran escalinata de San Francisco se volvió rompecabezas y nadie recuerda cuántas manos hicieron"
            " falta para levantarla. Cantuña sabe dónde está la última piedra, y solo la entrega a quien llegue"
            " a cuarenta sin perder el pulso."
        ),
        after=(
            "Cantuña pone la piedra en tu palma: está tibia y guarda los nombres de quienes labraron la plaza. "
            "El atrio vuelve a su sitio y, por si el diablo pregunta, todavía queda un huequito."
        ),
        dark=(
            "El atrio de San Francisco en la neblina: la escalinata de doble abanico está hecha un rompecabezas, "
            "con bloques regados por la plaza y un hueco negro donde falta una piedra."
        ),
        lit=(
            "La escalinata de San Francisco, entera y bajo una luz cálida: la última piedra brilla como brasa en "
            "el centro y en los bloques aparecen, en oro, las marcas de quienes la labraron."
        ),
        teaches="Escaleras largas, sumas y cartón.",
    ),
    Chapter(
        number=4,
        numeral="IV",
        title="El balcón de los colores",
        place="Un balcón de San Marcos",
        rival="manuela",
        missing="Faltan los colores",
        back="Volvieron los colores",
        layer="colour",
        picture="el-balcon",
        before=(
            "Por orden de nadie sabe quién, las casas amanecieron todas del mismo blanco. Doña Manuela Sáenz "
            "guardó los ocres, los rosados y los verdes bajo llave en su balcón, y no se los confía a quien se "
            "asuste de una caída."
        ),
        after=(
            "Manuela lanza desde el balcón una corona de laurel y, donde cae una hoja, una fachada recuerda su "
            "color. «Así se entra a Quito», dice, y ella misma cuelga las banderas."
        ),
        dark=(
            "Una calle de San Marcos bajo la luna: todas las casas del mismo blanco, las puertas cerradas, las "
            "banderas enrolladas y el gran balcón vacío."
        ),
        lit=(
            "Manuela Sáenz acaba de lanzar desde su balcón una corona de laurel; donde cae una hoja, cada casa "
            "recupera su color y la calle se llena de banderas y vecinos."
        ),
        teaches="Juega para tu pareja, y cuida tus 30.",
    ),
    Chapter(
        number=5,
        numeral="V",
        title="Juicio final",
        place="El zaguán de La Compañía",
        rival="diablo",
        missing="Falta el nombre",
        back="Volvió el nombre",
        layer="name",
        picture="la-compania",
        before=(
            "En el zaguán de La Compañía, el diablo se salió de su cuadro y escondió el nombre de la ciudad"
            " entre las llamas pintadas. San Miguel trae la balanza, la Virgen se acomoda las alas y el último "
            "asiento es el tuyo."
        ),
        after=(
            "La balanza no pesa pecados sino tardes compartidas, y se inclina despacito hacia tu lado; el "
            "diablo rezonga, saluda y vuelve a su marco. Arriba, en letras de oro, la ciudad recupera su "
            "nombre: CVARENTA DE QVITO."
        ),
        dark=(
            "El zaguán de La Compañía con el oro apagado: un gran marco con un hueco en forma de diablo, la "
            "cartela vacía y la balanza de San Miguel inclinada al otro lado."
        ),
        lit=(
            "El zaguán de La Compañía encendido en pan de oro: el diablo, de vuelta en su marco, saluda con el "
            "sombrero, la balanza se inclina hacia tu lado y arriba se lee el nombre de la ciudad."
        ),
        teaches="Aquí no se aprende nada: es el examen.",
    ),
)
LAST = len(CHAPTERS)

COMPANY = (
    "Tu compañera es la Virgen de Legarda. Enfrente, el rival del capítulo; y con él San Miguel, que se sienta "
    "con quien llega sin compañía: así la balanza queda pareja."
)
#: what is said when a run has come to an end, by its outcome; a lost chapter of any run says what a lost run says
FAREWELLS = {
    "completed": f"La ciudad tiene de vuelta todo lo suyo. {THANKS}",
    "lost": f"La ciudad espera. {AGAIN}",
    "abandoned": "Esta vuelta quedó en el zaguán. La próxima empieza en La Ronda.",
}


def get_chapter(number: int) -> Chapter:
    """The chapter of a number from 1 to 5."""
    return CHAPTERS[number - 1]


def layers_on(chapters_won: int) -> list[str]:
    """The layers of the page that so many victories have switched on, in their order."""
    return [chapter.layer for chapter in CHAPTERS[:chapters_won]]
