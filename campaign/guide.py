"""How to play."""

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.models import Season
from tournament.wording import prizes_of, season_in_words

from .chapters import CHAPTERS, LAST
from .characters import TABLES


@never_cache
@require_safe
def guide(request):
    """How to play: the house game, the other three tables in short."""
    at = timezone.now()
    season = Season.objects.shown_at(at)
    context = {
        "tables": TABLES.items(),
        "chapters": CHAPTERS,
        "tournament": season and season_in_words(season, at),
        "prizes": prizes_of(season or Season(), LAST),
    }
    return render(request, "campaign/guide.html", context)
