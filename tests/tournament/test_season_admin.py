"""Keeping the seasons in the admin: what the form refuses, what a change does to what was earned, and who may."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction
from django.test import Client

from cvarenta.models import Player
from tests.support import PASSWORD, client_of, make_player
from tournament import services
from tournament.models import Award, Final, ScoredRun, Season, Standing

from .apart import Apart
from .books import CLOSE, MONDAY, begin, in_threads, minutes, own_faults, score, seconds, win
from .reviewing import decide

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/tournament/season/", "/admin/tournament/season/add/"
NEW = {
    "name": "Carnaval 2027", "slug": "carnaval-2027", "opens_at_0": "2027-02-01", "opens_at_1": "00:00:00", "closes_at_0": "2027-02-09",
    "closes_at_1": "23:59:00", "time_zone": "America/Guayaquil", "runs_a_day": "3", "chapter_points": "100", "bonus_points": "200", "attempts": "1",
}  # fmt: skip
NEW_FIELDS = ("name", "slug", "opens_at", "closes_at", "time_zone", "runs_a_day", "chapter_points", "bonus_points", "attempts")
OLD = NEW | {
    "name": "Fiestas de Quito 2026", "slug": "fiestas-de-quito-2026", "opens_at_0": "", "opens_at_1": "", "closes_at_0": "2026-12-06",
}  # fmt: skip


@pytest.fixture(autouse=True)
def monday():
    with time_machine.travel(MONDAY + minutes(60), tick=False):
        yield


@pytest.fixture
def desk(season):
    """A browser of someone who may do anything in the admin."""
    return client_of(Player.objects.create_superuser("admin", password=PASSWORD))


def page_of(season):
    return f"{LIST}{season.pk}/change/"


def errors(response):
    """What the form refuses, in one text."""
    assert response.status_code == 200, response["Location"]
    form = response.context["adminform"].form
    return " ".join(str(error) for found in form.errors.values() for error in found)


def said(response):
    return " ".join(str(message) for message in response.context["messages"])


def row(season):
    return Season.objects.filter(pk=season.pk).values().get()


def books():
    return [list(model.objects.order_by("pk").values()) for model in (Standing, ScoredRun, Award, Final)]


def test_a_season_is_added_as_it_was_written(desk, season):
    assert desk.post(ADD, NEW)["Location"] == LIST
    added = Season.objects.get(slug="carnaval-2027")
    assert (added.opens_at, added.closes_at) == (CLOSE + timedelta(days=56, minutes=1), CLOSE + timedelta(days=65))
    assert (added.runs_a_day, added.chapter_points, added.bonus_points, added.attempts, added.final_at) == (3, 100, 200, 1, None)


def test_the_empty_form_is_there(desk):
    answer = desk.get(ADD)
    assert answer.status_code == 200 and list(answer.context["adminform"].form.fields) == list(NEW_FIELDS)


def test_the_form_shows_the_close_by_quitos_clock(desk, season):
    fields = desk.get(page_of(season)).context["adminform"].form
    text = str(fields["closes_at"])
    assert "06/12/2026" in text and "23:59:00" in text


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"opens_at_0": "2027-02-10"}, "La temporada tiene que abrir antes de cerrar."),
        ({"opens_at_0": "2027-02-09", "opens_at_1": "23:59:00"}, "La temporada tiene que abrir antes de cerrar."),
        ({"runs_a_day": "0"}, "van desde 1"),
        ({"chapter_points": "0"}, "van desde 1"),
        ({"bonus_points": "0"}, "van desde 1"),
        ({"attempts": "0"}, "van desde 1"),
        ({"chapter_points": "-100"}, "mayor o igual"),
        ({"runs_a_day": "-1"}, "mayor o igual"),
        ({"chapter_points": "diez"}, "número"),
        ({"time_zone": "America/Quito"}, "Esa zona horaria no existe"),
        ({"time_zone": "../../etc/passwd"}, "Esa zona horaria no existe"),
        ({"time_zone": "localtime"}, "Esa zona horaria no existe"),
        ({"time_zone": "CET"}, "Esa zona horaria no existe"),  # an hour that PostgreSQL never moves in summer
        ({"closes_at_0": ""}, "obligatorio"),
        ({"closes_at_0": "6 de diciembre"}, "válid"),
        ({"name": "Fiestas de Quito 2026"}, "Ya existe"),
        ({"slug": "fiestas-de-quito-2026"}, "Ya existe"),
        ({"slug": "fiestas/2027"}, "slug"),
        ({"opens_at_0": "2026-12-06"}, "Se cruza con «Fiestas de Quito 2026»"),
        ({"opens_at_0": "", "opens_at_1": ""}, "Se cruza con «Fiestas de Quito 2026»"),
    ],
    ids=str,
)
def test_what_makes_no_season_is_refused(desk, season, changed, refused):
    assert refused in errors(desk.post(ADD, NEW | changed))
    assert Season.objects.count() == 1


@pytest.mark.parametrize("changed", [{"opens_at_0": "2027-02-10", "closes_at_0": "2027-02-09"}, {"runs_a_day": "0"}, {"time_zone": "Quito"}, {"closes_at_0": "2027-02-02"}], ids=str)
def test_nor_is_one_changed_to_it(desk, season, changed):
    desk.post(ADD, NEW)
    before = row(season)
    assert errors(desk.post(page_of(season), OLD | changed))
    assert row(season) == before


def test_seasons_may_follow_each_other_without_a_gap(desk, season):
    desk.post(ADD, NEW | {"opens_at_0": "2026-12-06", "opens_at_1": "23:59:00"})
    later = Season.objects.get(slug="carnaval-2027")
    at = {moment: list(Season.objects.open_at(moment)) for moment in (CLOSE - seconds(1), CLOSE)}
    assert at == {CLOSE - seconds(1): [season], CLOSE: [later]}


def test_a_change_that_changes_nothing_writes_nothing_else(desk, season, player):
    score(player, 2)
    before = row(season), books()
    assert desk.post(page_of(season), OLD)["Location"] == LIST
    assert (row(season), books()) == before


# What was earned already


def test_a_close_is_not_moved_to_before_something_that_was_earned(desk, season, player):
    score(player, 2, MONDAY)
    before = row(season)
    for hour in ("11:59:59", "12:00:00"):
        text = errors(desk.post(page_of(season), OLD | {"closes_at_0": "2026-11-30", "closes_at_1": hour}))
        assert "Ya hay puntos ganados después de esa hora" in text and "30 de noviembre de 2026, 12:00" in text
    assert row(season) == before
    assert desk.post(page_of(season), OLD | {"closes_at_0": "2026-11-30", "closes_at_1": "12:00:01"}).status_code == 302
    assert row(season)["closes_at"] == MONDAY + seconds(1) and not own_faults(season)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="elsewhere one writes at a time")
@pytest.mark.django_db(transaction=True)
def test_nor_to_before_something_that_is_being_earned(desk, season, player):
    run_id = begin(player)
    with transaction.atomic():
        win(run_id, 1, MONDAY + minutes(30))
        posting = Apart(lambda: desk.post(page_of(season), OLD | {"closes_at_0": "2026-11-30", "closes_at_1": "12:15:00"})).go()
        assert posting.waits()
    assert "Ya hay puntos ganados después de esa hora" in errors(posting.result())
    assert row(season)["closes_at"] == CLOSE and not own_faults(season)


def test_an_opening_is_not_moved_to_after_a_run_that_was_begun(desk, season, player):
    begin(player, MONDAY)
    text = errors(desk.post(page_of(season), OLD | {"opens_at_0": "2026-11-30", "opens_at_1": "12:00:01"}))
    assert "Ya hay vueltas empezadas antes de esa hora" in text and row(season)["opens_at"] is None
    assert desk.post(page_of(season), OLD | {"opens_at_0": "2026-11-30", "opens_at_1": "12:00:00"}).status_code == 302


def test_new_terms_say_what_they_do_and_change_nothing_that_was_earned(desk, season, player, rival_player):
    score(player, 5), win(begin(rival_player), 2)
    before = books()
    changed = {"chapter_points": "150", "runs_a_day": "2"}
    response = desk.post(page_of(season), OLD | changed, follow=True)
    assert (
        "Cambió: vueltas puntuables al día, puntos por capítulo. Vale para las vueltas que empiecen desde ahora. "
        "900 puntos en 2 vueltas quedan como están, y 1 vuelta en camino sigue como empezó."
    ) in said(response)
    assert books() == before and (row(season)["chapter_points"], row(season)["runs_a_day"]) == (150, 2)
    win(Standing.objects.get(player=rival_player).scored_runs.get().pk, 1, first=3)
    assert Award.objects.get(chapter=3, run__standing__player=rival_player).points == 100 and not own_faults(season)


def test_without_runs_there_is_nothing_to_say(desk, season):
    response = desk.post(page_of(season), OLD | {"chapter_points": "150"}, follow=True)
    assert "Cambió" not in said(response) and row(season)["chapter_points"] == 150


def test_the_page_says_what_was_earned_and_how_the_season_stands(desk, season, player, rival_player, reviewer):
    score(player, 5)
    decide(score(rival_player, 1), "annul", reviewer)
    text = desk.get(page_of(season)).text
    assert "700 puntos en 1 vuelta, sin contar 1 anulada" in text and "lo ya ganado queda como está" in text
    assert season.name in desk.get(LIST).text


@pytest.mark.parametrize("field", ["time_zone", "slug"])
def test_what_runs_were_begun_by_stays(desk, season, player, field):
    begin(player)
    desk.post(page_of(season), OLD | {"time_zone": "Asia/Tokyo", "slug": "otra"})
    assert row(season)[field] == OLD[field]


CHANGED = {
    "slug": "otra", "opens_at_0": "2026-11-01", "opens_at_1": "00:00:00", "closes_at_0": "2026-12-20", "time_zone": "Asia/Tokyo",
    "runs_a_day": "9", "chapter_points": "900", "bonus_points": "900", "attempts": "9", "final_at": "",
}  # fmt: skip


def test_of_a_season_that_is_final_only_the_name_may_change(desk, season, player):
    score(player, 2)
    services.close_seasons(at=CLOSE + services.GRACE)
    before, kept = row(season), books()
    assert desk.post(page_of(season), OLD | CHANGED | {"name": "Fiestas 2026"}).status_code == 302
    assert (row(season), books()) == (before | {"name": "Fiestas 2026"}, kept)
    form = desk.get(page_of(season)).context["adminform"].form
    assert list(form.fields) == ["name"]


def test_a_close_that_has_passed_is_not_moved_either(desk, season, player):
    """What was won after it was not paid, whether or not the table is written down."""
    before = row(season)
    with time_machine.travel(CLOSE, tick=False):
        assert desk.post(page_of(season), OLD | CHANGED).status_code == 302
    assert row(season) == before
    with time_machine.travel(CLOSE - seconds(1), tick=False):
        assert desk.post(page_of(season), OLD | {"closes_at_0": "2026-12-20"}).status_code == 302
    assert row(season)["closes_at"] == CLOSE + timedelta(days=14)


# Overlapping seasons, written past the form


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's constraint")
@pytest.mark.parametrize(
    ("opens_at", "closes_at", "overlaps"),
    [
        (CLOSE - seconds(1), CLOSE + minutes(1), True),
        (None, MONDAY, True),
        (MONDAY, MONDAY + minutes(1), True),
        (CLOSE, CLOSE + minutes(1), False),
    ],
)
def test_the_database_refuses_two_seasons_at_once(season, opens_at, closes_at, overlaps):
    other = Season(name="Otra", slug="otra", opens_at=opens_at, closes_at=closes_at)
    if not overlaps:
        return other.save()
    with pytest.raises(IntegrityError, match="one_season_at_a_time"), transaction.atomic():
        other.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.bulk_create([other])


@pytest.mark.django_db(transaction=True)
def test_of_seasons_added_at_once_one_is_there_and_the_others_are_told(desk, season):
    admin = Player.objects.get(username="admin")
    desks = [client_of(admin) for _ in range(4)]
    for round_number in range(3):
        Season.objects.exclude(pk=season.pk).delete()
        fields = [NEW | {"name": f"Carnaval {n}", "slug": f"carnaval-{n}", "closes_at_0": f"2027-02-1{n}"} for n in range(4)]
        answers = in_threads([lambda d=d, f=f: d.post(ADD, f) for d, f in zip(desks, fields, strict=True)])
        assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 302], round_number
        assert all("Se cruza con" in errors(answer) for answer in answers if answer.status_code == 200)
        assert Season.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_who_change_it_at_once_both_come_through(desk, season):
    other = client_of(Player.objects.get(username="admin"))
    for points in ("150", "200"):
        answers = in_threads(
            [lambda: desk.post(page_of(season), OLD | {"chapter_points": points}), lambda: other.post(page_of(season), OLD | {"bonus_points": points})]
        )
        assert [answer.status_code for answer in answers] == [302, 302]


# Deleting


def delete(browser, season):
    browser.post(f"{LIST}{season.pk}/delete/", {"post": "yes"})
    browser.post(LIST, {"action": "delete_selected", "_selected_action": [season.pk], "post": "yes"})


def test_a_season_with_runs_is_not_deleted(desk, season, player):
    begin(player)
    assert desk.post(f"{LIST}{season.pk}/delete/", {"post": "yes"}).status_code == 403
    delete(desk, season)
    assert Season.objects.get() == season and "deletelink" not in desk.get(page_of(season)).text


def test_one_without_may_be(desk, season):
    desk.post(f"{LIST}{season.pk}/delete/", {"post": "yes"})
    assert not Season.objects.exists()


# Who may


def staff_who_may(*actions):
    staff = make_player("mariana", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__in=[f"{action}_season" for action in actions]))
    return client_of(staff)


@pytest.mark.parametrize("who", ["anonymous", "player", "staff without permission", "staff who may view", "staff who may view and delete"])
def test_who_may_not_changes_nothing_by_hand_either(season, player, who):
    begin(player)
    browser = {
        "anonymous": Client,
        "player": lambda: client_of(player),
        "staff without permission": staff_who_may,
        "staff who may view": lambda: staff_who_may("view"),
        "staff who may view and delete": lambda: staff_who_may("view", "delete"),
    }[who]()
    before = list(Season.objects.values()), books()
    for path, fields in [
        (ADD, NEW), (page_of(season), OLD | CHANGED | {"_save": "1"}), (page_of(season), OLD | {"chapter_points": "900", "_saveasnew": "1"}),
        (f"{LIST}{season.pk}/delete/", {"post": "yes"}), (f"{page_of(season)}?_popup=1", OLD | CHANGED),
        (LIST, {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": season.pk, "form-0-chapter_points": "900", "_save": "1"}),
        (LIST, {"action": "delete_selected", "_selected_action": [season.pk], "post": "yes"}),
    ]:  # fmt: skip
        answer = browser.post(path, fields)
        if path == LIST and "may view" in who:
            assert answer.status_code in (200, 302, 403)
        elif answer.status_code == 302:
            assert answer["Location"].startswith(("/admin/login/", "/cuenta/login/")), (path, answer["Location"])
        else:
            assert answer.status_code == 403, path
    assert (list(Season.objects.values()), books()) == before


def test_who_may_only_view_sees_all_of_it(season, player):
    score(player, 2)
    browser = staff_who_may("view")
    text = browser.get(page_of(season)).text
    assert "Fiestas de Quito 2026" in text and "200 puntos en 1 vuelta" in text and 'name="_save"' not in text
    assert 'type="text"' not in text.replace('id="searchbar"', "")


def test_who_may_change_seasons_may_not_change_the_books(season, player):
    """There is no page for standings, runs or awards to change."""
    score(player, 2)
    browser = staff_who_may("view", "change", "add")
    assert browser.get(page_of(season)).status_code == 200
    for model in ("standing", "scoredrun", "award", "final", "flag", "decision", "secondlook", "trace"):
        assert browser.get(f"/admin/tournament/{model}/").status_code in (403, 404)
        assert browser.post(f"/admin/tournament/{model}/add/", {}).status_code in (403, 404)
