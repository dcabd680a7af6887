"""The books of the tournament: seasons, who stands in them, their scored runs, and what each run was paid."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

LONGEST_RUN_ID = 12
CHAPTERS = 5  #: of a run, as many as the campaign has


def is_time_zone(name: str) -> None:
    # Names without a place, as CET and localtime, are no zones to PostgreSQL, or others.
    if "/" not in name or name not in available_timezones():
        raise ValidationError("Esa zona horaria no existe: escríbela como America/Guayaquil.")


class SeasonQuerySet(models.QuerySet):
    """The named questions about seasons."""

    def open_at(self, at: datetime):
        """The season that pays at a moment: one at most."""
        return self.filter(Q(opens_at=None) | Q(opens_at__lte=at), closes_at__gt=at)

    def closed_at(self, at: datetime):
        return self.filter(closes_at__lte=at)

    def shown_at(self, at: datetime) -> "Season | None":
        """The season that pages tell of: the open one, or else the last that closed, or else the next."""
        seasons = list(self.order_by("closes_at"))  # there are few, and every page asks
        closed = [season for season in seasons if season.has_closed(at)]
        return next((season for season in seasons if season.is_open(at)), None) or next(
            iter(closed[-1:] or seasons), None
        )


class Season(models.Model):
    """A tournament: from when to when, in whose days, and what it pays."""

    name = models.CharField("nombre", max_length=60, unique=True)
    slug = models.SlugField("dirección", max_length=60, unique=True, help_text="Lo que va después de /ranking/")
    opens_at = models.DateTimeField("abre", null=True, blank=True, help_text="En hora de Quito; vacío: desde siempre")
    closes_at = models.DateTimeField("cierra", help_text="En hora de Quito; desde este instante nada suma")
    time_zone = models.CharField(
        "zona horaria",
        max_length=40,
        default="America/Guayaquil",
        validators=[is_time_zone],
        help_text="Cuyos días cuentan",
    )
    runs_a_day = models.PositiveSmallIntegerField("vueltas puntuables al día", default=3)
    chapter_points = models.PositiveIntegerField("puntos por capítulo", default=100)
    bonus_points = models.PositiveIntegerField("puntos por los cinco", default=200)
    attempts = models.PositiveSmallIntegerField("intentos por capítulo", default=1)
    final_at = models.DateTimeField("tabla final escrita", null=True, editable=False)
    amended_at = models.DateTimeField(
        null=True, editable=False, help_text="When the final table was last written again"
    )
    # Raised by each decision that moves points: what was kept of the ranking before it is not shown after it.
    revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    objects = SeasonQuerySet.as_manager()

    class Meta:
        verbose_name = "temporada"
        verbose_name_plural = "temporadas"
        ordering = ["-closes_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(opens_at__lt=F("closes_at")),
                name="season_opens_before_it_closes",
                violation_error_message="La temporada tiene que abrir antes de cerrar.",
            ),
            models.CheckConstraint(
                condition=Q(runs_a_day__gte=1, chapter_points__gte=1, bonus_points__gte=1, attempts__gte=1),
                name="season_values_are_positive",
                violation_error_message="Vueltas, puntos e intentos van desde 1.",
            ),
        ]

    def __str__(self):
        return self.name

    def is_open(self, at: datetime) -> bool:
        return not self.has_closed(at) and not self.is_to_come(at)

    def is_to_come(self, at: datetime) -> bool:
        return self.opens_at is not None and at < self.opens_at

    def has_closed(self, at: datetime) -> bool:
        """From the very instant of the close nothing counts."""
        return at >= self.closes_at

    @property
    def written_at(self) -> datetime | None:
        """When the final table that stands was written."""
        return self.amended_at or self.final_at

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def zone_name(self) -> str:
        """«Quito», «Tokyo»: whose hour it is, as people say it."""
        place = self.time_zone.rpartition("/")[2].replace("_", " ")
        return "Quito" if place == "Guayaquil" else place

    def day(self, at: datetime) -> date:
        """The day that a moment belongs to, where the season is held."""
        return at.astimezone(self.zone).date()

    def next_day(self, at: datetime) -> datetime:
        """The midnight after a moment, where the season is held."""
        day = self.day(at) + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=self.zone)


class StandingQuerySet(models.QuerySet):
    """The named questions about standings."""

    def ranked(self):
        """Those that have a place: with points, and still somebody's."""
        return self.filter(points__gt=0, player__isnull=False)

    def in_order(self):
        """By points, then by who reached theirs first, then by name."""
        return self.order_by("-points", "reached_at", "player__search_key")


