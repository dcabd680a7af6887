"""Ask for the analysis of a finished match: once, by its player; worked out in the background, seen by whom it is for."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign import analysing, services, tasks
from campaign.models import Analysis, Match
from cvarenta.celery import app
from cvarenta.game.bots import analysis as game_analysis
from cvarenta.game.rulesets import RULESETS
from cvarenta.tasks import SLOW
from tests.support import client_of
from tests.worker import until

from .endings import WON, finish
from .playing import JSON, PAGE, Page, Program, Reader, at_once

pytestmark = pytest.mark.django_db
FRAGMENT = {"accept": "text/html", "x-fragment": "analysis"}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """As always, with less to imagine."""
    monkeypatch.setattr(game_analysis, "WORLDS", 32)
    monkeypatch.setattr(game_analysis, "DEALS", 2)


@pytest.fixture
def finished(guest):
    """The id of a match that the guest has won after a few plays."""
    return finished_by(guest)


def finished_by(program):
    match_id = program.sit(ruleset="quito", rival="greedy")["id"]
    for _ in range(3):
        table = program.look(match_id)
        program.play(match_id, table["legal"][0], table["ply"])
    finish(program, match_id, WON)
    return match_id


def path_of(match_id):
    return f"/partida/{match_id}/analisis/"


def ask(program, match_id):
    return program.post(path_of(match_id), {})


def look(program, match_id):
    return program.browser.get(path_of(match_id), headers=JSON)


def page_of(browser, match_id):
    return browser.get(f"/partida/{match_id}/", headers=PAGE).text


def asked_long_ago(match_id, **ago):
    Analysis.objects.filter(pk=match_id).update(**dict.fromkeys(("asked_at", "told_at"), timezone.now() - timedelta(**ago)))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_says_what_every_play_and_every_deck_was(guest, ruleset):
    match_id = guest.sit(ruleset=ruleset, rival="greedy")["id"]
    table = guest.look(match_id)
    while not table["over"]:
        table = guest.play(match_id, table["legal"][0], table["ply"]).json()

    answer = ask(guest, match_id)
    assert (answer.status_code, answer.json()["result"]) == (202, None)
    assert tasks.analyse(match_id)

    told, match = look(guest, match_id).json(), Match.objects.get()
    assert told["done"] == told["total"] > 0
    assert told["result"]["plies"] == match.ply
    assert len(told["result"]["luck"]["decks"]) == match.load_game().deck_number + 1
    text = page_of(guest.browser, match_id)
    for play in told["result"]["plays"]:
        assert f"/partida/{match_id}/?jugada={play['ply']}#repaso" in text
    assert "La suerte del reparto" in text and "Cada jugada tuya" in text


BEST = {
    "ply": 7,
    "deck": 0,
    "played": "5H",
    "best": "5H",
    "chance": [0.5, 0.5],
    "second": 0.25,
    "lead": [1, 1],
    "cost": 0,
}
DEAR = BEST | {"ply": 11, "best": "KD", "chance": [0.31, 0.415], "lead": [-1.8, 1.0], "cost": 2.8}
LIKELIER = DEAR | {"ply": 15, "played": "QD", "best": "KSxKH", "cost": 0}


@pytest.mark.parametrize(
    ("plays", "luck", "said"),
    [
        ([BEST, DEAR, LIKELIER], (-7.2, 2), ["2,8 puntos", "en una jugada de 3 en", "−7,2 puntos", "cartas en contra tuya",
          "31 % de ganar", "41,5 % de ganar", "La del maestro promete 2,8 puntos más", "Recoger K con la K",
          "no promete más puntos, pero gana más partidas", "La segunda mejor daba 25 %", "Los momentos que"]),
        ([DEAR, DEAR], (1, 2), ["en 2 jugadas de 2 en", "+1 punto ", "más o menos como en un reparto común"]),
        ([BEST], (3.5, 2), ["0 puntos", "de costo en 1 jugada en que", "+3,5 puntos", "cartas a favor tuyo", "El momento que"]),
        ([], (0, 0), ["nunca hubo que elegir"]),
    ],
)  # fmt: skip
def test_it_is_told_in_words(guest, finished, plays, luck, said):
    ask(guest, finished)
    points = dict(zip(("points", "error"), luck, strict=True))
    result = {"plies": 20, "plays": plays, "cost": sum(play["cost"] for play in plays), "moments": list(range(len(plays))),
              "luck": points | {"decks": [points]}}  # fmt: skip
    Analysis.objects.update(result=result, finished_at=timezone.now())

    text = " ".join(page_of(guest.browser, finished).split())

    assert [words for words in said if words not in text] == []


def test_without_script_it_is_a_form_and_a_link(guest, finished):
    reader = Reader(guest.browser)
    _, page = reader.open(f"/partida/{finished}/")

    where, page = reader.submit(page.form_to(path_of(finished)), [])

    assert where == f"/partida/{finished}/#analisis"
    assert path_of(finished) in page.links and path_of(finished) not in [form.action for form in page.forms]
    assert reader.open(path_of(finished))[0] == where
    tasks.analyse(finished)
    _, page = reader.open(where)
    assert path_of(finished) not in page.links + [form.action for form in page.forms]


@pytest.fixture
def without_broker():
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_it_is_worked_out_beside_the_request(guest, finished, without_broker):
    assert ask(guest, finished).status_code in (200, 202)
    until(lambda: 'data-state="finished"' in page_of(guest.browser, finished))


def test_who_has_two_under_way_waits_for_one_of_them(guest, member):
    first, second, third = (finished_by(guest) for _ in range(3))
    assert [ask(guest, match_id).status_code for match_id in (first, second, third, second)] == [202, 202, 429, 202]
    assert list(ask(guest, third).json()) == ["error"] and not Analysis.objects.filter(pk=third).exists()
    for headers in (PAGE, FRAGMENT):
        answer = guest.browser.post(path_of(third), headers=headers | {"x-csrftoken": guest.browser.cookies["csrftoken"].value})
        assert answer.status_code == 429 and "en un ratito" in answer.text
    assert ask(member, finished_by(member)).status_code == 202

    tasks.analyse(first)
    assert ask(guest, third).status_code == 202


def test_with_many_under_way_nobody_asks_for_more(guest, member, monkeypatch):
    monkeypatch.setattr(analysing, "OF_ALL", 1)
    mine, theirs = finished_by(guest), finished_by(member)
    assert [ask(guest, mine).status_code, ask(member, theirs).status_code] == [202, 429]
    asked_long_ago(mine, minutes=4)  # lost: it keeps nobody waiting
    assert ask(member, theirs).status_code == 202


def test_one_deleted_while_it_is_worked_out_is_gone(guest, finished, monkeypatch):
    monkeypatch.setattr("campaign.analysis.soon", lambda *task: Match.objects.all().delete())
    assert ask(guest, finished).status_code == 404


def test_asked_again_it_is_neither_sent_nor_worked_out_again(guest, finished, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        ask(guest, finished)
        ask(guest, finished)
    tasks.analyse(finished)
    before = Analysis.objects.values().get()
    with django_capture_on_commit_callbacks() as sent_later:
        answer = ask(guest, finished)

    assert (len(sent), len(sent_later), answer.status_code) == (1, 0, 200)
    assert not tasks.analyse(finished)
    assert Analysis.objects.values().get() == before


@pytest.mark.django_db(transaction=True)
def test_thirty_who_ask_at_once_get_one(visit, broker_length):
    first = Program(visit())
    match_id = finished_by(first)
    tabs = [visit() for _ in range(30)]
    for tab in tabs:
        tab.cookies = first.browser.cookies

    answers = at_once(*[lambda tab=tab: ask(Program(tab), match_id) for tab in tabs])

    assert {answer.status_code for answer in answers} == {202}
    assert Analysis.objects.count() == 1
    assert broker_length() == 1


@pytest.fixture
def broker_length():
    def length():
        with app.connection_for_read() as connection:
            return connection.default_channel.client.llen(SLOW)

    return length


def test_before_the_end_there_is_nothing_to_analyse(guest, table):
    for answer, status in ((ask(guest, table["id"]), 409), (look(guest, table["id"]), 404)):
        assert answer.status_code == status and list(answer.json()) == ["error"]
    for headers in (PAGE, FRAGMENT):
        answer = guest.browser.get(path_of(table["id"]), headers=headers)
        assert (answer.status_code, answer["Location"]) == (302, f"/mesa/{table['id']}/")
    assert not Analysis.objects.exists()


def test_only_its_player_asks_and_only_in_the_ways_there_are(guest, finished, member):
    assert ask(member, finished).status_code == 404
    assert look(member, finished).status_code == 404
    assert guest.browser.post(path_of(finished)).status_code == 403  # without the token
    for method in ("put", "patch", "delete"):
        token = guest.browser.cookies["csrftoken"].value
        answer = getattr(guest.browser, method)(path_of(finished), headers={"x-csrftoken": token})
        assert answer.status_code == 405
    assert not Analysis.objects.exists()
    for body, kind in ((b"{", "application/json"), (b"\xff" * 9, "text/plain")):
        headers = JSON | {"x-csrftoken": guest.browser.cookies["csrftoken"].value}
        assert guest.browser.post(path_of(finished), body, content_type=kind, headers=headers).status_code == 202


def test_others_see_a_finished_one_of_a_shared_match_and_may_not_ask(guest, finished, member):
    services.share(match=Match.objects.get(), is_shared=True, at=timezone.now())
    assert look(member, finished).status_code == 404
    assert 'id="analisis"' not in page_of(member.browser, finished)

    ask(guest, finished)
    assert look(member, finished).status_code == 404
    tasks.analyse(finished)

    assert look(member, finished).json() == look(guest, finished).json()
    assert ask(member, finished).status_code == 404
    theirs = member.browser.get(path_of(finished), headers=FRAGMENT).text
    assert "La suerte del reparto" in theirs
    assert "tuyo" not in theirs and "tuya" not in theirs and "Tú" not in theirs
    assert 'id="analisis"' in page_of(member.browser, finished)


def test_one_that_was_lost_may_be_asked_for_again(guest, finished, django_capture_on_commit_callbacks):
    ask(guest, finished)
    asked_long_ago(finished, minutes=1)
    assert 'data-state="working"' in page_of(guest.browser, finished)
    asked_long_ago(finished, minutes=3)
    text = page_of(guest.browser, finished)
    assert 'data-state="lost"' in text and path_of(finished) in [form.action for form in Page(text).forms]

    with django_capture_on_commit_callbacks() as sent:
        ask(guest, finished)
        ask(guest, finished)

    assert len(sent) == 1
    assert 'data-state="working"' in page_of(guest.browser, finished)
    assert tasks.analyse(finished)


def test_the_sweep_finds_what_was_lost_and_leaves_the_rest(guest, monkeypatch):
    monkeypatch.setattr(analysing, "OF_ONE", 4)
    lost, young, given_up, broken = (finished_by(guest) for _ in range(4))
    for match_id in (lost, young, given_up, broken):
        ask(guest, match_id)
    asked_long_ago(lost, minutes=3)
    asked_long_ago(given_up, days=2)
    asked_long_ago(broken, minutes=9)
    Match.objects.filter(pk=broken).update(plays="??")

    assert tasks.analyse_waiting() == 1

    assert list(Analysis.objects.exclude(finished_at=None).values_list("pk", flat=True)) == [lost]
    assert tasks.analyse_waiting() == 0


def test_of_two_workers_one_writes_and_both_find_the_same(guest, finished):
    ask(guest, finished)
    first = {}

    def another_meanwhile():
        assert analysing.analyse(match_id=finished, clock=timezone.now)
        first.update(Analysis.objects.values().get())
        return timezone.now()

    assert not analysing.analyse(match_id=finished, clock=another_meanwhile)
    assert Analysis.objects.values().get() == first

    Analysis.objects.all().delete()
    ask(guest, finished)
    tasks.analyse(finished)
    assert Analysis.objects.get().result == first["result"]


def test_a_new_version_is_offered_and_begins_anew(guest, finished, member):
    services.share(match=Match.objects.get(), is_shared=True, at=timezone.now())
    ask(guest, finished)
    tasks.analyse(finished)
    Analysis.objects.update(version=game_analysis.VERSION - 1, result={"of": "then"})

    assert 'data-state="old"' in page_of(guest.browser, finished)
    assert look(member, finished).status_code == 404
    assert ask(guest, finished).status_code == 202
    assert tasks.analyse(finished)
    assert 'data-state="finished"' in page_of(guest.browser, finished)


def test_it_goes_with_its_match_or_account(guest, finished, player):
    member = Program(client_of(player))
    theirs = finished_by(member)
    for program, match_id in ((guest, finished), (member, theirs)):
        ask(program, match_id)
        tasks.analyse(match_id)

    services.leave(player_id=player.pk, at=timezone.now())
    assert [analysis.pk for analysis in Analysis.objects.all()] == [finished]
    Match.objects.update(played_at=timezone.now() - timedelta(days=31))
    services.forget_guests(at=timezone.now())
    assert not Analysis.objects.exists()


def test_a_match_that_goes_meanwhile_harms_nothing(guest, finished):
    ask(guest, finished)

    def gone():
        Match.objects.all().delete()
        return timezone.now()

    gone_match = Match.objects.get()
    assert not analysing.analyse(match_id=finished, clock=gone)
    assert not Analysis.objects.exists()
    assert not tasks.analyse(finished)
    with pytest.raises(Match.DoesNotExist):
        analysing.ask_analysis(match=gone_match, at=timezone.now())
    assert Client().post(path_of(finished)).status_code == 404
