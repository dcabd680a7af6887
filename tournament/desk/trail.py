"""The trail of the review in the admin: who decided what, when, why, and what it changed; only to be read."""

from django.contrib import admin
from django.utils.html import format_html

from tournament.models import Decision

from .filters import ActionFilter, TrailDayFilter, TrailSeasonFilter
from .lists import ReadOnlyAdmin, searched
from .page import url_of
from .words import moment_of, player_of


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    list_display = ("when", "by_name", "what", "whose", "reason", "change", "points")
    list_display_links = None
    list_filter = (TrailSeasonFilter, ActionFilter, TrailDayFilter)
    list_select_related = ("run__season", "run__standing__player")
    search_fields = ("run__pk",)
    search_help_text = "El nombre de un jugador o su comienzo, o una vuelta entera"
    ordering = ("-at", "-pk")
    csv_name = "decisiones.csv"
    csv_columns = (
        "cuándo", "quién", "decisión", "vuelta", "número", "jugador", "temporada", "día", "cupo", "motivo",
        "estado antes", "estado después", "puntos antes", "puntos después",
    )  # fmt: skip

    def changelist_view(self, request, extra_context=None):
        return super().changelist_view(request, {"title": "Lo decidido", **(extra_context or {})})

    def get_search_results(self, request, decisions, text):
        return searched(decisions, text, run="run", standing="run__standing"), False

    @admin.display(description="cuándo")
    def when(self, decision):
        return moment_of(decision.at, decision.run.season)

    @admin.display(description="decisión")
    def what(self, decision):
        return decision.get_action_display()

    @admin.display(description="vuelta")
    def whose(self, decision):
        run = decision.run
        text = '<a href="{}"><bdi>{}</bdi></a> {}, cupo {}'
        return format_html(text, url_of(run), player_of(run), f"{run.day:%d/%m}", run.slot)

    @admin.display(description="antes y después")
    def change(self, decision):
        return f"{decision.get_state_before_display()} → {decision.get_state_after_display()}"

    @admin.display(description="puntos del jugador")
    def points(self, decision):
        return f"{decision.points_before} → {decision.points_after}"

    def csv_line(self, decision):
        run = decision.run
        return (
            decision.at.astimezone(run.season.zone).isoformat(),
            decision.by_name,
            decision.get_action_display(),
            run.pk,
            decision.number,
            player_of(run),
            run.season.name,
            run.day.isoformat(),
            run.slot,
            decision.reason,
            decision.get_state_before_display(),
            decision.get_state_after_display(),
            decision.points_before,
            decision.points_after,
        )
