"""What the desk's lists share: they are read only, search by name as the ranking does, count no further than somebody
would turn pages, and go out as CSV."""

from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import QuerySet
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from cvarenta.lists import BoundedPaginator, is_searchable, players_called
from tournament.export import csv_response
from tournament.models import LONGEST_RUN_ID, ScoredRun, Standing

FOUND = 100  #: players
AT_A_TIME = 500  #: rows of a CSV


def standings_called(text: str) -> list[int]:
    """The standings of the players called so, of a hundred at most."""
    players = players_called(text).order_by("search_key").values_list("pk", flat=True)[:FOUND]
    return list(Standing.objects.filter(player_id__in=list(players)).values_list("pk", flat=True))


def searched(queryset: QuerySet, text: str, *, run: str, standing: str) -> QuerySet:
    """The rows of the run with exactly this id, or else of the players found; `run` and `standing` are the lookups."""
    text = text.strip()
    if not text:
        return queryset
    if not is_searchable(text):
        return queryset.none()
    run_id = text.casefold()
    if len(run_id) <= LONGEST_RUN_ID and ScoredRun.objects.filter(pk=run_id).exists():
        return queryset.filter(**{run: run_id})
    return queryset.filter(**{f"{standing}__in": standings_called(text)})


class ReadOnlyAdmin(admin.ModelAdmin):
    """A list that nobody changes anything in, superusers neither; `csv_name`, `csv_columns` and `csv_line` say how it
    goes out."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 0
    sortable_by = ()
    empty_value_display = ""
    change_list_template = "admin/tournament/list.html"
    csv_name = ""
    csv_columns = ()

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, row=None):
        return False

    def has_delete_permission(self, request, row=None):
        return False

    def lookup_allowed(self, lookup, value, request):
        """What the filters know; no other question by an address."""
        return lookup in {found.parameter_name for found in self.list_filter}

    def get_urls(self):
        """The fixed addresses go before Django's, which take anything for a row's key."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_csv"
        return [path("csv/", self.admin_site.admin_view(self.csv), name=name), *super().get_urls()]

    def csv(self, request):
        return require_safe(self._csv)(request)

    def _csv(self, request):
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters as error:
            raise BadRequest from error
        return csv_response(self.csv_name, self.csv_columns, map(self.csv_line, rows.iterator(AT_A_TIME)))

    def csv_line(self, row) -> tuple:
        raise NotImplementedError

    def changelist_view(self, request, extra_context=None):
        asked = {name: request.GET[name] for name in request.GET if name not in ("p", "e", "o", "all")}
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_csv"
        csv_url = f"{reverse(name)}?{urlencode(asked)}"
        return super().changelist_view(request, {"csv_url": csv_url, **(extra_context or {})})
