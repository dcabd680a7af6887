"""The five chapters from the first to the last: in their order, each scene once, each layer switched on."""

import pytest
from django.test import Client

from campaign.chapters import CHAPTERS, FAREWELLS
from campaign.models import Match, Run
from cvarenta.game.bots import get_bot
from cvarenta.game.notation import format_play
from cvarenta.game.shuffle import bot_stream
from cvarenta.game.view import view_of
from tests.support import client_of

from .endings import LOST, WON, finish
from .playing import JSON, PAGE, Page, Program, Reader
from .truth import assert_bots_played_it, assert_whole

pytestmark = pytest.mark.django_db


def state(program):
    return program.browser.get("/campana/", headers=JSON).json()


def play_well(program, match_id):
    """Play a match to its end as a strong player would from the same view."""
    bot, table = get_bot("maestro"), program.look(match_id)
    while not table["over"]:
        match = Match.objects.get(pk=match_id)
        play = bot.choose(view_of(match.load_game(), 0), bot_stream(b"a strong player", match.ply))
        response = program.play(match_id, format_play(play), table["ply"])
        assert response.status_code == 200, response.text
        table = response.json()
    return table


def test_a_run_from_la_ronda_to_the_last_judgement_in_real_matches(member):
    """Whole matches against the real rivals, lost ones tried again, each record one that its bots really played."""
    for chapter in CHAPTERS:
        for _ in range(30):
            answer = member.go_on()
            assert answer["chapter"] == chapter.number
            match = Match.objects.get(pk=answer["id"])
            assert (match.rival, match.ruleset) == (chapter.rival, "quito")
            won = play_well(member, answer["id"])["winner"] == 0
            assert_whole(answer["id"])
            if won:
                break
        assert won, "thirty matches lost in a row"
        assert_bots_played_it(member.record(answer["id"]))
    run = Run.objects.get()
    assert (run.outcome, run.chapters_won, run.matches.filter(winner=0).count()) == ("completed", 5, 5)
    assert state(member)["run"] is None


def test_a_reader_of_pages_meets_each_scene_once_and_each_layer_comes_on(player):
    """The way a person goes, by links and forms alone."""
    browser = client_of(player)
    reader, program = Reader(browser), Program(browser)
    seen = []

    def open_page(path):
        text = browser.get(path, headers=PAGE).text
        for chapter in CHAPTERS:
            seen.extend(name for name in (chapter.before, chapter.after) if name in text)
        layers = [chapter.layer for chapter in CHAPTERS if f"layer-{chapter.layer}" in text.partition("<head>")[0]]
        return Page(text), layers

    _, page = reader.open("/campana/")
    path, _ = reader.submit(page.form_to("/campana/"), [])
    for chapter in CHAPTERS:
        assert path.endswith(f"/{chapter.number}/")
        page, layers = open_page(path)
        assert layers == [before.layer for before in CHAPTERS[: chapter.number - 1]]
        if chapter.number == 1:
            table_path = next(link for link in page.links if link.startswith("/mesa/"))
        else:
            table_path, _ = reader.submit(page.form_to("/campana/"), [])
        assert open_page(table_path)[1] == layers
        match_id = table_path.split("/")[2]
        finish(program, match_id, WON)
        path, _ = reader.open(table_path)
        page, layers = open_page(path)
        assert layers == [found.layer for found in CHAPTERS[: chapter.number]]
        assert open_page("/campana/")[1] == layers
        following = [link for link in page.links if link.endswith(f"/{chapter.number + 1}/")]
        path = following[0] if following else path

    assert seen == [text for chapter in CHAPTERS for text in (chapter.before, chapter.after)]
    assert FAREWELLS["completed"] in browser.get(path, headers=PAGE).text
    assert "Los cinco capítulos" in browser.get("/campana/", headers=PAGE).text


def test_what_was_won_stays_on_the_practice_table_after_the_end(member):
    for _ in CHAPTERS:
        finish(member, member.go_on()["id"], WON)
    practice = member.start()
    for path in ("/practica/", f"/mesa/{practice}/"):
        head = member.browser.get(path, headers=PAGE).text.partition("<head>")[0]
        assert all(f"layer-{chapter.layer}" in head for chapter in CHAPTERS), path


