"""Start a practice match: by form, by JSON, as a guest or signed in, at each table, against each rival."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.characters import RIVALS
from campaign.models import ID_ALPHABET, Match
from campaign.owners import Owner
from cvarenta.game.errors import Unreadable
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import commitment, first_dealer

from .playing import JSON, PAGE, Page, Program, Reader
from .truth import assert_whole

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_guest_starts_by_the_form_and_sits_at_the_table(ruleset, rival):
    path, page = Reader(Client(enforce_csrf_checks=True)).start(ruleset, rival)
    match = Match.objects.get()

    assert path in (f"/mesa/{match.pk}/", f"/partida/{match.pk}/")  # a doble ronda may win a tradicional at once
    assert (match.ruleset, match.rival, match.player_id) == (ruleset, rival, None)
    assert len(match.guest) >= 32
    assert_whole(match.pk)


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_program_starts_and_gets_201_with_the_address_and_the_commitment(guest, ruleset, rival):
    response = guest.post("/practica/", {"ruleset": ruleset, "rival": rival, "nonce": "mi-nonce_1"})
    match = Match.objects.get()

    assert response.status_code == 201
    assert response.headers["Location"] == f"/mesa/{match.pk}/"
    assert response.json() == {"id": match.pk, "url": f"/mesa/{match.pk}/", "commitment": commitment(bytes(match.seed))}
    assert match.nonce == "mi-nonce_1"
    assert_whole(match.pk)


def test_a_program_may_send_a_form_instead(guest):
    token = guest.browser.get("/practica/", headers=JSON) and guest.browser.cookies["csrftoken"].value
    response = guest.browser.post("/practica/", {"ruleset": "mano-a-mano", "rival": "random", "csrfmiddlewaretoken": token},
                                  headers=JSON)  # fmt: skip

    assert response.status_code == 201
    assert Match.objects.get().ruleset == "mano-a-mano"


def test_what_is_not_chosen_is_the_house_game_against_the_first_rival(guest):
    match = Match.objects.get(pk=guest.start())

    assert (match.ruleset, match.rival, match.nonce) == ("quito", "almeida", "")


def test_a_player_starts_a_match_of_their_own(member, player):
    match = Match.objects.get(pk=member.start(ruleset="quito", rival="greedy"))

    assert (match.player_id, match.guest) == (player.pk, "")


def test_the_cover_starts_the_house_game_without_an_account():
    reader = Reader(Client(enforce_csrf_checks=True))
    _, page = reader.open("/")
    path, page = reader.submit(page.form_to("/practica/"), [])

    assert page.table is not None
    assert Match.objects.get().ruleset == "quito"


def test_the_bots_play_up_to_the_persons_first_turn(guest):
    for n in range(12):
        table = guest.look(guest.start(ruleset="quito", rival="greedy", nonce=str(n)))
        match = Match.objects.get(pk=table["id"])

        assert table["ply"] == (-first_dealer(bytes(match.seed), str(n), 4) - 1) % 4
        assert table["to_play"] == 0
        assert len(table["hand"]) == 5
        assert table["legal"]


@pytest.mark.parametrize("ruleset, rival, labels", [
    ("quito", "random", "random/1,virgen/1,random/1"), ("mano-a-mano", "random", "random/1"),
    ("tradicional-4", "maestro", "maestro/1,virgen/1,maestro/1"), ("tradicional-2", "diablo", "diablo/1"),
    *[("quito", rival, f"{rival}/1,virgen/1,miguel-{chapter}/1")
      for chapter, rival in enumerate(("almeida", "ramon", "cantuna", "manuela", "diablo"), 1)],
])  # fmt: skip
def test_the_rival_sits_opposite_with_san_miguel_of_the_chapter_and_the_virgin_is_the_partner(guest, ruleset, rival, labels):
    match = Match.objects.get(pk=guest.start(ruleset=ruleset, rival=rival))

    assert match.bots == f"0:{labels}"


def test_every_match_has_its_own_id_and_seed(guest):
    ids = {guest.start() for _ in range(40)}

    assert len(ids) == len({bytes(match.seed) for match in Match.objects.all()}) == 40
    assert all(re.fullmatch(f"[{ID_ALPHABET}]{{12}}", match_id) for match_id in ids)
    assert len({match.state for match in Match.objects.all()}) == 40


@pytest.mark.parametrize("nonce", ["", "-", "_", "A", "z9" * 32])
def test_a_nonce_is_any_64_letters_digits_and_dashes(guest, nonce):
    assert Match.objects.get(pk=guest.start(nonce=nonce)).nonce == nonce


def test_a_refused_start_shows_the_page_again_with_a_reason(guest):
    guest.browser.get("/practica/", headers=PAGE)
    token = guest.browser.cookies["csrftoken"].value
    response = guest.browser.post("/practica/", {"ruleset": "poker", "csrfmiddlewaretoken": token}, headers=PAGE)

    assert response.status_code == 400
    assert 'role="alert"' in response.text
    assert next(form for form in Page(response.text).forms if form.radios).radios["ruleset"] == list(RULESETS)
    assert not Match.objects.exists()


def test_what_is_under_way_is_offered_again_the_latest_first(guest):
    ids = [guest.start(ruleset=ruleset) for ruleset in RULESETS]
    listed = guest.browser.get("/practica/", headers=JSON).json()

    under_way = list(Match.objects.under_way().order_by("-played_at").values_list("pk", flat=True))
    assert [row["id"] for row in listed["under_way"]] == under_way
    assert set(under_way) <= set(ids)
    links = Page(guest.browser.get("/practica/", headers=PAGE).text).links
    assert [link for link in links if link.startswith("/mesa/")] == [f"/mesa/{match_id}/" for match_id in under_way]
    assert f"/mesa/{under_way[0]}/" in Page(guest.browser.get("/", headers=PAGE).text).links


def test_the_lists_stay_short_however_many_matches_there_are(guest):
    for _ in range(8):
        guest.start()
    page = Page(guest.browser.get("/practica/", headers=PAGE).text)

    assert len([link for link in page.links if link.startswith("/mesa/")]) == 5


def test_nobody_sees_the_matches_of_others_in_the_lists(guest, member):
    mine, theirs = guest.start(), member.start()
    for browser, own, other in ((guest.browser, mine, theirs), (member.browser, theirs, mine), (Client(), "none", mine)):
        for path in ("/practica/", "/"):
            for headers in (PAGE, JSON):
                text = browser.get(path, headers=headers).text
                assert other not in text
                assert own == "none" or headers is JSON and path == "/" or own in text


def test_a_service_refuses_what_is_unknown_and_writes_nothing():
    now, owner = timezone.now(), Owner(None, "a-guest-key")
    for wrong in ({"ruleset": "poker", "rival": "greedy"}, {"ruleset": "quito", "rival": "nobody"},
                  {"ruleset": "quito", "rival": "greedy", "nonce": "a b"}):  # fmt: skip
        with pytest.raises(Unreadable):
            services.start_practice(owner=owner, at=now, **wrong)
    assert not Match.objects.exists()


def test_a_match_begins_when_the_service_is_told(player):
    at = timezone.now() - timedelta(days=3)
    match = services.start_practice(owner=Owner(player.pk, ""), ruleset="quito", rival="greedy", at=at)

    assert match.started_at == match.played_at == at


def test_the_page_may_be_asked_for_and_only_that(guest):
    assert guest.browser.head("/practica/").status_code == 200
    for method in ("put", "patch", "delete"):
        assert getattr(guest.browser, method)("/practica/", headers={"x-csrftoken": "x"}).status_code in (403, 405)
    answer = Program(Client()).browser.get("/practica/", headers=JSON).json()
    assert (answer["rulesets"], answer["rivals"], answer["under_way"]) == (list(RULESETS), list(RIVALS), [])
