"""Who works at the review desk, its addresses, and what comes of their decisions."""

from django.apps import apps
from django.contrib.auth.models import Group, Permission

from tests.support import client_of, make_player
from tournament import decisions
from tournament.models import ScoredRun, Standing
from tournament.reviewers import NAME, make_group

from .books import MONDAY, minutes

LIST = "/admin/tournament/scoredrun/"
TRAIL = "/admin/tournament/decision/"
MANY = f"{LIST}decidir/"
LATER = MONDAY + minutes(30)


def page_of(run_id):
    return f"{LIST}{run_id}/change/"


def decide_at(run_id):
    return f"{LIST}{run_id}/decidir/"


def check_at(run_id):
    return f"{LIST}{run_id}/comprobar/"


def reviewer_called(name):
    """A member of the group that comes with the migrations, which a transactional test before this one took away."""
    make_group(apps=apps)
    person = make_player(name, is_staff=True)
    person.groups.add(Group.objects.get(name=NAME))
    return person


def desk_of(name="mariana"):
    """A reviewer's browser."""
    return client_of(reviewer_called(name))


def staff_who(*rights, name="portero"):
    """The browser of someone on the staff with just these rights on the tournament's models."""
    person = make_player(name, is_staff=True)
    person.user_permissions.set(Permission.objects.filter(content_type__app_label="tournament", codename__in=rights))
    return client_of(person)


def shown(response):
    """The ids of the runs on a list, in order."""
    assert response.status_code == 200, response.get("Location", response.status_code)
    return [run.pk for run in response.context["cl"].result_list]


def decide(run_id, action, by, reason="Dos cuentas", at=LATER, seen=None, **more):
    seen = ScoredRun.objects.get(pk=run_id).news if seen is None else seen
    return decisions.decide(run_id=run_id, action=action, reason=reason, by=by, seen=seen, at=at, **more)


def standing(player):
    found = Standing.objects.get(player=player)
    return found.points, found.reached_at


def state(run_id):
    found = ScoredRun.objects.get(pk=run_id)
    return found.state, found.is_waiting, found.decided
