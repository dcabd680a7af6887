"""The site's addresses and `/naive/<id>/`: signed in, the row locked, changed, saved, committed; no rules, no bots."""

import json

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.http import require_POST

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


urlpatterns = [path("naive/<int:pk>/", play), path("", include("cvarenta.urls"))]