def test_every_page_shows_the_city_as_far_as_the_run_has_brought_it(member, stranger):
    """And a run begun again takes nothing back from someone who once won it all."""

    def layers(browser, path):
        head = browser.get(path, headers=PAGE).text.partition("<head>")[0]
        return [chapter.layer for chapter in CHAPTERS if f"layer-{chapter.layer}" in head]

    won = member.go_on()
    finish(member, won["id"], WON)
    for path in ("/", "/practica/", "/guia/", "/jugadores/dolores/", f"/partida/{won['id']}/", "/cuenta/"):
        assert layers(member.browser, path) == ["music"], path
        if "partida" not in path and "cuenta" not in path:
            assert layers(client_of(stranger), path) == layers(Client(), path) == [], path
    for _ in CHAPTERS[1:]:
        finish(member, member.go_on()["id"], WON)
    again = member.go_on()
    assert layers(member.browser, "/practica/") == [chapter.layer for chapter in CHAPTERS]
    assert layers(member.browser, "/campana/") == layers(member.browser, f"/mesa/{again['id']}/") == []


def test_after_the_end_the_map_shows_the_city_whole(member):
    for _ in CHAPTERS:
        finish(member, member.go_on()["id"], WON)
    text = member.browser.get("/campana/", headers=PAGE).text
    assert FAREWELLS["completed"] in text and "Empezar otra vuelta" in text
    assert all(chapter.back in text and chapter.missing not in text for chapter in CHAPTERS)


def test_a_first_chapter_is_the_only_one_a_run_begins_with(member):
    for chapter in ("2", "5"):
        assert member.post("/campana/", {"kind": "free", "chapter": chapter}).status_code == 409
    assert member.post("/campana/", {"kind": "free", "chapter": "x"}).status_code == 400
    assert Run.objects.count() == 0


def test_a_lost_chapter_of_a_free_run_is_tried_again_in_a_new_deal(member):
    first = member.go_on()
    finish(member, first["id"], LOST)
    run = state(member)["run"]
    assert (run["chapter"], run["chapters_won"], run["match"], run["outcome"]) == (1, 0, None, None)
    text = member.browser.get(f"/campana/{run['id']}/1/", headers=PAGE).text
    assert FAREWELLS["lost"] in text and f"/partida/{first['id']}/" in text and "Otra vez contra el padre Almeida" in text
    assert "Intentarlo otra vez" in member.browser.get("/campana/", headers=PAGE).text

    second = member.go_on()
    assert second["id"] != first["id"] and second["run"] == first["run"] and second["chapter"] == 1
    seeds = [bytes(seed) for seed in Match.objects.values_list("seed", flat=True)]
    assert len(set(seeds)) == 2


def test_a_match_under_way_is_gone_on_with_and_never_dealt_again(member):
    first = member.go_on()
    again = member.post("/campana/", {"kind": "free"})
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert Match.objects.count() == Run.objects.count() == 1


def test_until_there_is_a_season_a_run_asked_for_as_scored_is_free_and_says_so(member):
    answer = member.post("/campana/", {"kind": "scored"})
    assert (answer.status_code, answer.json()["kind"]) == (201, "free")
    assert not Run.objects.get().is_scored


def test_a_chapter_is_not_skipped_by_its_address_or_by_asking(member):
    answer = member.go_on()
    for number in (0, 2, 5, 6, 99999999):
        assert member.browser.get(f"/campana/{answer['run']}/{number}/", headers=PAGE).status_code == 404
    finish(member, answer["id"], WON)
    for chapter in ("0", "1", "3", "5"):
        refused = member.post("/campana/", {"kind": "free", "run": answer["run"], "chapter": chapter})
        assert refused.status_code == 409, chapter
        assert refused.json()["run"]["chapter"] == 2
    assert Match.objects.count() == 1


def test_a_won_chapter_is_not_won_again(member):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    play = member.play(answer["id"], "5Dx5C", 0)
    assert play.status_code == 409
    assert Run.objects.get().chapters_won == 1


