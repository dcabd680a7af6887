"""The site's addresses and two more. `/naive/<id>/`: signed in, the row locked, changed, saved, committed; no rules, no
bots. `/naive/row/`: one row read, and with `?who` the player who asks."""

import json

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tournament.models import Season

from .models import NaiveMatch

PLAYS = " 5H 5Sx5D 3C 4D"


@require_POST
@login_required
def play(request, pk):
    fields = json.loads(request.body)
    with transaction.atomic():
        row = get_object_or_404(NaiveMatch.objects.select_for_update(), pk=pk, player=request.user)
        row.ply += 4
        row.plays += PLAYS
        row.think_times += " 1500"
        row.state = row.state[1:] + row.state[:1]
        row.played_at = timezone.now()
        row.save()
    return JsonResponse({"ply": row.ply, "play": fields["play"]})


@require_safe
def row(request):
    who = request.user.username if "who" in request.GET else ""
    return HttpResponse(f"{Season.objects.order_by('pk')[0].name} {who}")


urlpatterns = [path("naive/<int:pk>/", play), path("naive/row/", row), path("", include("cvarenta.urls"))]
