"""Deciding on many runs at once: a page that says what each would lose or get, and one that says what became of it."""

from functools import wraps

from django.contrib import admin, messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.template.response import TemplateResponse
from django.views.decorators.http import require_POST

from cvarenta.wording import counted
from tournament.decisions import possible
from tournament.models import Decision

from .deciding import AT_ONCE, DecisionForm, decide, effect_of
from .page import url_of
from .words import player_of

REVIEW = "tournament.review_scoredrun"


def post_of_reviewer(view):
    """For whoever may review, by POST."""

    @wraps(view)
    def guarded(self, request, *args, **kwargs):
        if not (self.has_review_permission(request) and self.has_view_permission(request)):
            raise PermissionDenied
        return require_POST(lambda request: view(self, request, *args, **kwargs))(request)

    return guarded


class DecidesMany:
    """The actions of the list of runs, and who may take them."""

    actions = ("approve_many", "annul_many", "restore_many")

    def has_review_permission(self, request):
        return request.user.has_perm(REVIEW)

    @admin.action(description="Aprobar", permissions=["review"])
    def approve_many(self, request, runs):
        return self._ask(request, runs, Decision.Action.APPROVE)

    @admin.action(description="Anular…", permissions=["review"])
    def annul_many(self, request, runs):
        return self._ask(request, runs, Decision.Action.ANNUL)

    @admin.action(description="Restituir", permissions=["review"])
    def restore_many(self, request, runs):
        return self._ask(request, runs, Decision.Action.RESTORE)

    def _ask(self, request, runs, action):
        """The page between: which runs, and what each loses or gets."""
        if request.POST.get("select_across") != "1":  # as ticked, though one may wait no longer
            runs = self._ticked(request)
        runs = list(runs[: AT_ONCE + 1])
        if len(runs) > AT_ONCE:
            messages.warning(request, f"Son demasiadas de una vez: elige hasta {AT_ONCE}.")
            return None
        seen = {run.pk: run.news for run in runs}
        return self._many(request, runs, DecisionForm(initial={"action": action}), action, seen)

    @post_of_reviewer
    def decide_many(self, request):
        """Decide on each run by itself, and say what became of each."""
        runs, form = list(self._ticked(request)[: AT_ONCE + 1]), DecisionForm(request.POST)
        seen = {run.pk: self._seen(request, run) for run in runs}
        if not runs or len(runs) > AT_ONCE or "action" in form.errors:
            raise BadRequest
        if not form.is_valid():
            return self._many(request, runs, form, Decision.Action(form.cleaned_data["action"]), seen, status=400)
        fates = decide(runs, by=request.user, seen=seen, **form.cleaned_data)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Decididas: {sum(fate.is_done for fate in fates)} de {len(fates)}",
            "fates": [(fate, player_of(fate.run), url_of(fate.run)) for fate in fates],
        }
        status = 409 if any(fate.is_overtaken for fate in fates) else 200
        return TemplateResponse(request, "admin/tournament/scoredrun/decided.html", context, status=status)

    def _ticked(self, request):
        given = [run_id for run_id in request.POST.getlist("_selected_action") if "\0" not in run_id]
        runs = self.get_queryset(request).select_related(*self.list_select_related)
        return runs.filter(pk__in=given).order_by(*self.ordering)

    def _seen(self, request, run):
        given = request.POST.get(f"seen_{run.pk}", "")
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise BadRequest
        return int(given)

    def _many(self, request, runs, form, action, seen, status=200):
        can = sum(action in possible(run) for run in runs)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{action.label} {counted(can, 'vuelta', 'vueltas')}",
            "can": can,
            "form": form,
            "action": action,
            "needs_reason": action == Decision.Action.ANNUL,
            "rows": [
                (run, player_of(run), effect_of(run, action, is_one=False), seen[run.pk], url_of(run)) for run in runs
            ],
        }
        return TemplateResponse(request, "admin/tournament/scoredrun/decide_many.html", context, status=status)
