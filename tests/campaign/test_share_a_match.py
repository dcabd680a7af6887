"""Sharing a finished match, no longer sharing it, and deleting a practice match: the player's alone."""

import json
import random
import re
from itertools import product

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign import services
from campaign.models import Analysis, Match
from campaign.services import claim_guest
from tests.support import client_of

from .endings import WON, finish
from .playing import JSON, PAGE, Page, Program, Reader
from .truth import row_of

pytestmark = pytest.mark.django_db
NOBODYS = "222222222222"


@pytest.fixture
def finished(member):
    """The id of a finished practice match of dolores."""
    match_id = member.start(ruleset="quito", rival="random", nonce="fin")
    member.play_on(match_id, random.Random(40))
    return match_id


@pytest.fixture
def others(stranger):
    """Somebody without account and somebody with one; their browsers must show their CSRF tokens."""
    anonymous, logged_in = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    logged_in.cookies = client_of(stranger).cookies
    return [Program(anonymous), Program(logged_in)]


@pytest.fixture
def other(others):
    return others[0]


def share(program, match_id, value="1"):
    return program.post(f"/partida/{match_id}/compartir/", {"share": value})


def read(program, match_id, query="", headers=PAGE):
    return program.browser.get(f"/partida/{match_id}/{query}", headers=headers)


def test_one_that_is_gone_or_anothers_meanwhile_is_not_shared(finished, stranger):
    stale = Match.objects.get(pk=finished)
    Match.objects.update(player=stranger)
    with pytest.raises(Match.DoesNotExist):
        services.share(match=stale, is_shared=True, at=timezone.now())
    assert not Match.objects.get(pk=finished).is_shared
    Match.objects.all().delete()
    with pytest.raises(Match.DoesNotExist):
        services.share(match=Match(pk=finished, winner=0), is_shared=True, at=timezone.now())


def test_of_an_account_out_of_use_nothing_is_shown(member, finished, other):
    share(member, finished)
    get_user_model().objects.update(is_active=False)
    for path in ("", "?record", "tarjeta.png", "analisis/"):
        assert other.browser.get(f"/partida/{finished}/{path}", headers=PAGE).status_code == 404, path


def test_who_has_the_address_sees_a_shared_match(member, finished, others):
    assert [read(other, finished).status_code for other in others] == [404, 404]
    assert share(member, finished).json() == {"id": finished, "shared": True}

    for other in others:
        text = read(other, finished, "?jugada=12").text
        assert "Jugada 12 de " in text and 'id="frames"' in text and "Jugada a jugada" in text
        assert read(other, finished, headers=JSON).json() == json.loads(member.record(finished))
        assert read(other, finished, "?record").headers["Content-Disposition"]
        assert other.browser.head(f"/partida/{finished}/").status_code == 200


def test_others_read_the_players_name_and_never_tu(member, finished, other):
    share(member, finished)
    mine, theirs = read(member, finished).text, read(other, finished).text
    told = re.compile(r'jugada=\d+#repaso">([^<]+)</a>')
    lines, named = told.findall(mine), told.findall(theirs)
    assert len(lines) == len(named) > 20
    assert any(line.startswith("Tú ") for line in lines) and any(line.startswith("dolores ") for line in named)
    for word in ("Tú", "Nosotros", "Ellos", "Ganamos", "Ganan ellos", "tú repartes", "Tu compañera"):
        assert word not in theirs.partition("<main")[2], word


def test_others_have_none_of_the_players_buttons(member, finished, other):
    share(member, finished)
    page = Page(read(other, finished).text)
    assert [form.action for form in page.forms if form.method == "post"] == []
    assert not [link for link in page.links if "borrar" in link or "compartir" in link]
    own = Page(read(member, finished).text)
    posts = {form.action for form in own.forms if form.method == "post"}
    assert {"/practica/", f"/partida/{finished}/compartir/"} <= posts
    assert f"/partida/{finished}/borrar/" in own.links


def test_others_cannot_change_a_shared_match(member, finished, others):
    share(member, finished)
    before = row_of(finished)
    for other in others:
        for path, fields in (("compartir/", {"share": "0"}), ("borrar/", {}), ("analisis/", {})):
            assert other.post(f"/partida/{finished}/{path}", fields).status_code == 404
        for path in ("borrar/", "compartir/"):
            assert other.browser.get(f"/partida/{finished}/{path}").status_code == 404
    assert row_of(finished) == before and not Analysis.objects.exists()


def test_a_match_that_is_not_shared_looks_like_one_that_there_is_not(member, finished, others):
    share(member, finished)
    share(member, finished, "0")
    for query, headers in (("", PAGE), ("?jugada=3", PAGE), ("", JSON), ("?record", PAGE), ("analisis/", JSON)):
        for other in others:
            own, nobodys = (read(other, match_id, query, headers) for match_id in (finished, NOBODYS))
            assert own.status_code == nobodys.status_code == 404
            assert own.content.replace(finished.encode(), NOBODYS.encode()) == nobodys.content


