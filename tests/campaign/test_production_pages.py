"""The site as it runs on a server: every page of a player's whole way, every file they name, every answer right."""

import re

import pytest

from campaign.models import Match

from .endings import WON, bring_to_its_end
from .playing import JSON, PAGE, Program, Visitor
from .serving import Server, manage, production, url_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)
STATIC = re.compile(r'(?:src|href)="(/static/[^"#]+)')
LINK = re.compile(r'(?:href|action)="(/[^"#?]*)')
FIELDS = {"username": "carmela", "password1": "la-mesa-de-la-ronda-40"}


@pytest.fixture
def server(tmp_path):
    environment = production(url_of_the_database(), tmp_path)
    manage(environment, "collectstatic", "--noinput")
    manage(environment, "createcachetable")
    with Server(environment) as server:
        yield server


def token(browser):
    return browser.cookies["csrftoken"].value


def test_every_page_and_file_of_a_players_way_is_there(server):
    browser = Visitor(server.url)
    program, files, pages = Program(browser), set(), {"/", "/campana/", "/cuenta/signup/", "/practica/", "/guia/"}
    browser.get("/cuenta/signup/", headers=PAGE)
    answer = browser.post("/cuenta/signup/", FIELDS | {"csrfmiddlewaretoken": token(browser)}, headers=PAGE)
    assert answer.status_code == 302, answer.text[:2000]
    for _ in range(5):
        match_id = program.post("/campana/", {"kind": "free"}).json()["id"]
        play, ply = bring_to_its_end(match_id, WON)
        assert program.play(match_id, play, ply).status_code == 200
    program.post("/campana/", {"kind": "free"})
    program.start()
    run = browser.get("/campana/", headers=JSON).json()["run"]
    pages |= {f"/mesa/{match.pk}/" for match in Match.objects.all()} | {f"/campana/{run['id']}/{path}" for path in ("", "1/", "abandonar/")}

    seen, waiting = set(), set(pages)
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = browser.get(path, headers=PAGE)
        assert answer.status_code in (200, 302), (path, answer.status_code)
        text = answer.text if answer["Content-Type"].startswith("text/html") else ""  # pictures name nothing
        files |= set(STATIC.findall(text))
        found = {link for link in LINK.findall(text) if not link.startswith(("/static/", "//", "/admin/"))}
        if answer.status_code == 302:
            found = {answer["Location"]} if answer["Location"].startswith("/") else set()
        posts = {link for link in found if "salir-en-todas" in link}
        waiting |= {link.partition("?")[0] for link in found - posts} - seen
    assert {"/jugadores/carmela/", "/cuenta/", "/cuenta/logout/", "/cuenta/borrar/"} <= seen
    assert len(files) > 25
    for file in files:
        answer = browser.get(file)
        assert answer.status_code == 200 and answer.content, file
    names = " ".join(files)
    for picture in ("la-ronda", "plaza-grande", "san-francisco", "el-balcon", "la-compania", "ciudad"):
        assert re.search(rf"{picture}\.[0-9a-f]+\.svg", names) and re.search(rf"{picture}-after\.[0-9a-f]+\.svg", names), picture
    for path in ("/no-hay/", "/jugadores/nadie-asi/", "/campana/222222222222/"):
        assert browser.get(path, headers=PAGE).status_code == 404
    browser.close()
