"""Scored runs in the admin: the list, the page of a run, and its buttons."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path
from django.views.decorators.http import require_safe

from cvarenta.tasks import soon
from tournament import tasks
from tournament.decisions import possible
from tournament.models import LONGEST_RUN_ID, Decision, ScoredRun

from .columns import RunList
from .deciding import OWN_RUN, OneDecisionForm, choices_for, decide
from .many import DecidesMany, post_of_reviewer
from .page import run_context, url_of
from .words import player_of


@admin.register(ScoredRun)
class ScoredRunAdmin(DecidesMany, RunList):
    def get_urls(self):
        def wrap(view):
            return self.admin_site.admin_view(view)

        return [
            path("decidir/", wrap(self.decide_many), name="tournament_scoredrun_decide_many"),
            path("<str:run_id>/decidir/", wrap(self.decide_one), name="tournament_scoredrun_decide"),
            path("<str:run_id>/comprobar/", wrap(self.check_again), name="tournament_scoredrun_check"),
            *super().get_urls(),
        ]

    def change_view(self, request, object_id, form_url="", extra_context=None):
        return require_safe(self._show)(request, object_id)

    def _show(self, request, run_id):
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request, self._run(request, run_id))

    @post_of_reviewer
    def decide_one(self, request, run_id):
        """Decide on a run; whoever was overtaken sees the run as it is now, and by whom."""
        run = self._run(request, run_id)
        form = OneDecisionForm(request.POST)
        if not form.is_valid():
            return self._page(request, run, form=form, status=400)
        given = form.cleaned_data
        [fate] = decide([run], **given | {"seen": {run.pk: given["seen"]}}, by=request.user)
        if not fate.is_done:
            return self._page(request, self._run(request, run_id), form=form, refused=fate, status=409)
        messages.success(request, f"{fate.says} {player_of(run)}, {run.day:%d/%m}, cupo {run.slot}.")
        return HttpResponseRedirect(url_of(run))

    @post_of_reviewer
    def check_again(self, request, run_id):
        run = self._run(request, run_id)
        soon(tasks.check_run, run.pk, True)
        messages.success(request, "Se está comprobando otra vez: mira de nuevo en un minuto.")
        return HttpResponseRedirect(url_of(run))

    def _run(self, request, run_id):
        if "\0" in run_id or len(run_id) > LONGEST_RUN_ID:
            raise Http404
        run = self.get_queryset(request).select_related(*self.list_select_related).filter(pk=run_id).first()
        if run is None:
            raise Http404
        return run

    def _page(self, request, run, *, form=None, refused=None, status=200):
        context = {
            **self.admin_site.each_context(request),
            **run_context(run, request),
            "opts": self.opts,
            "title": f"{player_of(run)} · {run.day:%d/%m/%Y}, cupo {run.slot}",
            "may_review": self.has_review_permission(request),
            "actions": choices_for(run),
            "may_annul": Decision.Action.ANNUL in possible(run),
            "own_run": OWN_RUN if run.standing.player_id == request.user.pk else "",
            "form": form or OneDecisionForm(initial={"seen": run.news}),
            # A page that is sent back for a mistake is as old as it was; one that shows the run anew is not.
            "seen": form.data["seen"] if form and not refused and "seen" not in form.errors else run.news,
            "refused": refused,
        }
        return TemplateResponse(request, "admin/tournament/scoredrun/run.html", context, status=status)
