"""A player's figures as small charts that are also tables: rows of words, numbers and how long their bars are."""

from cvarenta.wording import counted, tenths

from .characters import RIVALS, TABLES
from .figures import COUNTS

COUNT_NAMES = ("Caídas hechas", "Caídas recibidas", "Limpias", "Rondas")


def charts_of(figures):
    """The charts of `figures_of_player`: dicts of id, title, the columns' heads, rows and a note. A row has a label, an
    emblem or '', its number in words, and the lengths of its bar and of the bar's filled part in per cent."""
    if not figures["played"]:
        return []
    return [
        _won("rivals", "Por rival", "Rival", figures["by_rival"], lambda row: RIVALS[row["rival"]]),
        _won("tables", "Por mesa", "Mesa", figures["by_ruleset"], lambda row: TABLES[row["ruleset"]]),
        _counts(figures),
        _spread(
            "cartones",
            "Cartón",
            ("Cartas recogidas", "Veces"),
            [(_cards(*row["cards"]), row["count"]) for row in figures["cartones"]],
            ("vez", "veces"),
            f"El mejor: {counted(figures['best_carton'], 'carta', 'cartas')}."
            if figures["best_carton"] is not None
            else "",
        ),
        _spread(
            "think",
            "Para pensar una jugada",
            ("Tiempo medio en la partida", "Partidas"),
            [(_seconds(*row["seconds"]), row["count"]) for row in figures["think"]["matches"]],
            ("partida", "partidas"),
            _usually(figures["think"]["median_seconds"]),
        ),
    ]


def _won(key, title, head, rows, shown):
    """Won of played, for each rival or table."""
    most = max(row["played"] for row in rows)
    return {
        "id": key,
        "title": title,
        "heads": (head, "Ganadas de las jugadas"),
        "note": "En oro, las ganadas.",
        "rows": [
            {
                "label": shown(row).name,
                "emblem": getattr(shown(row), "emblem", ""),
                "text": f"{row['won']} de {row['played']}",
                "bar": _length(row["played"], most),
                "filled": _length(row["won"], most),
            }
            for row in rows
        ],
    }


def _counts(figures):
    most = max(figures[name] for name in COUNTS)
    return {
        "id": "counts",
        "title": "En la mesa",
        "heads": ("Qué", "Cuántas, y por partida"),
        "note": f"En {counted(figures['played'], 'partida', 'partidas')}.",
        "rows": [
            {
                "label": label,
                "text": f"{figures[name]} · {tenths(figures[name] / figures['played'])} por partida",
                "filled": _length(figures[name], most),
            }
            for name, label in zip(COUNTS, COUNT_NAMES, strict=True)
        ],
    }


def _spread(key, title, heads, rows, words, note):
    """How often each of some spans."""
    most = max(count for _, count in rows)
    return {
        "id": key,
        "title": title,
        "heads": heads,
        "note": note,
        "rows": [
            {"label": label, "text": counted(count, *words), "filled": _length(count, most)} for label, count in rows
        ],
    }


def _length(count, most):
    """A bar's length in per cent as text; what there is at all can be seen."""
    return str(max(2, round(100 * count / most))) if count else "0"


def _cards(low, high):
    if low == 0:
        return f"{high} o menos"
    if high == 40:
        return f"{low} o más"
    return str(low) if low == high else f"{low} y {high}"


def _seconds(low, high):
    if low == 0:
        return f"Menos de {high} segundos"
    return f"{low} segundos o más" if high is None else f"De {low} a {high} segundos"


def _usually(seconds):
    return f"Lo usual: {tenths(seconds)} segundos." if seconds is not None else ""