class Standing(models.Model):
    """A player in a season: the sum of what their valid runs were paid. Outlives the account, without the player."""

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="standings", verbose_name="temporada", db_index=False
    )
    # Leaving goes through services.leave, which also takes the place out of the rank index.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="standings", verbose_name="jugador"
    )
    points = models.PositiveIntegerField("puntos", default=0)
    reached_at = models.DateTimeField("alcanzados", null=True)
    moved_at = models.DateTimeField(null=True, help_text="When the points last changed: by an award or a decision")
    runs = models.PositiveIntegerField("vueltas puntuables", default=0)
    day = models.DateField("último día", help_text="Of the season; the last one a slot was taken on")
    taken = models.PositiveSmallIntegerField("cupos de ese día")
    left_at = models.DateTimeField("cuenta cerrada", null=True)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = "puesto"
        verbose_name_plural = "puestos"
        indexes = [
            models.Index(
                "season", F("points").desc(), "reached_at", name="standing_rank",
                condition=Q(points__gt=0, player__isnull=False),
            ),
            models.Index(fields=["season", "moved_at"], name="standing_by_time"),
        ]  # fmt: skip
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="one_standing_per_season"),
            models.CheckConstraint(
                condition=Q(points=0, reached_at=None) | Q(points__gt=0, reached_at__isnull=False),
                name="standing_is_reached_with_points",
            ),
            models.CheckConstraint(
                condition=Q(player=None, left_at__isnull=False) | Q(player__isnull=False, left_at=None),
                name="standing_is_somebodys_until_they_leave",
            ),
        ]

    def __str__(self):
        return f"{self.season_id}: {self.player_id}"


class ScoredRunQuerySet(models.QuerySet):
    """The named questions about scored runs."""

    def valid(self):
        """Those whose awards count."""
        return self.exclude(state=ScoredRun.State.ANNULLED)

    def waiting(self):
        """Those that the desk should look at."""
        return self.filter(is_waiting=True)


