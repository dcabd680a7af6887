"""A deck is pledged before it is asked for: the commitment a page showed is that of the match, once, whatever is tried."""

import secrets
from datetime import timedelta
from hashlib import sha256

import pytest
from django.conf import settings
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.models import Match, Run, SpentPledge
from campaign.pledges import PledgeRefused, new_pledge
from campaign.tasks import forget_pledges
from tests.support import client_of
from tests.tournament.books import MONDAY
from tournament.models import ScoredRun

from .endings import LOST, WON, finish
from .playing import JSON, PAGE, Page, Program, Reader, at_once
from .truth import assert_whole

pytestmark = pytest.mark.django_db
USED = "Esa baraja ya se usó o caducó, y no empezó nada"
WEEK, SECOND = timedelta(days=7), timedelta(seconds=1)


def pledge_of(program, path="/practica/"):
    return program.browser.get(path, headers=JSON).json()["pledge"]


def token_of(program):
    return pledge_of(program)["pledge"]


def start(program, path="/practica/", **fields):
    return program.post(path, fields)


def assert_refused(program, token, path="/practica/", **fields):
    """No match, no run, no slot; and it says so."""
    before = [model.objects.count() for model in (Match, Run, ScoredRun, SpentPledge)]
    response = start(program, path, pledge=token, **fields)
    assert (response.status_code, USED in response.json()["error"]) == (409, True)
    assert [model.objects.count() for model in (Match, Run, ScoredRun, SpentPledge)] == before


# What it promises


@pytest.mark.parametrize("path", ["/practica/", "/campana/"])
def test_the_match_is_dealt_from_the_deck_that_was_pledged_and_the_nonce_that_came_after(member, path):
    pledge = pledge_of(member, path)
    answer = start(member, path, pledge=pledge["pledge"], nonce="quito-1534").json()
    match = assert_whole(answer["id"])  # its decks, dealer and bots are those of its seed and nonce

    assert answer["commitment"] == pledge["commitment"] == sha256(bytes(match.seed)).hexdigest()
    assert match.nonce == "quito-1534"


def test_looking_writes_nothing_and_every_look_pledges_another_deck(member):
    shown = [pledge_of(member, path) for path in ("/practica/", "/campana/") for _ in range(3)]

    assert len({pledge["commitment"] for pledge in shown}) == len({pledge["pledge"] for pledge in shown}) == 6
    assert SpentPledge.objects.count() == Match.objects.count() == 0


@pytest.mark.parametrize("path", ["/practica/", "/campana/"])
def test_without_a_pledge_a_start_is_as_before(member, path):
    first = start(member, path, nonce="a").json()
    assert first["commitment"] == assert_whole(first["id"]).commitment and not SpentPledge.objects.exists()


def test_the_next_chapter_and_another_try_are_pledged_too(member):
    finish(member, start(member, "/campana/", pledge=token_of(member)).json()["id"], WON)
    run = Run.objects.get()
    for nonce in ("la-primera", "otra-vez"):
        text = member.browser.get(f"/campana/{run.pk}/2/", headers=PAGE).text
        Reader(member.browser).submit(Page(text).form_to("/campana/"), [("nonce", nonce)])
        match = run.matches.under_way().get()
        assert (match.chapter, match.commitment, match.nonce) == (2, pledge_in(text), nonce)
        finish(member, match.pk, LOST)


# Once


def test_a_deck_seen_in_practice_is_dealt_in_no_run(clock, season, member):
    """Whoever plays a practice match to its end knows its seed."""
    token = token_of(member)
    match_id = start(member, pledge=token, rival="random").json()["id"]
    assert_refused(member, token)
    assert_refused(member, token, "/campana/", kind="scored")
    member.post(f"/partida/{match_id}/borrar/", {})
    assert not Match.objects.exists()
    assert_refused(member, token, "/campana/", kind="scored")
    assert_refused(Program(Client()), token)


