"""Long lists: counted no further than somebody would turn pages, and searched by the name of a player."""

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


def called(rows: QuerySet, text: str, *, key: str) -> QuerySet:
    """The rows whose player's name begins so, or else has it somewhere, regardless of case and accents; `key` is the
    lookup of the name's search key. Of what leaves nothing to look for, as an accent alone, none."""
    wanted = search_key(text.strip())
    if not wanted or not is_searchable(text):
        return rows.none()
    named = rows.filter(**{f"{key}__startswith": wanted})
    return named if named.exists() else rows.filter(**{f"{key}__contains": wanted})


def players_called(text: str, players: QuerySet | None = None) -> QuerySet:
    return called(Player.objects.all() if players is None else players, text, key="search_key")