class ScoredRun(models.Model):
    """A run that holds one of a day's slots, with the terms it was begun under: a season that is edited pays the runs
    that begin after. The campaign knows the run by the same id."""

    class State(models.TextChoices):
        """What the review says of it."""

        WAITING = "waiting", "Por revisar"
        APPROVED = "approved", "Aprobada"
        ANNULLED = "annulled", "Anulada"

    run_id = models.CharField("vuelta", primary_key=True, max_length=LONGEST_RUN_ID)
    season = models.ForeignKey(Season, models.PROTECT, related_name="runs", verbose_name="temporada", db_index=False)
    standing = models.ForeignKey(Standing, models.PROTECT, related_name="scored_runs", db_index=False)
    day = models.DateField("día", help_text="Of the season")
    slot = models.PositiveSmallIntegerField("cupo", help_text="Of the day, from 1")
    runs_a_day = models.PositiveSmallIntegerField()
    chapter_points = models.PositiveIntegerField()
    bonus_points = models.PositiveIntegerField()
    started_at = models.DateTimeField("empezó")
    outcome = models.CharField("final", max_length=9, blank=True)
    ended_at = models.DateTimeField("terminó", null=True)
    checked_at = models.DateTimeField("comprobada", null=True, help_text="When its matches were last verified")
    tried_at = models.DateTimeField(null=True, help_text="When somebody last began to verify them")
    measures = models.JSONField(null=True, help_text="Figures that verifying it gave, to compare runs by")
    state = models.CharField("estado", max_length=8, choices=State, default="waiting", db_default="waiting")
    decided = models.PositiveIntegerField("decisiones", default=0, db_default=0, help_text="How many in the trail")
    is_flagged = models.BooleanField("con señales", default=False, db_default=False)
    asks = models.BooleanField("pide una segunda mirada", default=False, db_default=False, help_text="And has none yet")
    # The desk should look: nobody has decided on it and it can be decided on (see `is_undecided`), or since somebody
    # did there came a flag that they had not seen, or its player's wish for a second look.
    is_waiting = models.BooleanField("espera", default=False, db_default=False)
    # How many decisions, flags and second looks there are: who decides has seen them all, or is told.
    news = models.PositiveIntegerField(default=0, db_default=0)

    objects = ScoredRunQuerySet.as_manager()

    class Meta:
        verbose_name = "vuelta puntuable"
        verbose_name_plural = "vueltas puntuables"
        permissions = [("review_scoredrun", "Puede aprobar, anular y restituir vueltas")]
        indexes = [
            models.Index(fields=["season", "day"]),
            models.Index(fields=["ended_at"], condition=Q(checked_at=None), name="run_to_check"),
            models.Index(
                fields=["-is_flagged", "-started_at", "run_id"], condition=Q(is_waiting=True), name="run_waiting"
            ),
            models.Index(fields=["-is_flagged", "-started_at", "run_id"], condition=Q(asks=True), name="run_asking"),
            # As the desk lists them: all, those of a day, and those of a state that may be few.
            models.Index(fields=["-is_flagged", "-started_at", "run_id"], name="run_by_time"),
            models.Index(fields=["day", "-is_flagged", "-started_at", "run_id"], name="run_by_day"),
            models.Index(
                fields=["-is_flagged", "-started_at", "run_id"], condition=Q(state="annulled"), name="run_annulled"
            ),
            models.Index(
                fields=["-is_flagged", "-started_at", "run_id"], condition=Q(state="approved"), name="run_approved"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["standing", "day", "slot"], name="one_run_per_slot"),
            models.CheckConstraint(condition=Q(slot__gte=1, slot__lte=F("runs_a_day")), name="slot_is_of_the_day"),
            models.CheckConstraint(
                condition=Q(outcome="", ended_at=None) | ~Q(outcome="") & Q(ended_at__isnull=False),
                name="scored_run_ends_with_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("waiting", "approved", "annulled")), name="run_state_is_known"
            ),
        ]

    def __str__(self):
        return self.run_id

    @property
    def is_valid(self):
        """Whether its awards count."""
        return self.state != self.State.ANNULLED

    def is_undecided(self, at: datetime) -> bool:
        """Whether nobody has decided on it, though it has ended, or its season has closed over it."""
        is_over = self.ended_at is not None or self.season.has_closed(at)
        return self.state == self.State.WAITING and is_over


class Award(models.Model):
    """What a run was paid for a chapter, or, with no chapter, for having won them all. Only ever added to."""

    run = models.ForeignKey(ScoredRun, models.PROTECT, related_name="awards", verbose_name="vuelta", db_index=False)
    chapter = models.PositiveSmallIntegerField("capítulo", null=True, help_text="Empty: the bonus")
    points = models.PositiveIntegerField("puntos")
    at = models.DateTimeField("cuándo")

    class Meta:
        verbose_name = "premio"
        verbose_name_plural = "premios"
        constraints = [
            models.UniqueConstraint(fields=["run", "chapter"], name="one_award_per_chapter"),
            models.UniqueConstraint(fields=["run"], condition=Q(chapter=None), name="one_bonus_per_run"),
            models.CheckConstraint(condition=Q(points__gte=1), name="award_pays"),
            models.CheckConstraint(
                condition=Q(chapter=None) | Q(chapter__gte=1, chapter__lte=CHAPTERS), name="award_is_of_a_chapter"
            ),
        ]

    def __str__(self):
        return f"{self.run_id}: {self.points}"