def test_the_win_is_kept_although_nobody_looks_at_the_scene(member):
    """The browser is closed on the winning play; an hour later the next chapter is open."""
    answer = member.go_on()
    finish(member, answer["id"], WON)
    assert member.go_on()["chapter"] == 2


@pytest.mark.parametrize("fields", [{"kind": "gold"}, {"kind": ""}, {"kind": "free", "points": "700"}, {"kind": "free", "nonce": "ñ"},
                                    {"kind": "free", "chapter": "x"}, {"kind": "free", "chapter": "-1"}])  # fmt: skip
def test_what_is_not_understood_is_refused_and_begins_nothing(member, fields):
    before = Run.objects.count()
    assert member.post("/campana/", fields).status_code == 400
    assert Run.objects.count() == before


@pytest.mark.parametrize("body", [b"[", b"[]", b'{"kind": null}', b'{"kind": {"a": 1}}', b"\xff"])
def test_a_garbled_body_is_refused(member, body):
    response = member.browser.post("/campana/", body, content_type="application/json", headers=JSON)
    assert response.status_code == 400
    assert Run.objects.count() == 0


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_other_methods_are_refused(member, method):
    assert getattr(member.browser, method)("/campana/").status_code == 405


def test_someone_without_account_is_asked_in_and_begins_nothing(db):
    browser = Client()
    assert browser.post("/campana/", {"kind": "free"}, headers=JSON).status_code == 401
    page = browser.post("/campana/", {"kind": "free"}, headers=PAGE)
    assert (page.status_code, page["Location"]) == (302, "/cuenta/login/?next=/campana/")
    text = browser.get("/campana/", headers=PAGE).text
    assert "Crear mi cuenta" in text and "Empezar la vuelta" not in text
    assert Run.objects.count() == 0


def test_a_post_without_its_token_is_refused(player):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(player)
    assert browser.post("/campana/", {"kind": "free"}).status_code == 403
    assert Run.objects.count() == 0


def test_a_match_of_a_run_is_not_listed_as_practice(member):
    answer = member.go_on()
    assert member.browser.get("/practica/", headers=JSON).json()["under_way"] == []
    assert f"/mesa/{answer['id']}/" in member.browser.get("/", headers=PAGE).text


def test_a_page_held_open_from_another_run_begins_nothing(member):
    old = member.go_on()
    member.post(f"/campana/{old['run']}/abandonar/", {})
    refused = member.post("/campana/", {"kind": "free", "run": old["run"], "chapter": 1})
    assert refused.status_code == 409
    assert Run.objects.under_way().count() == 0


# Others


def test_nobody_else_sees_or_touches_a_run(member, stranger, rival_player):
    answer = member.go_on()
    finish(member, answer["id"], WON)
    member.go_on()
    before = list(Run.objects.values()), list(Match.objects.values("id", "ply", "abandoned_at"))
    addresses = [f"/campana/{answer['run']}/", f"/campana/{answer['run']}/1/", f"/campana/{answer['run']}/abandonar/", f"/partida/{answer['id']}/"]
    for browser in (Client(), client_of(stranger), client_of(rival_player)):
        for path in addresses:
            for headers in (PAGE, JSON):
                assert browser.get(path, headers=headers).status_code == 404, path
        assert browser.post(addresses[2], headers=PAGE).status_code == 404
        assert browser.get("/campana/", headers=JSON).json()["run"] is None
        assert answer["run"] not in browser.get("/campana/", headers=PAGE).text
    assert before == (list(Run.objects.values()), list(Match.objects.values("id", "ply", "abandoned_at")))


def test_what_is_not_mine_and_what_is_not_there_are_told_alike(member, stranger):
    answer, browser = member.go_on(), client_of(stranger)
    texts = [browser.get(f"/campana/{run_id}/", headers=PAGE).text.replace(run_id, "ID") for run_id in (answer["run"], "2" * 12)]
    assert texts[0] == texts[1]


def test_the_next_person_in_the_browser_inherits_nothing(member, stranger):
    answer = member.go_on()
    member.browser.logout()
    member.browser.force_login(stranger)
    assert state(member)["run"] is None
    assert member.browser.get(f"/mesa/{answer['id']}/", headers=JSON).status_code == 404
