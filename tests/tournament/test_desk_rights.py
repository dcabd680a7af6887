"""Who may do what at the desk: every address and every action, by hand-made requests too."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client

from cvarenta.models import Player
from tests.support import PASSWORD, client_of
from tournament import review
from tournament.models import Award, Decision, Flag, ScoredRun, SecondLook, Standing
from tournament.review import Finding
from tournament.reviewers import NAME, make_group

from .books import MONDAY, score
from .reviewing import LIST, MANY, TRAIL, check_at, decide, decide_at, desk_of, page_of, staff_who

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
LOOKERS = ("viewer", "reviewer", "superuser")
DECIDERS = ("reviewer", "superuser")
EVERYBODY = ("anonymous", "stranger", "staff", "seasons", "viewer", "reviewer", "superuser")


@pytest.fixture
def run(season, player):
    run_id = score(player, 3)
    review.flag(run_id=run_id, finding=Finding("pace", "Muy rápido"), at=MONDAY)
    review.ask_again(run_id=run_id, text="Mírenla", at=MONDAY)
    return run_id


def browser_of(who, stranger):
    return {
        "anonymous": Client,
        "stranger": lambda: client_of(stranger),
        "staff": lambda: staff_who(),
        "seasons": lambda: staff_who("view_season", "change_season", "add_season", "delete_season"),
        "viewer": lambda: staff_who("view_scoredrun", "view_decision"),
        "reviewer": lambda: desk_of(),
        "superuser": lambda: client_of(Player.objects.create_superuser("jefa", password=PASSWORD)),
    }[who]()


def books():
    return [list(model.objects.order_by("pk").values()) for model in (ScoredRun, Standing, Award, Flag, Decision, SecondLook)]


def is_shut(answer):
    """Refused, or led to the way in, and nothing of the run told."""
    led_away = answer.status_code == 302 and answer["Location"].startswith(("/admin/login/", "/cuenta/login/"))
    return (led_away or answer.status_code in (403, 404)) and "dolores" not in answer.text


@pytest.mark.parametrize("who", EVERYBODY)
def test_only_who_may_look_sees_a_run_the_trail_or_a_file(run, stranger, who):
    browser = browser_of(who, stranger)
    decide(run, "annul", stranger, "Porque sí", MONDAY)
    before = books()
    for path in (LIST, f"{LIST}?q=dolores", page_of(run), f"{LIST}csv/?q=dolores", TRAIL, f"{TRAIL}csv/", f"{TRAIL}{Decision.objects.get().pk}/change/"):
        answer = browser.get(path)
        if who in LOOKERS:
            assert answer.status_code == 200, path
        else:
            assert is_shut(answer), path
    assert books() == before


@pytest.mark.parametrize("who", [who for who in EVERYBODY if who not in DECIDERS])
def test_who_may_not_review_decides_nothing_by_any_request(run, stranger, who):
    browser, before = browser_of(who, stranger), books()
    one = {"action": "annul", "reason": "Porque sí", "seen": "0"}
    several = one | {"_selected_action": [run], f"seen_{run}": "0"}
    for path, fields in ((decide_at(run), one), (MANY, several), (check_at(run), {})):
        assert is_shut(browser.post(path, fields)), path
    for action in ("annul_many", "approve_many", "restore_many", "delete_selected"):
        answer = browser.post(LIST, several | {"action": action, "index": "0", "post": "yes"})
        assert is_shut(answer) or (who == "viewer" and answer.status_code == 200 and "Estas vueltas" not in answer.text), action
    if who == "viewer":
        text = browser.get(page_of(run)).text
        assert "Muy rápido" in text and "Mírenla" in text and "Anular" not in text and "Comprobar otra vez" not in text
        assert 'name="action"' not in browser.get(LIST).text
    assert books() == before


@pytest.mark.parametrize("who", ["viewer", *DECIDERS])
def test_nobody_edits_adds_or_deletes_anything_of_it(run, stranger, who):
    browser = browser_of(who, stranger)
    decide(run, "annul", stranger, "Porque sí", MONDAY)
    decision, before = Decision.objects.get().pk, books()
    everything = {"state": "approved", "outcome": "completed", "reason": "otro", "by_name": "nadie", "_save": "1", "post": "yes", "points_after": "9000"}
    for path in (
        f"{LIST}add/", page_of(run), f"{LIST}{run}/delete/", LIST, f"{TRAIL}add/", f"{TRAIL}{decision}/change/", f"{TRAIL}{decision}/delete/", TRAIL,
        *(f"/admin/tournament/{model}/add/" for model in ("flag", "award", "standing", "final", "secondlook", "trace")),
        "/admin/tournament/award/1/change/", "/admin/tournament/flag/1/delete/",
    ):  # fmt: skip
        answer = browser.post(path, everything)
        assert answer.status_code in (403, 404, 405) or (path in (LIST, TRAIL) and answer.status_code == 200), (path, answer.status_code)
    for listed in (LIST, TRAIL):
        browser.post(listed, {"action": "delete_selected", "index": "0", "_selected_action": [run, decision], "post": "yes"})
    assert books() == before


@pytest.mark.parametrize("who", DECIDERS)
def test_looking_or_a_wrong_method_decides_nothing(run, stranger, who):
    browser, before = browser_of(who, stranger), books()
    given = {"action": "annul", "reason": "x", "seen": "0", "_selected_action": run, f"seen_{run}": "0"}
    for path in (decide_at(run), MANY, check_at(run)):
        assert browser.get(path, given).status_code == browser.put(path).status_code == browser.delete(path).status_code == 405
    browser.get(LIST, {"e": "1"})
    browser.get(page_of(run))
    assert browser.post(page_of(run), given).status_code == browser.post(f"{LIST}csv/").status_code == 405
    assert books() == before


def test_a_request_from_another_site_decides_nothing(run, stranger):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(Player.objects.create_superuser("jefa"))
    for path in (decide_at(run), MANY, check_at(run), LIST):
        assert browser.post(path, {"action": "annul", "reason": "x", "seen": "0"}).status_code == 403
    assert not Decision.objects.exists()


def test_who_may_review_and_not_look_does_neither(run):
    browser, before = staff_who("review_scoredrun"), books()
    assert browser.post(decide_at(run), {"action": "annul", "reason": "x", "seen": "0"}).status_code == 403
    assert browser.get(page_of(run)).status_code == 403 and books() == before


def test_a_reviewer_sees_runs_and_the_trail_and_nothing_else_of_the_admin(run):
    browser = desk_of()
    assert browser.get("/admin/").status_code == 200
    for path in ("cvarenta/player/", "auth/group/", "tournament/season/", "cvarenta/pastname/", "tournament/season/add/"):
        assert browser.get(f"/admin/{path}").status_code == 403


def test_a_reviewer_who_is_no_longer_one_is_out_at_once(run):
    browser = desk_of()
    Group.objects.get(name=NAME).user_set.clear()
    assert browser.get(LIST).status_code == 403
    assert browser.post(decide_at(run), {"action": "approve", "seen": "0"}).status_code == 403
    Player.objects.filter(username="mariana").update(is_active=False)
    assert is_shut(browser.get(LIST))


def test_the_group_comes_with_the_migrations_with_just_its_rights_and_stays_as_it_was_changed(db):
    Group.objects.filter(name=NAME).delete()
    for _ in range(2):
        make_group(apps=apps)
    group = Group.objects.get(name=NAME)
    rights = {"view_scoredrun", "review_scoredrun", "view_decision"}
    assert set(group.permissions.values_list("codename", flat=True)) == rights
    group.permissions.clear()
    make_group(apps=apps)
    assert not group.permissions.exists()
