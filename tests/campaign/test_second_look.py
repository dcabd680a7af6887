"""A player asks the desk to look at a run again: once, when it has ended or was annulled."""

import pytest

from campaign.models import Run
from tests.support import client_of
from tests.tournament.books import MONDAY, minutes
from tournament import decisions
from tournament.models import ScoredRun, SecondLook

from .endings import LOST, finish
from .playing import JSON, PAGE, Program, Reader, at_once
from .test_run_page_points import run_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOMENT = "30 de noviembre de 2026, 12:00 (hora de Quito)"


@pytest.fixture
def lost(season, member):
    """A scored run that has ended; its address for asking."""
    finish(member, member.go_on("scored")["id"], LOST)
    return f"/campana/{Run.objects.get().pk}/revision/"


def decide(action, reviewer, at=MONDAY):
    run = ScoredRun.objects.get()
    decisions.decide(run_id=run.pk, action=action, reason="Dos cuentas", by=reviewer, seen=run.news, at=at)


def is_waiting():
    return ScoredRun.objects.get().is_waiting


def asked():
    return list(SecondLook.objects.values_list("text", flat=True))


def test_it_is_asked_by_the_form_and_reaches_the_desk(lost, member, reviewer):
    decide("annul", reviewer)
    assert not is_waiting()
    reader = Reader(member.browser)
    page = reader.open(lost.removesuffix("revision/"))[1]
    end, _ = reader.submit(page.form_to(lost), [("text", "Jugué yo,\r\n<b>de verdad</b>")])
    assert end == f"{lost.removesuffix('revision/')}#revision" and is_waiting() and asked() == ["Jugué yo,\n<b>de verdad</b>"]
    text = reader.browser.get(end, headers=PAGE).text
    assert f"Pediste una segunda mirada el {MOMENT}: la mesa de revisión la tiene." in text
    assert "<bdi>Jugué yo,<br>&lt;b&gt;de verdad&lt;/b&gt;</bdi>" in text and "<textarea" not in text


def test_programs_ask_too_with_no_words_at_all(lost, member):
    answer = member.post(lost, {})
    assert (answer.status_code, answer.json()) == (201, {"run": Run.objects.get().pk, "asked_at": MONDAY.isoformat()})
    assert asked() == [""] and member.browser.get(lost.removesuffix("revision/"), headers=JSON).json()["review"]["second_look"]


def test_it_is_offered_openly_on_an_annulled_run_and_folded_on_others(lost, member, reviewer):
    page = lost.removesuffix("revision/")
    assert "<details><summary>Pedir una segunda mirada" in member.browser.get(page, headers=PAGE).text
    decide("annul", reviewer)
    text = member.browser.get(page, headers=PAGE).text
    assert "<textarea" in text and "<details" not in text


def test_an_answer_of_the_desk_is_told(lost, member, reviewer):
    member.post(lost, {})
    decide("approve", reviewer, MONDAY + minutes(5))
    assert f"Pediste una segunda mirada el {MOMENT}, y la mesa de revisión ya la dio." in run_page(member)


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(lost, member, method):
    assert getattr(member.browser, method)(lost).status_code == 405 and asked() == []


def test_who_only_comes_is_led_to_the_run(lost, member):
    answer = member.browser.get(lost, headers=PAGE)
    assert (answer.status_code, answer["Location"]) == (302, f"{lost.removesuffix('revision/')}#revision") and asked() == []


def test_nobody_asks_for_the_run_of_another(lost, client, stranger, reviewer):
    for browser in (client, client_of(stranger), client_of(reviewer)):
        for headers in (PAGE, JSON):
            assert browser.post(lost, {"text": "¿?"}, headers=headers).status_code == 404
    assert asked() == []


def test_asking_again_is_answered_kindly_and_changes_nothing(lost, member):
    member.post(lost, {"text": "una"})
    answer = member.post(lost, {"text": "dos"})
    assert answer.status_code == 409 and "ya está pedida" in answer.json()["error"]
    page = member.browser.post(lost, {"text": "tres"}, headers=PAGE)
    assert page.status_code == 409 and "ya está pedida" in page.text and asked() == ["una"]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_ask_once(season, player, tab_of):
    member = Program(client_of(player))
    finish(member, member.go_on("scored")["id"], LOST)
    path, tabs = f"/campana/{Run.objects.get().pk}/revision/", [tab_of(player), tab_of(player)]
    answers = at_once(*(lambda tab=tab: tab.post(path, {}) for tab in tabs))
    assert sorted(answer.status_code for answer in answers) == [201, 409] and SecondLook.objects.count() == 1


def test_a_run_under_way_is_not_looked_at_again_until_it_is_annulled(season, member, reviewer):
    member.go_on("scored")
    path = f"/campana/{Run.objects.get().pk}/revision/"
    assert member.post(path, {}).status_code == 409 and "segunda mirada" not in run_page(member)
    decide("annul", reviewer)
    assert "Pedir la segunda mirada" in run_page(member) and member.post(path, {}).status_code == 201


def test_a_free_run_has_nothing_to_look_at(season, member):
    finish(member, member.go_on("free")["id"], LOST)
    path = f"/campana/{Run.objects.get().pk}/revision/"
    for headers in (PAGE, JSON):
        assert member.browser.post(path, {}, headers=headers).status_code == 409
    assert asked() == []


def test_what_cannot_be_kept_is_refused_and_stays_in_the_form(lost, member):
    for text, kept in (("ñ" * 501, "ñ" * 501), ("a\0b", "ab")):
        answer = member.browser.post(lost, {"text": text}, headers=PAGE)
        assert answer.status_code == 400 and f">{kept}</textarea>" in answer.text and "<details open>" in answer.text
        assert 'role="alert"' in answer.text
    for body in ('{"text": "\\ud800"}', '{"text": "\\u0000"}', '{"text": []}', "{", "7"):
        answer = member.browser.post(lost, body, content_type="application/json", headers=JSON)
        assert answer.status_code == 400 and answer.json()["error"], body
    assert asked() == []
    assert member.browser.post(lost, {"text": "ñ\r\n" * 250}).status_code == 302 and len(asked()[0]) == 499


def test_the_run_stays_as_it_was_for_all_else(lost, member, player):
    before = ScoredRun.objects.values("state", "decided", "outcome").get()
    member.post(lost, {})
    assert ScoredRun.objects.values("state", "decided", "outcome").get() == before and is_waiting()
