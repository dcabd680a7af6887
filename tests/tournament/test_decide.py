"""Deciding at the desk: one run from its page, several at once, a page that is no longer true, and a reason that is missing."""

import pytest

from cvarenta.accounts.services import delete_player
from cvarenta.models import Player
from tests.support import client_of
from tournament import decisions, review
from tournament.models import Decision, ScoredRun, Standing

from .books import MONDAY, begin, crowd, minutes, own_faults, score, win
from .reviewing import LIST, MANY, check_at, decide_at, desk_of, page_of, reviewer_called, shown

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
WHY = "Se jugó a cuatro manos"


@pytest.fixture
def desk(season):
    return desk_of()


@pytest.fixture
def other_reviewer(season):
    return reviewer_called("eugenio")


def fields(action, seen=0, reason=""):
    return {"action": action, "seen": seen, "reason": reason}


def many(action, runs, seen=0, reason=""):
    return {"action": action, "reason": reason, "_selected_action": runs, **{f"seen_{run}": seen for run in runs}}


def points_of(player):
    return Standing.objects.get(player=player).points


def test_a_run_is_annulled_from_its_page_and_restored(desk, season, player):
    run = score(player, 3)
    answer = desk.post(decide_at(run), fields("annul", reason=f"  {WHY}\n"), follow=True)
    assert answer.redirect_chain == [(page_of(run), 302)]
    assert "Anulada. dolores, 30/11, cupo 1." in answer.text and f"«{WHY}»" in answer.text and "300 → 0 puntos" in answer.text
    assert points_of(player) == 0
    assert "Recupera 300 puntos: queda en 300" in answer.text
    desk.post(decide_at(run), fields("restore", seen=1))
    assert points_of(player) == 300
    assert [(line.action, line.reason, line.by_name) for line in Decision.objects.order_by("number")] == [
        ("annul", WHY, "mariana"), ("restore", "", "mariana"),
    ]  # fmt: skip
    assert own_faults(season) == []


def test_the_page_offers_what_can_be_done_and_says_what_it_does(desk, player):
    run = score(player, 3)
    text = desk.get(page_of(run)).text
    assert "Pierde 300 puntos: queda en 0" in text and 'value="approve"' in text and 'value="restore"' not in text
    desk.post(decide_at(run), fields("approve"))
    text = desk.get(page_of(run)).text
    assert 'value="annul"' in text and 'value="approve"' not in text and 'name="seen" value="1"' in text


@pytest.mark.parametrize("reason", ["", " \n\t "])
def test_to_annul_needs_a_reason(desk, player, reason):
    run = score(player, 3)
    answer = desk.post(decide_at(run), fields("annul", reason=reason))
    assert answer.status_code == 400 and "Para anular hace falta el motivo" in answer.text
    assert points_of(player) == 300 and not Decision.objects.exists()


