"""Numbers, lists and moments in Spanish, for every page."""

from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import localtime

QUITO = ZoneInfo("America/Guayaquil")


def counted(number: int, singular: str, plural: str) -> str:
    """«1 carta», «2 cartas»."""
    return f"{number} {singular if number == 1 else plural}"


def tenths(number: float) -> str:
    """«2,8», «3»."""
    return f"{number:.1f}".removesuffix(".0").replace(".", ",")


def seconds_in_words(ms: float) -> str:
    """«250 ms», «1,25 s», «3 s», from milliseconds."""
    ms = round(ms)
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.2f}".rstrip("0").rstrip(".").replace(".", ",") + " s"


def listed(words: list[str]) -> str:
    """«2, 3 y 6»."""
    *first, last = words
    return f"{', '.join(first)} y {last}" if first else last


def day_in_words(at: datetime, zone: tzinfo = QUITO) -> str:
    """«30 de noviembre de 2026», in Quito or where the zone is."""
    return date_format(localtime(at, zone), r"j \d\e F \d\e Y")


def moment_in_words(at: datetime, zone: tzinfo = QUITO, place: str = "Quito") -> str:
    """«30 de noviembre de 2026, 18:05 (hora de Quito)»."""
    return f"{day_in_words(at, zone)}, {localtime(at, zone):%H:%M} (hora de {place})"


def span_in_words(span: timedelta) -> str:
    """«6 días y 4 horas», «5 horas y 12 minutos», «12 minutos», «menos de un minuto»; static/js/countdown.js says the
    same."""
    minutes = max(0, int(span.total_seconds())) // 60
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [counted(days, "día", "días")] * (days > 0) + [counted(hours, "hora", "horas")] * (hours > 0)
    parts += [counted(minutes, "minuto", "minutos")] * (minutes > 0 and not days)
    return listed(parts) if parts else "menos de un minuto"
