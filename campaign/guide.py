"""How to play: the guide, and its examples tried one by one."""

from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from cvarenta.errors import prefers_json
from cvarenta.game.cards import NAMES
from cvarenta.game.events import describe
from tournament.models import Season
from tournament.wording import prizes_of, season_in_words

from .chapters import CHAPTERS, LAST
from .characters import TABLES
from .examples import EXAMPLES
from .examples.answers import answer_to
from .examples.shown import shown
from .requests import FRAGMENT, wants_fragment


@never_cache
@require_safe
def guide(request):
    """How to play: the house game with its examples, one of them perhaps being tried; the other tables in short."""
    at = timezone.now()
    season = Season.objects.shown_at(at)
    tried, answer = request.GET.get("ejemplo"), None
    if tried is not None:
        answer = answer_to(example_named(tried), request.GET)
    context = {
        "tables": TABLES.items(),
        "chapters": CHAPTERS,
        "tournament": season and season_in_words(season, at),
        "prizes": prizes_of(season or Season(), LAST),
        "examples": _by_heading(request.GET, tried, answer),
    }
    return render(request, "campaign/guide.html", context, status=answer.status if answer else 200)


@never_cache
@vary_on_headers("Accept", FRAGMENT)
@require_safe
def example(request, slug):
    """One example tried: its fragment for the script, JSON for programs; anybody else is led to the guide."""
    found = example_named(slug)
    answer = answer_to(found, request.GET)
    if prefers_json(request):
        return JsonResponse(_json(found, answer), status=answer.status, json_dumps_params={"ensure_ascii": False})
    if wants_fragment(request):
        context = {"shown": shown(found, request.GET, answer)}
        return render(request, "campaign/_example.html", context, status=answer.status)
    asked = request.GET.copy()
    asked["ejemplo"] = slug
    return redirect(f"{reverse('guide')}?{asked.urlencode()}#{slug}")


def example_named(slug):
    """The example of this slug; 404 otherwise."""
    if slug not in EXAMPLES:
        raise Http404
    return EXAMPLES[slug]


def _by_heading(fields, tried, answer):
    """All examples as the templates want them, in lists by the heading they stand under."""
    headings = {}
    for slug, found in EXAMPLES.items():
        of_it = (fields, answer) if slug == tried else ({}, None)
        headings.setdefault(found.under.replace("-", "_"), []).append(shown(found, *of_it))
    return headings


def _json(example, answer):
    """An example's answer for programs."""
    told = {
        "example": example.slug,
        "allowed": answer.is_allowed,
        "reason": answer.code or None,
        "text": answer.text,
        "play": answer.play or None,
        "points": answer.points,
        "score": answer.score,
        "table": None if answer.table is None else [NAMES[card] for card in answer.table],
        "events": [describe(event) for event in answer.events],
    }
    return told | ({"error": answer.text} if answer.is_allowed is None else {})
