"""What the first page of the admin says of the review desk."""

from django import template
from django.urls import reverse

from cvarenta.lists import counted_up_to
from tournament.models import ScoredRun

register = template.Library()


@register.simple_tag
def desk_doors() -> list[tuple[str, str, str]]:
    """What waits at the desk: (how many, what, where)."""
    waiting, address = ScoredRun.objects.waiting(), reverse("admin:tournament_scoredrun_changelist")
    doors = (
        ("por revisar", waiting, ""),
        ("con señales", waiting.filter(is_flagged=True), "?senales=con"),
        ("con segunda mirada pedida", waiting.filter(asks=True), "?segunda=si"),
    )
    return [(counted_up_to(runs), what, address + query) for what, runs, query in doors]