class Final(models.Model):
    """A line of the table that was written down when the season had closed."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="final", db_index=False)
    place = models.PositiveIntegerField("puesto")
    standing = models.OneToOneField(Standing, models.PROTECT, related_name="final")
    points = models.PositiveIntegerField("puntos")
    runs = models.PositiveIntegerField("vueltas puntuables")
    reached_at = models.DateTimeField("alcanzados")

    class Meta:
        verbose_name = "puesto final"
        verbose_name_plural = "tabla final"
        constraints = [models.UniqueConstraint(fields=["season", "place"], name="one_standing_per_place")]

    def __str__(self):
        return f"{self.season_id}: {self.place}"


class Flag(models.Model):
    """Something about a run that a reviewer should look at; accuses nobody by itself. Only ever added to."""

    run = models.ForeignKey(ScoredRun, models.PROTECT, related_name="flags", verbose_name="vuelta", db_index=False)
    kind = models.CharField("clase", max_length=16)
    about = models.CharField(
        max_length=60, blank=True, help_text="What tells several of a kind apart: a match, an account, a fault"
    )
    reason = models.CharField("motivo", max_length=200)
    evidence = models.TextField("indicio", blank=True)
    link = models.CharField(max_length=200, blank=True, help_text="Where it is seen, from the run's page")
    at = models.DateTimeField("cuándo")

    class Meta:
        verbose_name = "señal"
        verbose_name_plural = "señales"
        constraints = [models.UniqueConstraint(fields=["run", "kind", "about"], name="one_flag_of_a_kind")]

    def __str__(self):
        return f"{self.run_id}: {self.reason}"


class Decision(models.Model):
    """A line of the trail: what a reviewer decided on a run, and what that changed. Only ever added to: the database
    refuses to change or remove one (migration 0003). The reviewer is kept by name, for accounts go."""

    class Action(models.TextChoices):
        """What can be decided."""

        APPROVE = "approve", "Aprobar"
        ANNUL = "annul", "Anular"
        RESTORE = "restore", "Restituir"

    run = models.ForeignKey(ScoredRun, models.PROTECT, related_name="decisions", verbose_name="vuelta", db_index=False)
    number = models.PositiveIntegerField("número", help_text="Of the run's decisions, from 1")
    action = models.CharField("decisión", max_length=7, choices=Action)
    reason = models.CharField("motivo", max_length=500, blank=True)
    by_id = models.BigIntegerField()
    by_name = models.CharField("por", max_length=150)
    at = models.DateTimeField("cuándo")
    state_before = models.CharField("estado antes", max_length=8, choices=ScoredRun.State)
    state_after = models.CharField("estado después", max_length=8, choices=ScoredRun.State)
    # Of the standing
    points_before = models.PositiveIntegerField("puntos antes")
    points_after = models.PositiveIntegerField("puntos después")

    class Meta:
        verbose_name = "decisión"
        verbose_name_plural = "decisiones"
        indexes = [models.Index(fields=["-at"], name="decision_by_time")]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_decision_per_number"),
            models.CheckConstraint(condition=~Q(action="annul") | ~Q(reason=""), name="annulled_for_a_reason"),
        ]

    def __str__(self):
        return f"{self.run_id}: {self.action}"


class SecondLook(models.Model):
    """A player asks the desk to look at a run again: once for each run."""

    run = models.OneToOneField(ScoredRun, models.PROTECT, related_name="second_look", verbose_name="vuelta")
    text = models.CharField("qué pide", max_length=500, blank=True)
    at = models.DateTimeField("cuándo")

    class Meta:
        verbose_name = "segunda mirada"
        verbose_name_plural = "segundas miradas"

    def __str__(self):
        return self.run_id


class Trace(models.Model):
    """That a match of a run was begun from a device or an address, as a salted hash of it, for thirty days: several
    accounts from one are a sign to look at."""

    run = models.ForeignKey(ScoredRun, models.PROTECT, related_name="traces", verbose_name="vuelta", db_index=False)
    kind = models.CharField(max_length=8, choices=[("device", "aparato"), ("address", "dirección")])
    digest = models.CharField(max_length=64)
    at = models.DateTimeField("cuándo")

    class Meta:
        verbose_name = "rastro"
        verbose_name_plural = "rastros"
        indexes = [
            models.Index(fields=["digest", "at"], name="trace_by_digest"),
            models.Index(fields=["at"], name="trace_by_age"),
        ]
        constraints = [models.UniqueConstraint(fields=["run", "kind", "digest", "at"], name="one_trace_of_a_start")]

    def __str__(self):
        return f"{self.run_id}: {self.kind}"


class Tally(models.Model):
    """The rank index (PostgreSQL): how many ranked standings have these points, and reached them in this day or hour.
    See `tournament.postgres`."""

    season = models.ForeignKey(Season, models.CASCADE, db_constraint=False, db_index=False)
    grain = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()
    period = models.IntegerField()
    count = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "grain", "points", "period"], name="one_tally_per_bucket")
        ]


class Movement(models.Model):
    """A standing's step from one place of the rank index to another that the tallies do not know yet."""

    season = models.ForeignKey(Season, models.CASCADE, db_constraint=False)
    old_points = models.PositiveIntegerField()
    old_reached_at = models.DateTimeField(null=True)
    points = models.PositiveIntegerField()
    reached_at = models.DateTimeField(null=True)
