"""How anybody can check a match: the page that explains it, with a worked example, and checks a record."""

from allauth.core import ratelimit
from django.core.exceptions import RequestDataTooBig
from django.http import JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import explain, prefers_json, too_many_requests
from cvarenta.game.cards import NAMES, format_cards
from cvarenta.game.errors import Unreadable
from cvarenta.game.record import FORMAT, read_json
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import SEED_BYTES, commitment, first_dealer, shuffled_deck
from cvarenta.game.verify import FAILS, OK, UNCHECKED, verify
from cvarenta.wording import counted
from tournament.models import Season

from .replay import face_of

MOST_PLAYS = 600  #: of a record whose bots' choices, some milliseconds each, are worked out here
MOST_BYTES = 64 * 1024  #: of a record that is posted: what the settings take
WORKED = bytes(range(SEED_BYTES)), (("", 2), ("quito-1534", 1))  #: a seed; nonces, each with how many decks
SEATS = {name: rules.seats for name, rules in RULESETS.items()}
CHECKS_IN_WORDS = {  #: name: what it is about, what is so, what is not so
    "record": ("El registro", "Se lee entero.", "No se lee como el registro de una partida que empieza 0 a 0."),
    "seed": ("La semilla", "Está entera.", "Falta, o no son 32 bytes."),
    "commitment": ("El sello", "Sale de la semilla.", "No es el de esta semilla."),
    "nonce": ("Tu parte", "Está bien escrita.", "Falta, o tiene letras que no se admiten."),
    "dealer": ("Quién reparte primero", "Es quien sale de la semilla.", "No es quien sale de la semilla."),
    "decks": ("Las barajas", "Salen de la semilla y de tu parte, carta por carta.", "No salen de la semilla."),
    "plays": ("Las jugadas", "Siguen las reglas hasta el final.", "No siguen las reglas hasta el final."),
    "bots": (
        "Los programas",
        "Cada uno jugó lo que escoge con lo que se ve desde su puesto.",
        "Uno no jugó lo que escoge con lo que se ve desde su puesto.",
    ),
}
WHERE = {  #: what is not so in a deck or a play, counted from 1
    "decks": "La baraja {} no sale de la semilla y de tu parte.",
    "plays": "Desde la jugada {} no siguen las reglas hasta el final.",
    "bots": "En la jugada {}, {} habría escogido {}, y el registro dice {}.",
}
NOT_LOOKED_AT = "Quedó sin mirar: depende de algo que no cuadra."
BOTS_GONE = "Quedó sin mirar: alguno de los programas que jugaron ya no está en esta versión del sitio."
BOTS_TOO_MANY = f"Quedó sin mirar: con más de {MOST_PLAYS} jugadas la cuenta es larga. El comando de abajo sí la hace."


@never_cache
@csrf_exempt  # it keeps nothing and knows nobody, so a program may ask without having visited a page
@vary_on_headers("Accept")
@require_http_methods(["GET", "HEAD", "POST"])
def transparency(request):
    """How a shuffle, a match and the ranking can be checked; POST checks a record, and keeps nothing of it."""
    if request.method != "POST":
        return render(request, "campaign/transparency.html", _page_context())
    if not ratelimit.consume(request, action="verify"):
        return too_many_requests(request)
    try:
        data = read_json(_posted(request))
    except RequestDataTooBig:
        return _refused(request, 413, "Ese registro pasa de 64 kB. Compruébalo con el comando, que no tiene ese tope.")
    except Unreadable:
        text = "Eso no es un registro. Escoge el archivo que bajaste de una partida, de hasta 64 kB, o pégalo entero."
        return _refused(request, 400, text)
    done = verify(data, with_bots=not _is_long(data))
    if prefers_json(request):
        return JsonResponse(_json(done))
    context = _page_context() | {"checked": _in_words(done, _is_long(data))}
    return render(request, "campaign/transparency.html", context)


def worked_example():
    """The worked example, worked out now: `seed`, `commitment`, and `examples` of a nonce, the first dealer of four and
    of two seats, decks, and the record that a script checks."""
    seed, nonces = WORKED
    sealed = {"seed": seed.hex(), "commitment": commitment(seed)}
    examples = []
    for nonce, decks in nonces:
        dealers = {seats: first_dealer(seed, nonce, seats) for seats in (4, 2)}
        texts = [format_cards(shuffled_deck(seed, nonce, n)) for n in range(decks)]
        record = {"format": FORMAT, "ruleset": "quito", "dealer": dealers[4], "decks": texts, "nonce": nonce, **sealed}
        examples.append({"nonce": nonce, "dealers": list(dealers.items()), "decks": texts, "record": record})
    return sealed | {"examples": examples}


def _page_context():
    worked = worked_example()
    return {
        "worked": worked,
        "records": [example["record"] for example in worked["examples"]],
        "cards": [face_of(name) for name in NAMES],
        "seats": SEATS,
        "most_bytes": MOST_BYTES,
        "season": Season.objects.shown_at(timezone.now()),
    }


def _posted(request):
    """The text of the record that was posted: a JSON body, a file, or a field. Raises Unreadable, RequestDataTooBig."""
    if request.content_type == "application/json":
        content = request.body
    elif "file" in request.FILES:
        content = request.FILES["file"].read()
    else:
        return request.POST.get("record", "")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("the file is not UTF-8 text") from None


def _is_long(data):
    plays = data.get("plays") if isinstance(data, dict) else None
    return isinstance(plays, list) and len(plays) > MOST_PLAYS


def _refused(request, status, text):
    back = {"back": f"{request.path}#comprobar", "back_label": "Volver a comprobar"}
    return explain(request, status, "Así no se puede comprobar", text, **back)


def _json(done):
    """The checks for programs."""
    return {
        "proved": done.is_proved,
        "fails": [check.name for check in done.fails],
        "checks": [check._asdict() for check in done.checks],
        "score": done.score,
        "winner": done.winner,
    }


def _in_words(done, is_long):
    """The checks as the page says them."""
    lines = [(check.state, CHECKS_IN_WORDS[check.name][0], _sentence(check, is_long)) for check in done.checks]
    if done.fails:
        verdict = f"No cuadra: {counted(len(done.fails), 'cosa no es como debe ser', 'cosas no son como deben ser')}."
    elif done.is_proved:
        verdict = "Todo cuadra: la baraja, las jugadas y lo que jugó cada programa."
    else:
        verdict = "Lo que se miró cuadra, y algo quedó sin mirar."
    return {"verdict": verdict, "state": FAILS if done.fails else OK, "lines": lines, "score": done.score}


def _sentence(check, is_long):
    if check.state == UNCHECKED:
        if check.name != "bots":
            return NOT_LOOKED_AT
        return BOTS_TOO_MANY if is_long else BOTS_GONE if check.about else NOT_LOOKED_AT
    if check.where is not None and check.name in WHERE:
        return WHERE[check.name].format(check.where + 1, *check.about)
    return CHECKS_IN_WORDS[check.name][1 if check.state == OK else 2]
