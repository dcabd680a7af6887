"""Long lists in the admin: counted no further than somebody would turn pages, and players found by name."""

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property

from cvarenta.accounts.names import search_key
from cvarenta.models import Player

COUNTED = 1000  #: rows; beyond them it is «más de 1.000»
LONGEST_SEARCH = 60


class Counted(int):
    """A number of rows that says when there are more."""

    def __str__(self):
        return "más de 1.000" if self > COUNTED else super().__str__()


def counted_up_to(rows: QuerySet) -> Counted:
    """How many there are, or that there are more than a thousand."""
    return Counted(rows.order_by()[: COUNTED + 1].count())


class BoundedPaginator(Paginator):
    """Counts to a thousand, however many rows there are, and turns no further."""

    @cached_property
    def count(self):
        return counted_up_to(self.object_list)

    @cached_property
    def num_pages(self):
        return max(1, -(-min(self.count, COUNTED) // self.per_page))


def is_searchable(text: str) -> bool:
    """Whether anything can be called so."""
    return "\0" not in text and len(text) <= LONGEST_SEARCH


def players_called(text: str, players: QuerySet | None = None) -> QuerySet:
    """The players whose name begins so, or else has it somewhere, regardless of case and accents."""
    players, key = Player.objects.all() if players is None else players, search_key(text)
    named = players.filter(search_key__startswith=key)
    return named if named.exists() else players.filter(search_key__contains=key)
