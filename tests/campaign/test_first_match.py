"""Be led through a first match: invited, told one short thing at a time, free to leave, remembered as left or done."""

import random

import pytest
from django.test import Client

from campaign import lessons
from campaign.lessons import Turn, lesson_of
from campaign.models import Match
from cvarenta.game.cards import mask_of
from cvarenta.game.events import Carton, Deal, Played, Ronda
from cvarenta.game.view import view_of
from tests.game.tables import QUITO, cards, sit
from tests.support import client_of

from .endings import WON, finish
from .played_runs import known_seeds  # noqa: F401
from .playing import FRAGMENT, JSON, PAGE, Page, Program, Reader

pytestmark = pytest.mark.django_db
INVITED, AGAIN = "¿Nunca has jugado?", "Otra vez de la mano"


def led(program):
    return Match.objects.get(pk=program.start(led="1"))


def page(program, path):
    return program.browser.get(path, headers=PAGE).text


def word_at(program, match):
    text = program.browser.get(f"/mesa/{match.pk}/", headers=FRAGMENT).text
    return text.partition('id="lesson">')[2].partition("<")[0]


# Begin


def test_cover_and_practice_invite_and_the_form_leads_to_a_real_match_with_a_gentle_rival():
    reader = Reader(Client(enforce_csrf_checks=True))
    _, cover = reader.open("/")
    form = next(form for form in cover.forms if ("led", "1") in form.buttons)
    path, table = reader.submit(form, [("led", "1")])
    match = Match.objects.get()
    assert path == f"/mesa/{match.pk}/" and table.table is not None
    assert (match.ruleset, match.rival, match.lesson, match.run_id) == ("quito", "aprendiz", "led", None)


def test_a_led_match_is_at_the_house_table_whatever_else_is_sent(guest):
    match = Match.objects.get(pk=guest.start(led="1", ruleset="tradicional-2", rival="diablo"))
    assert (match.ruleset, match.rival) == (lessons.RULESET, lessons.RIVAL)


@pytest.mark.parametrize("value", ["2", "sí", "led"])
def test_an_unreadable_wish_to_be_led_begins_nothing(guest, value):
    assert guest.post("/practica/", {"led": value}).status_code == 400
    assert not Match.objects.exists()


def test_other_matches_lead_nobody(guest, table):
    assert Match.objects.get(pk=table["id"]).lesson == ""
    assert 'id="aids"' not in page(guest, f"/mesa/{table['id']}/")


def test_the_invitation_stays_until_it_was_taken_and_is_quiet_afterwards(guest):
    guest.start()
    assert INVITED in page(guest, "/") and INVITED in page(guest, "/practica/")
    guest.start(led="1")
    assert INVITED not in page(guest, "/") + page(guest, "/practica/")
    practice = page(guest, "/practica/")
    assert practice.index(AGAIN) > practice.index("Repartir")
    other = Program(Client())
    assert INVITED in page(other, "/practica/")


# Leave and finish


def test_it_is_left_by_a_button_without_script_and_the_match_goes_on():
    reader = Reader(Client(enforce_csrf_checks=True))
    path, table = reader.submit(next(f for f in reader.open("/")[1].forms if ("led", "1") in f.buttons), [("led", "1")])
    ply = table.table["data-ply"]
    path, after = reader.submit(table.form_to(path + "guia/"), [])
    assert Match.objects.get().lesson == "left"
    assert after.table["data-ply"] == ply and not [form for form in after.forms if form.action.endswith("/guia/")]


def test_leaving_is_the_players_alone_by_post_alone_and_once_is_enough(guest, stranger):
    match = led(guest)
    address = f"/mesa/{match.pk}/guia/"
    assert Program(client_of(stranger)).post(address, {}).status_code == 404
    assert guest.browser.get(address, headers=JSON).status_code == 405
    assert Match.objects.get().lesson == "led"
    for _ in range(2):
        assert guest.post(address, {}).json() == {"led": False}
    assert Match.objects.get().lesson == "left"


def test_leaving_where_nothing_leads_changes_nothing(guest, table):
    assert guest.post(f"/mesa/{table['id']}/guia/", {}).status_code == 200
    assert Match.objects.get(pk=table["id"]).lesson == ""


@pytest.mark.parametrize("left", [False, True])
def test_finishing_is_remembered_as_done_unless_it_was_left(guest, left):
    match = led(guest)
    if left:
        guest.post(f"/mesa/{match.pk}/guia/", {})
    finish(guest, match.pk, WON)
    assert Match.objects.get().lesson == ("left" if left else "done")
    assert INVITED not in page(guest, "/")


def test_an_account_remembers_it_on_every_device(member, player):
    led(member)
    assert INVITED not in client_of(player).get("/").text


# What it says


def test_each_thing_is_said_once_in_two_short_sentences_and_the_same_when_asked_again(guest, known_seeds):  # noqa: F811
    match, said, rng = led(guest), [], random.Random(1)
    table = guest.look(match.pk)
    while not table["over"] and len(said) < 40:
        word = word_at(guest, match)
        assert lesson_of(Match.objects.get(pk=match.pk)) == word
        said.append(word)
        table = guest.play(match.pk, rng.choice(table["legal"]), table["ply"]).json()
    words = [word for word in said if word]
    assert said[0].endswith(lessons.HOW)
    assert len(words) >= 6 and len(set(words)) == len(words) and "" in said
    assert all(len(word) < 150 and word.count(". ") <= 1 for word in words)