def test_a_deck_of_a_run_is_dealt_in_no_other_run_nor_in_practice(clock, season, member):
    token = token_of(member)
    run = start(member, "/campana/", pledge=token, kind="scored").json()["run"]
    assert_refused(member, token)
    member.post(f"/campana/{run}/abandonar/", {})
    assert_refused(member, token, "/campana/", kind="scored")
    assert_refused(member, token, "/campana/", kind="free")
    assert ScoredRun.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_thirty_tries_at_once_deal_one_match(visit, tab_of, player, season):
    programs = [tab_of(player) if number % 3 == 0 else Program(visit()) for number in range(30)]
    for program in programs:
        program.browser.get("/practica/", headers=JSON)
    token = token_of(programs[0])
    paths = ["/campana/" if number % 6 == 0 else "/practica/" for number in range(30)]
    answers = at_once(*[
        lambda program=program, path=path: program.post(path, {"pledge": token, "kind": "scored"})
        for program, path in zip(programs, paths, strict=True)
    ])  # fmt: skip

    begun = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    assert len(begun) == Match.objects.count() == SpentPledge.objects.count() == 1
    assert Run.objects.count() == ScoredRun.objects.count() == Match.objects.exclude(run=None).count()
    assert_whole(begun[0])


def test_a_start_that_begins_nothing_spends_nothing(clock, season, member):
    token = token_of(member)
    for path, fields, status in (
        ("/practica/", {"ruleset": "poker"}, 400),
        ("/practica/", {"rival": "nobody"}, 400),
        ("/practica/", {"nonce": "a b"}, 400),
        ("/campana/", {"nonce": "ñ"}, 400),
        ("/campana/", {"kind": "scored", "slot": "another"}, 409),
        ("/campana/", {"chapter": 2}, 409),
    ):
        response = start(member, path, pledge=token, **fields)
        assert response.status_code == status and USED not in response.json()["error"], fields
    assert not SpentPledge.objects.exists() and not ScoredRun.objects.exists()
    assert start(member, "/campana/", pledge=token, kind="scored").status_code == 201


def test_a_refused_pledge_takes_no_slot_of_the_day(clock, season, member):
    token = token_of(member)
    start(member, pledge=token)
    assert_refused(member, token, "/campana/", kind="scored")
    assert member.browser.get("/campana/", headers=JSON).json()["offer"]["left"] == 3


@pytest.mark.parametrize("token", ["forged", "", None])
def test_a_match_under_way_is_gone_on_with_whatever_the_pledge(member, token):
    token = token_of(member) if token is None else token
    first = member.go_on()
    again = start(member, "/campana/", pledge=token)
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert not SpentPledge.objects.exists()


# Not ours, too old


def forged():
    spare = new_pledge(at=timezone.now()).token
    id_, issued, signature = spare.split(":")
    later = int(issued) + 9999
    return [
        "", ":", "::", " ", "x", "\x00", "\ud800", "ñ", "١", id_, f"{id_}:{issued}", f"{id_}:{issued}:", f"{id_}:{later}:{signature}",
        f"{secrets.token_urlsafe(16)}:{issued}:{signature}", spare + "x", spare[:-1], spare.upper(), f" {spare}", f"{spare}\n",
        Signer().sign(f"{id_}:{issued}"), Signer(key="another", salt="campaign.pledge").sign(f"{id_}:{issued}"), "x" * 20_000,
    ]  # fmt: skip


def test_a_forged_pledge_is_refused_in_practice_and_in_the_story(member):
    for token in forged():
        assert_refused(member, token)
        assert_refused(member, token, "/campana/")


def test_a_pledge_holds_for_seven_days(member, time_machine):
    time_machine.move_to(MONDAY, tick=False)
    tokens = [token_of(member) for _ in range(2)]
    time_machine.move_to(MONDAY + WEEK, tick=False)
    assert start(member, pledge=tokens[0]).status_code == 201
    time_machine.move_to(MONDAY + WEEK + SECOND, tick=False)
    assert_refused(member, tokens[1])
    assert_refused(member, tokens[1], "/campana/")


def test_with_a_new_secret_key_no_older_pledge_deals_another_deck_than_was_shown(member, settings):
    token = token_of(member)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "x" * 60
    with pytest.raises(PledgeRefused):
        services.start_run(player_id=1, pledge=token, at=timezone.now())


