"""The list of scored runs: its columns, its filters, and its lines as CSV."""

from django.contrib import admin
from django.utils.timezone import localtime

from tournament.models import Season

from .filters import DayFilter, FirstFilter, FlaggedFilter, SeasonFilter, SecondLookFilter, StateFilter
from .lists import ReadOnlyAdmin, searched
from .words import OUTCOMES, asked_in_words, kinds_of, player_of, points_of

BY_PLACE = "-standing__points", "standing__reached_at", "standing__player__search_key"


class RunList(ReadOnlyAdmin):
    list_display = ("who", "when", "points", "end", "in_state", "flagged", "asked", "began", "ended", "of_season")
    list_display_links = ("who",)
    list_filter = (StateFilter, FlaggedFilter, SecondLookFilter, FirstFilter, DayFilter, SeasonFilter)
    list_select_related = ("season", "standing__player", "second_look")
    search_fields = ("pk",)
    search_help_text = "El nombre de un jugador o su comienzo, o una vuelta entera"
    ordering = ("-is_flagged", "-started_at", "run_id")
    csv_name = "vueltas.csv"
    csv_columns = (
        "vuelta", "jugador", "temporada", "día", "cupo", "ganados", "cuentan", "final", "estado", "señales",
        "segunda mirada", "empezó", "terminó",
    )  # fmt: skip

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("awards", "flags")

    def get_list_display(self, request):
        columns = self.list_display if Season.objects.count() > 1 else self.list_display[:-1]
        if not FirstFilter.is_asked_by(request):
            return columns
        return ("place", *(name for name in columns if name != "ended"))

    def get_ordering(self, request):
        return (*BY_PLACE, *self.ordering) if FirstFilter.is_asked_by(request) else self.ordering

    def get_search_results(self, request, runs, text):
        return searched(runs, text, run="pk", standing="standing"), False

    def changelist_view(self, request, extra_context=None):
        return super().changelist_view(request, {"title": StateFilter.title_of(request), **(extra_context or {})})

    @admin.display(description="puesto")
    def place(self, run):
        return run.place

    @admin.display(description="jugador")
    def who(self, run):
        return player_of(run)

    @admin.display(description="día")
    def when(self, run):
        return f"{run.day:%d/%m}, cupo {run.slot}"

    @admin.display(description="puntos")
    def points(self, run):
        return points_of(run) if run.is_valid else f"{points_of(run)}, no cuentan"

    @admin.display(description="final")
    def end(self, run):
        return OUTCOMES.get(run.outcome, run.outcome)

    @admin.display(description="estado")
    def in_state(self, run):
        return run.get_state_display()

    @admin.display(description="señales")
    def flagged(self, run):
        return kinds_of(run.flags.all())

    @admin.display(description="2.ª mirada")
    def asked(self, run):
        return asked_in_words(run)

    @admin.display(description="empezó")
    def began(self, run):
        return f"{localtime(run.started_at, run.season.zone):%d/%m %H:%M} ({run.season.zone_name})"

    @admin.display(description="terminó")
    def ended(self, run):
        return f"{localtime(run.ended_at, run.season.zone):%d/%m %H:%M}" if run.ended_at else ""

    @admin.display(description="temporada")
    def of_season(self, run):
        return run.season.name

    def csv_line(self, run):
        zone, points = run.season.zone, points_of(run)
        return (
            run.pk,
            player_of(run),
            run.season.name,
            run.day.isoformat(),
            run.slot,
            points,
            points if run.is_valid else 0,
            self.end(run),
            self.in_state(run),
            self.flagged(run),
            self.asked(run),
            run.started_at.astimezone(zone).isoformat(),
            run.ended_at.astimezone(zone).isoformat() if run.ended_at else "",
        )
