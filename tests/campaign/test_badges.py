"""Badges: earned by what the books say, with the day they come from; each has a page to be shared."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.badges import BADGES, earned_badges
from campaign.models import Run
from campaign.tasks import sum_up
from cvarenta.accounts.services import rename_player
from cvarenta.wording import day_in_words
from tests.support import client_of

from .ended_matches import play_out, save_ended
from .playing import PAGE

pytestmark = pytest.mark.django_db
DOOR, STONE, MASTER, SHOE = (badge.key for badge in BADGES)


def save_chapter(player, number, chapter, **fields):
    now = timezone.now()
    run = Run.objects.create(player=player, outcome="abandoned", started_at=now, ended_at=now)
    return save_ended(player, number, run=run, chapter=chapter, **fields)


def badges_of(player):
    sum_up()
    return {earned.badge.key: earned.match for earned in earned_badges(player.pk)}


def most_cards(number):
    return max([event.cards[0] for event in play_out(number)[2] if hasattr(event, "cards")], default=0)


@pytest.mark.parametrize(
    "number, chapter, badge, has_it",
    [
        (1, 1, DOOR, True),
        (2, 1, DOOR, False),  # lost
        (1, 2, DOOR, False),
        (3, 3, STONE, True),  # won by a caída at 38
        (1, 3, STONE, False),  # by the partner's
        (28, 3, STONE, False),  # from 36
        (3, 2, STONE, False),
        (80, 2, SHOE, True),
        (2, 2, SHOE, False),  # the player's pair was left so
        (1, 2, SHOE, False),
    ],
)
def test_a_match_of_the_story_earns_what_it_is_worth(player, number, chapter, badge, has_it):
    match = save_chapter(player, number, chapter)
    assert (badges_of(player).get(badge) == match) is has_it


def test_twenty_six_cards_make_a_good_master_and_twenty_five_do_not(player, rival_player):
    with_26 = next(number for number in range(250) if most_cards(number) == 26)
    with_25 = next(number for number in range(250) if most_cards(number) == 25)
    save_ended(player, with_26)
    save_ended(rival_player, with_25)
    assert MASTER in badges_of(player) and MASTER not in badges_of(rival_player)


def test_practice_earns_no_badge_of_a_chapter_but_the_others(player):
    save_ended(player, 80)
    save_ended(player, 3)
    assert SHOE in badges_of(player) and not {DOOR, STONE} & badges_of(player).keys()


def test_the_first_match_that_earned_it_gives_the_day(player):
    save_ended(player, 80, days_ago=1)
    first = save_ended(player, 105, days_ago=9)
    save_ended(player, 2, days_ago=20)
    assert badges_of(player)[SHOE] == first
    assert day_in_words(first.finished_at) in Client().get(f"/jugadores/dolores/insignias/{SHOE}/").text


def test_the_page_shows_what_is_earned_and_to_oneself_how_to_earn_the_rest(player):
    save_chapter(player, 1, 1)
    theirs, mine = (browser.get("/jugadores/dolores/", headers=PAGE).text for browser in (Client(), client_of(player)))
    for text in (theirs, mine):
        assert f'href="/jugadores/dolores/insignias/{DOOR}/"' in text
        assert f"/insignias/{STONE}/" not in text
    how = {badge.key: badge.how for badge in BADGES}
    assert how[STONE] in mine and how[STONE] not in theirs and how[DOOR] not in mine


def test_a_badge_has_a_page_that_tells_itself_to_those_it_is_sent_to(player):
    save_chapter(player, 3, 3)
    sum_up()
    response = Client().get(f"/jugadores/dolores/insignias/{STONE}/", headers=PAGE)
    meta = {
        name: unescape(content)
        for name, content in re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', response.text)
    }
    assert response.status_code == 200 and "Piedra en mano" in meta["og:title"] and "dolores" in meta["og:title"]
    assert meta["og:description"] and meta["twitter:card"] == "summary_large_image"
    assert meta["og:image"] == f"http://testserver/jugadores/dolores/insignias/{STONE}/tarjeta.png"
    assert "una mano abierta" in meta["og:image:alt"]


@pytest.mark.parametrize(
    "path", ["dolores/insignias/piedra-en-mano/", "dolores/insignias/no-hay/", "nadie/insignias/piedra-en-mano/"]
)
@pytest.mark.parametrize("picture", ["", "tarjeta.png"])
def test_what_is_not_earned_is_not_found(player, path, picture):
    save_chapter(player, 1, 1)
    assert Client().get(f"/jugadores/{path}{picture}").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_they_are_only_looked_at(player, method):
    save_chapter(player, 1, 1)
    for path in ("", "tarjeta.png"):
        assert getattr(Client(), method)(f"/jugadores/dolores/insignias/{DOOR}/{path}").status_code == 405


def test_an_old_name_leads_to_the_badge(player):
    save_chapter(player, 1, 1)
    rename_player(player=player, name="Lola", at=timezone.now())
    for path in ("", "tarjeta.png"):
        response = Client().get(f"/jugadores/dolores/insignias/{DOOR}/{path}")
        assert (response.status_code, response["Location"]) == (302, f"/jugadores/Lola/insignias/{DOOR}/{path}")


def test_a_match_that_goes_takes_its_badge_along(player):
    match = save_ended(player, 80)
    assert SHOE in badges_of(player)
    services.delete_match(match=match)
    assert SHOE not in badges_of(player)
    assert Client().get(f"/jugadores/dolores/insignias/{SHOE}/").status_code == 404