def test_what_was_spent_is_forgotten_when_it_is_too_old_to_be_tried_again(member, time_machine):
    assert settings.CELERY_BEAT_SCHEDULE["forget pledges"]["task"] == forget_pledges.name
    time_machine.move_to(MONDAY, tick=False)
    token = token_of(member)
    time_machine.move_to(MONDAY + WEEK, tick=False)
    start(member, pledge=token)  # at the last moment
    time_machine.move_to(MONDAY + 2 * WEEK + timedelta(days=1), tick=False)
    assert forget_pledges() == 0
    time_machine.shift(1)
    assert (forget_pledges(), forget_pledges()) == (1, 0)
    assert_refused(member, token)


# On the pages


def pledge_in(text):
    """The commitment that a page's open line shows."""
    return text.partition('<details class="seal">')[2].partition("<p><code>")[2][:64]


@pytest.mark.parametrize("path", ["/", "/practica/", "/campana/"])
def test_every_form_that_deals_holds_the_pledge_the_page_shows(clock, player, season, path):
    browser = client_of(player)
    text = browser.get(path, headers=PAGE).text
    forms = [form for form in Page(text).forms if form.action in ("/practica/", "/campana/")]
    match_of = {"/practica/": Match.objects.filter(run=None), "/campana/": Match.objects.exclude(run=None)}[forms[0].action]

    assert len(forms) == (1 if path == "/" else 2) and len({dict(form.fields)["pledge"] for form in forms}) == 1
    Reader(browser).submit(forms[0], [("nonce", "mi-parte"), ("ruleset", "quito"), ("rival", "random")][: 3 if path == "/practica/" else 1])
    assert (match_of.get().commitment, match_of.get().nonce) == (pledge_in(text), "mi-parte")


def test_another_match_is_pledged_at_the_table_and_after_it(member):
    match_id = start(member, rival="random").json()["id"]
    for end in (None, LOST):
        if end:
            finish(member, match_id, end)
        path = f"/partida/{match_id}/" if end else f"/mesa/{match_id}/"
        text = member.browser.get(path, headers=PAGE).text
        Reader(member.browser).submit(Page(text).form_to("/practica/"), [("nonce", "")])
        assert Match.objects.latest("started_at").commitment == pledge_in(text)


def test_the_table_shows_what_it_was_dealt_from_and_nothing_of_the_seed(member):
    pledge = pledge_of(member)
    match_id = start(member, pledge=pledge["pledge"], nonce="mi-parte").json()["id"]
    text = member.browser.get(f"/mesa/{match_id}/", headers=PAGE).text
    assert f"Baraja sellada: <code>{pledge['commitment']}</code> Tu parte: <code>mi-parte</code>" in text
    assert bytes(Match.objects.get().seed).hex() not in text and pledge["pledge"] not in text
    other = member.go_on()
    text = member.browser.get(f"/mesa/{other['id']}/", headers=PAGE).text
    assert f"Baraja sellada: <code>{other['commitment']}</code> Tu parte: ninguna" in text


@pytest.mark.parametrize("path", ["/practica/", "/campana/"])
def test_a_page_whose_deck_was_dealt_is_shown_anew_with_another(member, path):
    text = member.browser.get(path, headers=PAGE).text
    form = next(form for form in Page(text).forms if form.action == path and ("led", "1") not in form.fields)
    start(member, pledge=dict(form.fields)["pledge"])
    chosen = {"ruleset": "mano-a-mano", "rival": "ramon"} if path == "/practica/" else {}
    response = member.browser.post(path, dict(form.fields) | chosen, headers=PAGE)

    assert response.status_code == 409 and USED in response.text and 'role="alert"' in response.text
    if chosen:
        assert 'value="mano-a-mano" checked' in response.text and 'value="ramon" checked' in response.text
    assert pledge_in(response.text) not in ("", pledge_in(text))
    again = next(form for form in Page(response.text).forms if form.action == path and ("led", "1") not in form.fields)
    assert member.browser.post(path, dict(again.fields) | chosen, headers=PAGE).status_code == 302


@pytest.mark.parametrize("path", ["/practica/", "/campana/"])
def test_a_part_that_cannot_be_added_is_said_to_be_so(member, path):
    form = Page(member.browser.get(path, headers=PAGE).text).form_to(path)
    response = member.browser.post(path, dict(form.fields) | {"nonce": "mi ñ"}, headers=PAGE)
    assert response.status_code == 400 and "Tu parte de la baraja va sin tildes" in response.text
    assert not Match.objects.exists() and not SpentPledge.objects.exists()
