"""What a player may be called, and when two names are too alike to tell apart; standard library only."""

import unicodedata

SHORTEST, LONGEST = 3, 20
SEPARATORS = "_-."
ASCII_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
PLAIN = ASCII_LETTERS | frozenset("0123456789" + SEPARATORS)
LOOK_ALIKES = str.maketrans("1i0", "llo")
WITHOUT_SEPARATORS = str.maketrans("", "", SEPARATORS)

TOO_SHORT = "Ese nombre es muy corto: ponle al menos 3 letras o números."
TOO_LONG = "Ese nombre es muy largo: déjalo en 20 letras o menos."
WRONG_CHARACTERS = "Usa solo letras, números, puntos, guiones (- o _), sin espacios."
NO_LETTER = "Ponle a tu nombre al menos una letra o un número."
AN_EMAIL = "Tu nombre lo ven todos: elige uno que no sea tu correo."
TAKEN = "Ese nombre ya es de alguien, o se le parece demasiado: prueba con otro."
RESERVED = "Ese nombre es de la casa: elige otro para ti."

RESERVED_WORDS = """
    admin administrador administracion moderador soporte ayuda root sistema staff organizador organizacion juez
    juezdeaguas cvarenta cuarenta cvarentadeqvito cuarentadequito virgen virgendelegarda virgendequito legarda
    sanmiguel arcangel
    padrealmeida almeida donramon cantuna manuelasaenz diablo eldiablo aprendiz elaprendiz aficionado elaficionado
    maestro elmaestro goloso elgoloso trompo eltrompo anonimo invitado nadie borrado jugador nosotros ellos cuenta
""".split()


class NameRefused(ValueError):
    """Says, in Spanish and to the player, what to do instead."""


def name_key(name: str) -> str:
    """What two names share that would be taken for each other: no case, no accents, look-alikes as one.

    >>> name_key("Cantuña") == name_key("cantuna")
    True
    >>> name_key("B0rn1") == name_key("bomi")
    True
    """
    return search_key(name).translate(LOOK_ALIKES).replace("rn", "m").replace("vv", "w")


def search_key(name: str) -> str:
    """What a name is found and sorted by: no case, no accents.

    >>> search_key("Cantuña")
    'cantuna'
    """
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c)).casefold()


def clean_name(name: str) -> str:
    """The name as it is kept: without spaces around it, composed. Raises NameRefused."""
    name = unicodedata.normalize("NFC", name).strip()
    if "@" in name:
        raise NameRefused(AN_EMAIL)
    if not all(map(is_allowed, name)):
        raise NameRefused(WRONG_CHARACTERS)
    if len(name) < SHORTEST:
        raise NameRefused(TOO_SHORT)
    if len(name) > LONGEST:
        raise NameRefused(TOO_LONG)
    if not name.translate(WITHOUT_SEPARATORS):
        raise NameRefused(NO_LETTER)
    return name


def refuse_reserved(name: str) -> None:
    """Raises NameRefused for the house's own names, however they are spelt."""
    if name_key(name.translate(WITHOUT_SEPARATORS)) in RESERVED_KEYS:
        raise NameRefused(RESERVED)


def is_allowed(character: str) -> bool:
    """Whether it is plain, or a Latin letter and its accents in one piece: no Cyrillic, ligature or loose mark is."""
    if character in PLAIN:
        return True
    base, *marks = unicodedata.normalize("NFD", character)
    return bool(marks) and base in ASCII_LETTERS and all(map(unicodedata.combining, marks))


RESERVED_KEYS = frozenset(map(name_key, RESERVED_WORDS))