def test_a_match_under_way_is_seen_by_nobody_else(member, others):
    match_id = member.start(ruleset="quito", rival="greedy")
    response = share(member, match_id)
    assert response.status_code == 409 and list(response.json()) == ["error"]
    assert Match.objects.get().shared_at is None
    Match.objects.update(shared_at=timezone.now())  # whatever the row says
    for path in (f"/partida/{match_id}/", f"/mesa/{match_id}/"):
        for other, headers in product(others, (PAGE, JSON)):
            assert other.browser.get(path, headers=headers).status_code == 404


def test_without_script_a_button_shares_and_another_stops_it(member, finished):
    reader = Reader(member.browser)
    for is_shared in (True, False):
        _, page = reader.open(f"/partida/{finished}/")
        form = page.form_to(f"/partida/{finished}/compartir/")
        path, _ = reader.submit(form, form.buttons)
        assert path == f"/partida/{finished}/#compartir"
        assert Match.objects.get().is_shared is is_shared


def test_the_page_says_before_and_after_what_others_see(member, finished):
    said = "quien tenga el enlace verá las cartas, las jugadas y tu nombre, dolores"
    assert said in read(member, finished).text
    share(member, finished)
    text = read(member, finished).text
    assert "Quien tenga el enlace ve las cartas, las jugadas y tu nombre, dolores" in text
    assert f"http://testserver/partida/{finished}/" in text


def test_sharing_twice_is_sharing_once(member, finished):
    share(member, finished)
    before = row_of(finished)
    assert share(member, finished).status_code == 200
    assert row_of(finished) == before


def test_what_is_not_asked_clearly_changes_nothing(member, finished):
    before, path = row_of(finished), f"/partida/{finished}/compartir/"
    for fields in ({}, {"share": ""}, {"share": "2"}, {"share": "si"}, {"share": ["1"]}):
        response = member.post(path, fields)
        assert response.status_code == 400 and list(response.json()) == ["error"]
    assert member.browser.get(path, {"share": "1"})["Location"] == f"/partida/{finished}/#compartir"
    assert member.browser.put(path).status_code == 405
    assert row_of(finished) == before


def test_only_a_shared_match_tells_other_sites_what_it_is(member, finished, other):
    assert "og:" not in read(member, finished).text
    share(member, finished)
    text = read(other, finished).text
    meta = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', text))
    picture = reverse("match_picture", args=[finished])
    assert meta["og:url"] == f"http://testserver/partida/{finished}/"
    assert meta["og:image"] == f"http://testserver{picture}"
    assert "dolores" in meta["og:title"] and "dolores" in meta["og:image:alt"] and meta["og:description"]
    assert other.browser.get(picture)["Content-Type"] == "image/png"


def test_a_guest_is_called_invitado_and_shares_nothing_of_the_account_that_follows(guest, member, player):
    match_id = guest.start(ruleset="mano-a-mano", rival="random")
    guest.play_on(match_id, random.Random(1))
    share(guest, match_id)
    assert "Invitado " in read(member, match_id).text

    claim_guest(player_id=player.pk, guest=Match.objects.get().guest)
    assert not Match.objects.get().is_shared
    assert Client().get(f"/partida/{match_id}/").status_code == 404


def test_a_practice_match_is_deleted_after_one_question(member, finished):
    Analysis.objects.create(match_id=finished, version=1, total=1, asked_at=timezone.now(), told_at=timezone.now())
    reader = Reader(member.browser)
    _, page = reader.open(f"/partida/{finished}/borrar/")
    assert Match.objects.exists()
    path, _ = reader.submit(page.form_to(f"/partida/{finished}/borrar/"), [])
    assert path == "/practica/"
    assert not Match.objects.exists() and not Analysis.objects.exists()
    assert read(member, finished).status_code == 404
    assert member.post(f"/partida/{finished}/borrar/", {}).status_code == 404


def test_a_match_under_way_can_be_deleted_and_no_other_goes_with_it(member, finished):
    under_way = member.start(ruleset="quito", rival="greedy")
    assert member.post(f"/partida/{under_way}/borrar/", {}).json() == {"deleted": under_way}
    assert [match.pk for match in Match.objects.all()] == [finished]


def test_a_match_of_a_run_stays_with_its_run(member):
    match_id = member.go_on()["id"]
    finish(member, match_id, WON)
    assert f"/partida/{match_id}/borrar/" not in Page(read(member, match_id).text).links
    assert member.post(f"/partida/{match_id}/borrar/", {}).status_code == 409
    assert "se queda con ella" in member.browser.get(f"/partida/{match_id}/borrar/", headers=PAGE).text
    assert Match.objects.filter(pk=match_id).exists()
