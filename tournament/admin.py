"""Seasons in the admin: what may be changed when, and what a change does to what was earned already: nothing."""

from django import forms
from django.contrib import admin, messages
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum
from django.utils import timezone

from cvarenta.wording import counted, moment_in_words

from . import desk, postgres  # noqa: F401
from .models import Award, ScoredRun, Season

TERMS = ("runs_a_day", "chapter_points", "bonus_points", "attempts")
OVERLAPS = "Se cruza con «{name}», y solo una temporada puede estar abierta a la vez."


class SeasonForm(forms.ModelForm):
    """Two seasons are never open at once, and a close is not moved to before something that was earned."""

    class Meta:
        model = Season
        fields = ("name", "slug", "opens_at", "closes_at", "time_zone", *TERMS)

    def __init__(self, *args, **kwargs):
        """Of a moment, date and time are two fields, and each says what it is."""
        super().__init__(*args, **kwargs)
        for name in {"opens_at", "closes_at"} & set(self.fields):
            for widget, part in zip(self.fields[name].widget.widgets, ("fecha", "hora"), strict=True):
                widget.attrs["aria-label"] = f"{self.fields[name].label}, {part}"

    def clean(self):
        super().clean()
        given = self.cleaned_data
        if self.errors:
            return
        opens_at = given.get("opens_at", self.instance.opens_at)
        closes_at = given.get("closes_at", self.instance.closes_at)
        for other in Season.objects.exclude(pk=self.instance.pk):
            if (opens_at is None or opens_at < other.closes_at) and (
                other.opens_at is None or other.opens_at < closes_at
            ):
                raise forms.ValidationError(OVERLAPS.format(name=other.name))
        if self.instance.pk:
            self._keep_what_was_earned(opens_at, closes_at)

    def _keep_what_was_earned(self, opens_at, closes_at):
        if "closes_at" in self.changed_data:
            if connection.vendor == "postgresql":
                postgres.hold_awards()
            last = Award.objects.filter(run__season=self.instance).order_by("-at").first()
            if last and last.at >= closes_at:
                when = moment_in_words(last.at, self.instance.zone, self.instance.zone_name)
                self.add_error("closes_at", f"Ya hay puntos ganados después de esa hora, los últimos el {when}.")
        first = ScoredRun.objects.filter(season=self.instance).order_by("started_at").first()
        if "opens_at" in self.changed_data and first and opens_at and first.started_at < opens_at:
            when = moment_in_words(first.started_at, self.instance.zone, self.instance.zone_name)
            self.add_error("opens_at", f"Ya hay vueltas empezadas antes de esa hora, la primera el {when}.")


@admin.register(Season)
class SeasonAdmin(admin.ModelAdmin):
    form = SeasonForm
    list_display = ("name", "slug", "state", "opens_at", "closes_at", "time_zone", *TERMS)
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": ("name", "slug", "opens_at", "closes_at", "time_zone")}),
        (
            "Lo que paga",
            {
                "fields": TERMS,
                "description": "Vale para las vueltas que empiecen desde ahora: cada vuelta se juega con lo que regía "
                "cuando empezó, y lo ya ganado queda como está.",
            },
        ),
        ("Los libros", {"fields": ("state", "earned")}),
    )

    @admin.display(description="estado")
    def state(self, season):
        at = timezone.now()
        if season.final_at:
            again = " de nuevo" if season.amended_at else ""
            when = moment_in_words(season.written_at, season.zone, season.zone_name)
            return f"Tabla final escrita{again} el {when}"
        if season.has_closed(at):
            return "Cerrada; la tabla final se escribe en un momento"
        return "Por abrir" if season.is_to_come(at) else "Abierta"

    @admin.display(description="ganado")
    def earned(self, season):
        valid = ScoredRun.objects.filter(season=season).valid()
        points = Award.objects.filter(run__in=valid).aggregate(sum=Sum("points", default=0))["sum"]
        runs, annulled = valid.count(), season.runs.filter(state=ScoredRun.State.ANNULLED).count()
        apart = f", sin contar {counted(annulled, 'anulada', 'anuladas')}" if annulled else ""
        return f"{counted(points, 'punto', 'puntos')} en {counted(runs, 'vuelta', 'vueltas')}{apart}"

    def get_fieldsets(self, request, season=None):
        """A season that is not there yet has no books."""
        return self.fieldsets if season else self.fieldsets[:-1]

    def get_prepopulated_fields(self, request, season=None):
        return {} if season else self.prepopulated_fields

    def get_readonly_fields(self, request, season=None):
        """What runs were begun by stays; and of a season that has closed only the name may change."""
        fixed = ["state", "earned"]
        if season:
            fixed.append("slug")
            if season.final_at or season.has_closed(timezone.now()):
                fixed += ["opens_at", "closes_at", "time_zone", *TERMS]
            elif season.runs.exists():
                fixed.append("time_zone")
        return fixed

    def has_delete_permission(self, request, season=None):
        return super().has_delete_permission(request, season) and not (season and season.runs.exists())

    def get_actions(self, request):
        return {}

    def changeform_view(self, request, *args, **kwargs):
        try:
            with transaction.atomic():
                return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:  # another season was written since the form looked: it looks again and says so
            return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request, season, form, change):
        if change:
            # Only what the form changed: the final table may be written meanwhile.
            season.save(update_fields=[name for name in form.changed_data if name in form.fields] or ["name"])
        else:
            super().save_model(request, season, form, change)
        if change and set(TERMS) & set(form.changed_data) and season.runs.exists():
            changed = ", ".join(
                str(Season._meta.get_field(name).verbose_name) for name in TERMS if name in form.changed_data
            )
            under_way = counted(
                season.runs.filter(ended_at=None).count(),
                "vuelta en camino sigue como empezó",
                "vueltas en camino siguen como empezaron",
            )
            messages.warning(
                request,
                f"Cambió: {changed}. Vale para las vueltas que empiecen desde ahora. {self.earned(season)} quedan como "
                f"están, y {under_way}.",
            )