def test_the_fragment_of_a_play_brings_the_next_word(guest):
    match = led(guest)
    table = guest.look(match.pk)
    token = guest.browser.cookies["csrftoken"].value
    body = {"play": table["legal"][0], "ply": table["ply"], "csrfmiddlewaretoken": token}
    fragment = guest.browser.post(f"/mesa/{match.pk}/", body, headers=FRAGMENT).text
    assert 'id="aids"' in fragment
    assert fragment.partition('id="lesson">')[2].partition("<")[0] == word_at(guest, match)


def says(topic, match, news=()):
    found = lessons._TOPICS[topic](Turn(view_of(match, match.to_play), list(news), list(news)))
    return found and " ".join(found)


@pytest.mark.parametrize(
    "topic, plays, holding, expected",
    [
        ("empty", "", "5S QH JC AC 2C", "La mesa está vacía: deja una carta."),
        ("lay", "KH QD JS 7D", "2S 2C 3D 3S", "Ninguna de tus cartas recoge: deja una."),
        ("match", "KH QD", "QS 2C 3D 3S", "Tu Q recoge su igual de la mesa."),
        ("sum", "3H 4D", "7S QH JC KC", "Tu 7 se lleva 3 y 4, porque suman 7."),
        ("escalera", "5H 6D 7S KC", "5S 2C QH AC", "Tu 5 recoge en escalera: 5, 6 y 7, de una."),
        ("caida", "KH 5D", "5S QH JC AC", "Tu 5 es igual a la que acaban de dejar: caída, 2 puntos."),
        ("limpia", "3H 4D", "7S QH JC KC", "Con el 7 te llevas toda la mesa: es limpia."),
        ("limpia", "KH KDxKH 5D", "5S QH JC AC", "Con el 5 caes y te llevas toda la mesa: caída y limpia."),
    ],
)
def test_it_speaks_of_what_lies_there(topic, plays, holding, expected):
    assert says(topic, sit(QUITO, plays, holding=holding)).startswith(expected)


def test_it_speaks_of_what_has_just_happened():
    match = sit(QUITO, "KH QD", holding="JS 2C 3D 3S")
    five, nine = cards("5S")[0], cards("5D")[0]
    fall = Played(4, 1, five, 1 << nine, True, False, 2, (0, 2))
    assert says("fell", match, [fall]).startswith("Te cayeron: dejaste el 5")
    assert says("fell", match, [fall._replace(seat=3)]) is None
    assert "vale 2" in says("ronda", match, [Ronda(1, 4, 3, 2, (0, 2))])
    assert "ya no vale" in says("ronda", match, [Ronda(0, 4, 3, 0, (32, 2))])
    assert says("deal", match, [Deal(0, 1, 3)]) and says("deal", match, [Deal(1, 0, 0)]) is None
    assert "22 a 18: +8 para nosotros." in says("carton", match, [Carton((22, 18), (8, 0), (8, 0))])
    assert "nadie sumó" in says("carton", match, [Carton((18, 18), (0, 0), (8, 0))])


def test_it_explains_how_the_others_captured():
    match = sit(QUITO, "KH QD", holding="JS 2C 3D 3S")
    by_sum = Played(4, 3, cards("5S")[0], mask_of(cards("2H 3D")), False, False, 0, (0, 0))
    climbing = by_sum._replace(takes=mask_of(cards("2H 3D 6C 7S")))
    assert says("their_sum", match, [by_sum]).startswith("2 y 3 suman 5: por eso se fueron con el 5.")
    assert says("their_escalera", match, [by_sum]) is None
    assert says("their_escalera", match, [climbing]).startswith("Con el 5 también se fueron 6 y 7: es la escalera.")
    assert says("their_sum", match, [climbing._replace(seat=0)]) is None
    assert says("their_sum", match, [by_sum._replace(takes=mask_of(cards("5D")))]) is None


def test_a_count_and_a_ronda_are_recent_until_the_next_deal():
    carton, ronda, played = Carton((22, 18), (8, 0), (8, 0)), Ronda(1, 4, 3, 2, (8, 2)), Played(40, 1, 0, 0, False, False, 0, (8, 2))
    recent = lessons._recent([], [played, carton, Deal(1, 0, 0), ronda])
    assert recent == [carton, Deal(1, 0, 0), ronda]
    assert lessons._recent(recent, [played, Deal(1, 1, 0)]) == [Deal(1, 1, 0)]


def test_it_speaks_of_thirty_and_thirty_eight():
    assert "el cartón ya no suma" in says("thirty", sit(QUITO, holding="5S 2C", score=(30, 4)))
    assert says("thirty", sit(QUITO, holding="5S 2C", score=(28, 4))) is None
    assert says("thirty_eight", sit(QUITO, holding="5S 2C", score=(38, 4))).startswith("Tenemos 38")
    assert says("thirty_eight", sit(QUITO, holding="5S 2C", score=(4, 38))).startswith("Ellos tienen 38")
    winning = sit(QUITO, "KH 5D", holding="5S QH JC AC", score=(38, 38))
    assert says("win", winning).startswith("Con el 5 llegas a 40.")
    assert says("win", sit(QUITO, "KH 5D", holding="5S QH JC AC", score=(34, 34))) is None


def test_the_page_of_a_led_match_is_read_without_script(guest):
    match = led(guest)
    shown = Page(page(guest, f"/mesa/{match.pk}/"))
    assert {form.action for form in shown.forms} >= {f"/mesa/{match.pk}/", f"/mesa/{match.pk}/guia/"}
