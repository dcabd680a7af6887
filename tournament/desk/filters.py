"""What the desk's lists can be narrowed to, each by an index; what no filter knows narrows nothing."""

from datetime import date, datetime, timedelta

from django.contrib import admin
from django.db.models import Case, IntegerField, When
from django.utils import timezone
from django.utils.formats import date_format

from tournament import ranking
from tournament.models import Decision, ScoredRun, Season, Standing

DAYS = 7  #: that are offered; any other can be asked for in the address
FIRST = 20  #: places
YEARS = range(2000, 2200)
ALL = "todas"


def season_of(request) -> Season | None:
    """The season that was chosen, or else the one that pages tell of now."""
    if not hasattr(request, "desk_season"):
        chosen = request.GET.get("temporada", "")
        seasons = {str(season.pk): season for season in Season.objects.all()}
        request.desk_season = seasons.get(chosen) or Season.objects.shown_at(timezone.now())
    return request.desk_season


class Filter(admin.SimpleListFilter):
    """Some choices of which one may be taken, told apart by their value in the address."""

    nothing = "Todas"

    def value(self):
        value = super().value()
        return value if value in dict(self.lookup_choices) else None

    def choices(self, changelist):
        nothing, *others = super().choices(changelist)
        return [nothing | {"display": self.nothing}, *others]


class StateFilter(Filter):
    """Those that wait for somebody are shown unless others are asked for, or somebody is looked for."""

    title, parameter_name = "Vueltas", "estado"
    WAIT = "esperan"
    SHOWN = {WAIT: "Por revisar", "aprobadas": "Aprobadas", "anuladas": "Anuladas", ALL: "Todas"}
    STATES = {"aprobadas": ScoredRun.State.APPROVED, "anuladas": ScoredRun.State.ANNULLED}
    TITLES = {WAIT: "Vueltas por revisar", "aprobadas": "Vueltas aprobadas", "anuladas": "Vueltas anuladas"}

    def __init__(self, request, params, model, model_admin):
        super().__init__(request, params, model, model_admin)
        self.asked = self.asked_by(request)

    @classmethod
    def asked_by(cls, request):
        """Which runs a page is asked for."""
        asked, is_search = request.GET.get(cls.parameter_name), bool(request.GET.get("q", "").strip())
        return asked if asked in cls.SHOWN else ALL if is_search else cls.WAIT

    @classmethod
    def title_of(cls, request):
        return cls.TITLES.get(cls.asked_by(request), "Vueltas")

    def lookups(self, request, model_admin):
        return list(self.SHOWN.items())

    def value(self):
        return self.asked

    def choices(self, changelist):
        return super().choices(changelist)[1:]

    def queryset(self, request, runs):
        if self.value() == self.WAIT:
            return runs.waiting()
        state = self.STATES.get(self.value())
        return runs.filter(state=state) if state else runs


class FlaggedFilter(Filter):
    title, parameter_name = "Señales", "senales"

    def lookups(self, request, model_admin):
        return [("con", "Con señales"), ("sin", "Sin señales")]

    def queryset(self, request, runs):
        return runs.filter(is_flagged=self.value() == "con") if self.value() else runs


class SecondLookFilter(Filter):
    title, parameter_name = "Segunda mirada", "segunda"

    def lookups(self, request, model_admin):
        return [("si", "Pedida")]

    def queryset(self, request, runs):
        return runs.filter(asks=True) if self.value() else runs


class DayFilter(Filter):
    """A day of the season's zone: the last few are offered."""

    title, parameter_name, nothing = "Día", "dia", "Todos"

    def lookups(self, request, model_admin):
        season = season_of(request)
        if season is None:
            self.used_parameters.pop(self.parameter_name, None)
            return []
        self.title = f"Día de {season.zone_name}"
        last = season.day(self.last_moment(season))
        days = [last - timedelta(days=number) for number in range(DAYS)]
        asked = self._asked()
        if asked and asked not in days:
            days.append(asked)
        return [(day.isoformat(), date_format(day, r"D j \d\e F")) for day in days]

    def last_moment(self, season: Season) -> datetime:
        """In whose day the latest may be: after the close no run is begun."""
        return min(timezone.now(), season.closes_at)

    def _asked(self):
        try:
            asked = date.fromisoformat(self.used_parameters.get(self.parameter_name, ""))
        except ValueError:
            return None
        return asked if asked.year in YEARS else None

    def value(self):
        asked = self._asked()
        return asked and asked.isoformat()

    def queryset(self, request, runs):
        return runs.filter(day=self.value()) if self.value() else runs


class SeasonFilter(Filter):
    title, parameter_name = "Temporada", "temporada"
    season = "season"

    def lookups(self, request, model_admin):
        return [(str(season.pk), season.name) for season in Season.objects.all()]

    def queryset(self, request, runs):
        return runs.filter(**{self.season: self.value()}) if self.value() else runs


class FirstFilter(Filter):
    """The runs of whoever stands in the first places, which is where the prizes are, by `place`."""

    title, parameter_name = "Ranking", "primeros"

    @classmethod
    def is_asked_by(cls, request):
        return request.GET.get(cls.parameter_name) == "si" and season_of(request) is not None

    def lookups(self, request, model_admin):
        return [("si", f"De los primeros {FIRST}")]

    def queryset(self, request, runs):
        season = season_of(request)
        if not self.value() or season is None:
            return runs
        lines = ranking.page_at(season, 1, at=timezone.now(), size=FIRST).lines
        places = {line.player: line.place for line in lines if line.player}
        standings = Standing.objects.filter(season=season, player__username__in=places)
        of = {pk: places[name] for pk, name in standings.values_list("pk", "player__username")}
        return runs.filter(standing__in=of).annotate(
            place=Case(*(When(standing=pk, then=place) for pk, place in of.items()), output_field=IntegerField())
        )


class ActionFilter(Filter):
    title, parameter_name = "Decisión", "decision"

    def lookups(self, request, model_admin):
        return [(str(action), action.label) for action in Decision.Action]

    def queryset(self, request, decisions):
        return decisions.filter(action=self.value()) if self.value() else decisions


class TrailSeasonFilter(SeasonFilter):
    season = "run__season"


class TrailDayFilter(DayFilter):
    """A day on which it was decided, midnight to midnight in the season's zone; after the close it goes on."""

    def last_moment(self, season):
        return timezone.now()

    def queryset(self, request, decisions):
        if not self.value():
            return decisions
        season, day = season_of(request), self._asked()
        begins = datetime(day.year, day.month, day.day, tzinfo=season.zone)
        return decisions.filter(at__gte=begins, at__lt=season.next_day(begins))
