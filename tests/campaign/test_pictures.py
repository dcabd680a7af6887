"""The pictures for sharing: who may see them, what they are, when they are drawn; one is kept, however many ask."""

import io
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image

from campaign import previews, services
from campaign.badges import BADGES, Earned
from campaign.canvas import STATIC, drawing
from campaign.models import Match, Picture
from campaign.pictures import draw_badge, result_of
from campaign.tasks import sum_up
from cvarenta.accounts.services import rename_player
from tests.support import client_of, make_player

from .ended_matches import save_ended
from .playing import at_once

pytestmark = pytest.mark.django_db
SHOE = "/jugadores/dolores/insignias/sin-un-solo-perro/tarjeta.png"


def picture_of(browser, match):
    return browser.get(f"/partida/{match.pk}/tarjeta.png")


def assert_is_picture(response):
    assert response.status_code == 200 and response["Content-Type"] == "image/png"
    assert len(response.content) < 120_000
    image = Image.open(io.BytesIO(response.content))
    assert image.format == "PNG" and image.size == (1200, 630)
    return image.convert("RGB")


@pytest.fixture
def match(player):
    return save_ended(player, 80)


def test_the_player_sees_it_and_others_when_it_is_shared(player, stranger, match):
    others = [Client(), client_of(stranger)]
    mine = picture_of(client_of(player), match)
    assert_is_picture(mine)
    assert "no-store" in mine["Cache-Control"] and "private" in mine["Cache-Control"]
    assert [picture_of(browser, match).status_code for browser in others] == [404, 404]
    services.share(match=match, is_shared=True, at=timezone.now())
    for browser in others:
        assert_is_picture(picture_of(browser, match))
        assert picture_of(browser, match)["Cache-Control"] == "public, max-age=60"
    services.share(match=match, is_shared=False, at=timezone.now())
    assert [picture_of(browser, match).status_code for browser in others] == [404, 404]


def test_a_match_under_way_has_none(member):
    match = Match.objects.get(pk=member.start())
    assert picture_of(member.browser, match).status_code == 404
    assert member.browser.post(f"/partida/{match.pk}/tarjeta.png").status_code == 405


def test_who_has_seen_it_is_told_that_it_is_the_same(player, match):
    sum_up()
    tag = Client().get(SHOE)["ETag"]
    assert Client().get(SHOE, headers={"if-none-match": tag}).status_code == 304
    assert Client().get(SHOE, headers={"if-none-match": '"another"'}).status_code == 200


def test_it_is_drawn_once_and_again_when_it_says_something_else(player, match, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        previews, "draw_result", lambda result: drawn.append(result.says) or b"one " + result.says.encode()
    )
    browser = client_of(player)
    first = picture_of(browser, match).content
    assert picture_of(browser, match).content == first and len(drawn) == 1
    rename_player(player=player, name="Lola", at=timezone.now())
    assert "Lola y la Virgen ganaron 40 a 8" in picture_of(browser, match).content.decode()
    assert len(drawn) == 2 and Picture.objects.get().says == drawn[1]


@pytest.mark.parametrize(
    "ruleset, number, says",
    [
        ("quito", 80, "dolores y la Virgen ganaron 40 a 8 contra El Goloso y San Miguel. Mesa: Quito, "),
        ("quito", 2, " contra dolores y la Virgen. Mesa: Quito, "),
        ("mano-a-mano", 0, "dolores ganó 40 a "),
        ("tradicional-2", 8, "dolores ganó 42 a 4 contra el Goloso"),  # a zapatería has one chica
        ("tradicional-2", 2, "dolores ganó 2 a "),
        ("tradicional-4", 13, "dolores y la Virgen ganaron con la doble ronda contra "),
    ],
)
def test_it_says_in_words_what_is_to_be_seen(player, ruleset, number, says):
    match = save_ended(player, number, ruleset)
    assert says.lower() in result_of(match).says.lower()
    assert_is_picture(picture_of(client_of(player), match))


def test_no_name_breaks_it(db):
    for name in ("W" * 20, "ǞẶỘŨŲ-Ḝǻ"):
        player = make_player(name)
        image = assert_is_picture(picture_of(client_of(player), save_ended(player, 80)))
        beside = [image.crop(box).getcolors(10_000) for box in ((45, 440, 106, 490), (554, 440, 640, 490))]
        assert all(sum(colour) < 500 for colours in beside for _, colour in colours)  # the night: no letter is there
    match = save_ended(None, 80, guest="somebody")
    services.share(match=match, is_shared=True, at=timezone.now())
    assert_is_picture(picture_of(Client(), match))
    assert Picture.objects.get(match=match).says.startswith("Invitado y la Virgen")


def test_every_badge_and_medallion_can_be_drawn(player, match):
    for sprite in ("badges", "emblems"):
        path = STATIC / f"img/{sprite}.svg"
        names = [
            symbol.get("id") for symbol in ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}symbol")
        ]
        for name in names:
            assert len(drawing(path.name, name, (96, 96), 96).getcolors(10_000)) > 2, name
    assert {badge.key for badge in BADGES} <= {
        symbol.get("id") for symbol in ElementTree.parse(STATIC / "img/badges.svg").getroot()
    }


def test_badges_of_all_kinds_are_pictures(player, match):
    for badge in BADGES:
        assert Image.open(io.BytesIO(draw_badge("W" * 20, Earned(badge, match)))).size == (1200, 630)


@pytest.mark.django_db(transaction=True)
def test_thirty_who_ask_at_once_get_one_picture_drawn_once(player, monkeypatch):
    save_ended(player, 80)
    sum_up()
    drawn = []
    monkeypatch.setattr(previews, "draw_badge", lambda *told: drawn.append(told) or draw_badge(*told))

    def ask():
        try:
            return Client().get(SHOE)
        finally:
            connection.close()

    answers = at_once(*[ask] * 30)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == Picture.objects.count() == len(drawn) == 1


def test_two_processes_that_draw_it_at_once_keep_one(player, match):
    """The lock is a process's own; the database has the last word."""
    for says in ("una mesa", "una mesa", "otra"):
        services.keep_picture(of={"match_id": match.pk}, says=says, png=says.encode())
        services.keep_picture(of={"player_id": player.pk, "badge": "buen-maestro"}, says=says, png=says.encode())
    assert [bytes(picture.png) for picture in Picture.objects.all()] == [b"otra", b"otra"]
