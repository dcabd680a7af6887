"""What a request asks for: its fields, and the matches and runs that its visitor may touch."""

import json

from django.http import Http404
from django.shortcuts import get_object_or_404

from .models import Match, Run
from .owners import owner_of

FRAGMENT = "X-Fragment"  #: the header by which a page's script asks for a part of it


class BadFields(ValueError):
    """What was posted is no form and no JSON object of short strings and numbers."""


def fields_of(request):
    """The posted fields as a dict of strings, from a form or a JSON object; raises BadFields."""
    if request.content_type != "application/json":
        return request.POST.dict()
    try:
        fields = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadFields from None
    if not isinstance(fields, dict) or not all(type(value) in (str, int) for value in fields.values()):
        raise BadFields
    return {name: str(value) for name, value in fields.items()}


def switch_of(request, name):
    """Whether the posted field `name` is 1 and not 0; raises BadFields for anything else."""
    value = fields_of(request).get(name)
    if value not in ("0", "1"):
        raise BadFields
    return value == "1"


def wants_fragment(request):
    """Whether a page's script asks for the changed part of it alone."""
    return FRAGMENT in request.headers


def whole_number(text):
    """The number in a string of a few digits; raises BadFields."""
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadFields
    return int(text)


def my_match(request, match_id, *, without=()):
    """The match of this id if it is the visitor's; 404 otherwise, nothing told. `without` names fields left unread."""
    # By its key alone: a query that also names the owner takes longer to build, and every play waits for it.
    found = get_object_or_404(Match.objects.defer(*without), pk=match_id)
    if not found.belongs_to(owner_of(request)):
        raise Http404
    return found


def match_to_look_at(request, match_id):
    """The match of this id and whether it is the visitor's: their own, or one that was won and is shared; 404
    otherwise, nothing told."""
    found = get_object_or_404(Match.objects.select_related("player"), pk=match_id)
    is_mine = found.belongs_to(owner_of(request))
    if not is_mine and not found.is_public:
        raise Http404
    return found, is_mine


def my_run(request, run_id):
    """The run of this id if it is the visitor's; 404 otherwise, nothing told."""
    return get_object_or_404(Run.objects.of(request.user), pk=run_id)