@pytest.mark.parametrize(
    "given",
    [
        {"action": "annul", "reason": "x" * 501, "seen": "0"}, {"action": "annul", "reason": "a\0b", "seen": "0"}, {"action": "borrar", "reason": "x", "seen": "0"},
        {"reason": "x", "seen": "0"}, {"action": "annul", "reason": "x"}, {"action": "annul", "reason": "x", "seen": "-1"},
        {"action": "annul", "reason": "x", "seen": "uno"}, {},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_decision_changes_nothing(desk, player, given):
    run = score(player, 3)
    answer = desk.post(decide_at(run), given)
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert not Decision.objects.exists() and ScoredRun.objects.get(pk=run).state == "waiting"


def test_what_was_written_is_not_lost_with_a_mistake(desk, player):
    run = score(player, 3)
    answer = desk.post(decide_at(run), {"action": "annul", "reason": "x" * 501, "seen": "0"})
    assert "x" * 501 in answer.text and 'name="seen" value="0"' in answer.text


def test_who_was_overtaken_sees_by_whom_and_the_run_as_it_is_now(desk, player, other_reviewer):
    run = score(player, 3)
    decisions.decide(run_id=run, action="approve", reason="La vi entera", by=other_reviewer, seen=0, at=MONDAY + minutes(1))
    answer = desk.post(decide_at(run), fields("annul", reason=WHY))
    assert answer.status_code == 409
    assert "Mientras mirabas la aprobó eugenio, 30/11/2026, 12:01 (Quito). «La vi entera»" in answer.text
    assert 'name="seen" value="1"' in answer.text and "Aprobada" in answer.text and f">{WHY}</textarea>" in answer.text
    assert points_of(player) == 300 and Decision.objects.count() == 1


@pytest.mark.parametrize("comes, words", [
    (lambda run: review.flag(run_id=run, finding=review.Finding("pace", "Muy rápida"), at=MONDAY), "Mientras mirabas llegó una señal: Muy rápida."),
    (lambda run: review.ask_again(run_id=run, at=MONDAY), "Mientras mirabas se pidió una segunda mirada."),
], ids=["a flag", "a second look"])  # fmt: skip
def test_what_came_while_the_page_was_read_is_shown_before_anything_is_decided(desk, player, comes, words):
    run = score(player, 3)
    comes(run)
    answers = [desk.post(decide_at(run), fields("approve")), desk.post(MANY, many("approve", [run]))]
    assert [answer.status_code for answer in answers] == [409, 409] and all(words in answer.text for answer in answers)
    assert not Decision.objects.exists() and 'name="seen" value="1"' in answers[0].text
    assert desk.post(decide_at(run), fields("approve", seen=1)).status_code == 302


def test_a_stale_page_undoes_nothing_that_was_earned_since(desk, season, player, clock):
    run = begin(player)
    win(run, 1)
    desk.get(page_of(run))
    win(run, 1, MONDAY + minutes(5), first=2)
    clock.move_to(MONDAY + minutes(7))
    assert desk.post(decide_at(run), fields("annul", reason=WHY)).status_code == 302
    assert points_of(player) == 0
    win(run, 1, MONDAY + minutes(8), first=3)
    clock.move_to(MONDAY + minutes(9))
    assert desk.post(decide_at(run), fields("restore", seen=1)).status_code == 302
    assert points_of(player) == 300 and own_faults(season) == []


def test_what_cannot_be_is_said(desk, player):
    run = begin(player)
    answer = desk.post(decide_at(run), fields("approve"))
    assert answer.status_code == 409 and "Sigue en juego: se aprueba cuando termina." in answer.text
    assert desk.post(decide_at("nohay"), fields("approve")).status_code == 404


def test_it_is_verified_again_at_a_button(desk, player, monkeypatch):
    sent = []
    monkeypatch.setattr("tournament.desk.runs.soon", lambda task, *args: sent.append((task.name, *args)))
    run = score(player, 3)
    assert desk.post(check_at(run))["Location"] == page_of(run)
    assert sent == [("tournament.tasks.check_run", run, True)]
    assert desk.get(check_at(run)).status_code == 405 and desk.post(check_at("nohay")).status_code == 404


# Many at once


def test_several_are_annulled_with_one_reason_after_a_page_that_says_what_each_loses(desk, season, player, rival_player):
    runs = [score(player, 3), score(player, 1, MONDAY + minutes(1)), score(rival_player, 2)]
    page = desk.post(LIST, {"action": "annul_many", "index": "0", "_selected_action": runs})
    assert page.status_code == 200 and not Decision.objects.exists()
    for effect in ("Pierde 300 puntos", "Pierde 100 puntos", "Pierde 200 puntos"):
        assert effect in page.text
    assert all(f'name="seen_{run}" value="0"' in page.text for run in runs)
    answer = desk.post(MANY, many("annul", runs, reason=WHY))
    assert answer.status_code == 200 and "Decididas: 3 de 3" in answer.text
    assert points_of(player) == points_of(rival_player) == 0
    assert {(line.action, line.reason) for line in Decision.objects.all()} == {("annul", WHY)}
    page = desk.post(f"{LIST}?estado=anuladas", {"action": "restore_many", "index": "0", "_selected_action": runs})
    assert "Recupera 300 puntos" in page.text
    desk.post(MANY, many("restore", runs, seen=1))
    assert (points_of(player), points_of(rival_player), own_faults(season)) == (400, 200, [])


def test_of_several_each_that_was_overtaken_or_cannot_be_is_told_and_the_others_are_done(desk, player, rival_player, other_reviewer):
    free, taken, running = score(player, 1), score(rival_player, 1), begin(player, MONDAY + minutes(1))
    decisions.decide(run_id=taken, action="approve", by=other_reviewer, seen=0, at=MONDAY)
    page = desk.post(f"{LIST}?estado=esperan", {"action": "approve_many", "index": "0", "_selected_action": [free, taken, running]})
    assert "Ya está aprobada" in page.text  # though it waits no longer, it was ticked
    answer = desk.post(MANY, many("approve", [free, taken, running]))
    assert answer.status_code == 409 and "Decididas: 1 de 3" in answer.text
    assert "Mientras mirabas la aprobó eugenio" in answer.text and "Sigue en juego" in answer.text
    assert ScoredRun.objects.get(pk=free).state == "approved" and Decision.objects.count() == 2


def test_several_need_a_reason_too(desk, player):
    run = score(player, 3)
    answer = desk.post(MANY, many("annul", [run]))
    assert answer.status_code == 400 and "Para anular hace falta el motivo" in answer.text and f'name="seen_{run}" value="0"' in answer.text
    assert not Decision.objects.exists()


@pytest.mark.parametrize("given", [{"action": "borrar"}, {"seen": "x"}, {"_selected_action": []}, {"_selected_action": ["\0", "nohay"]}], ids=str)
def test_garbage_decides_nothing(desk, player, given):
    run = score(player, 3)
    sent = many("annul", [run], reason=WHY) | {f"seen_{run}": given.get("seen", 0)} | given
    assert desk.post(MANY, sent).status_code == 400
    assert not Decision.objects.exists()


def test_more_than_so_many_at_once_are_too_many(desk, season, monkeypatch):
    monkeypatch.setattr("tournament.desk.many.AT_ONCE", 2)
    runs = [score(one, 0) for one in crowd(3)]
    asked = {"action": "approve_many", "index": "0", "_selected_action": runs[:1], "select_across": "1"}
    answer = desk.post(LIST, asked, follow=True)
    assert "Son demasiadas de una vez" in answer.text and sorted(shown(answer)) == sorted(runs)
    assert desk.post(MANY, many("approve", runs)).status_code == 400
    assert not Decision.objects.exists()


def test_the_trail_keeps_the_name_of_a_reviewer_who_has_left(desk, player):
    run = score(player, 1)
    desk.post(decide_at(run), fields("annul", reason=WHY))
    delete_player(player=Player.objects.get(username="mariana"), at=MONDAY)
    boss = client_of(Player.objects.create_superuser("jefa"))
    assert "mariana" in boss.get(page_of(run)).text


def test_a_reviewers_own_run_is_for_somebody_else(season, clock):
    """Neither its page nor a request made by hand decides on it."""
    desk = desk_of("mariana")
    run_id = score(Player.objects.get(username="mariana"), 1)
    page = desk.get(page_of(run_id)).text
    assert "Es tu propia vuelta" in page and 'value="annul"' not in page
    answer = desk.post(decide_at(run_id), {"action": "approve", "reason": "", "seen": 0})
    assert answer.status_code == 409 and "Es tu propia vuelta" in answer.text
    assert not Decision.objects.exists()


def test_the_first_page_counts_what_waits(season, clock, player, rival_player):
    run_id = score(player, 1)
    score(rival_player, 1)
    review.flag(run_id=run_id, finding=review.Finding("pace", "Muy rápida"), at=MONDAY)
    review.ask_again(run_id=run_id, at=MONDAY)
    text = desk_of().get("/admin/").text
    assert "<b>2</b> por revisar" in text and "<b>1</b> con señales" in text and "<b>1</b> con segunda mirada" in text
