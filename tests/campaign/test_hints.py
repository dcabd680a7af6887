"""Ask for a hint: what each play risks and what maestro would do, in practice and free runs, never in a scored run."""

import random

import pytest
from django.test import Client

from campaign.aids import COOKIE
from campaign.hints import advice_for, advice_words, danger_words
from campaign.models import Match
from cvarenta.game.bots.advice import advise
from cvarenta.game.notation import parse_play
from cvarenta.game.shuffle import Stream
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of
from tests.game.tables import QUITO, RULE_SETS, hidden_permuted, late, random_games, sit
from tests.support import client_of

from .endings import WON, finish
from .playing import FRAGMENT, JSON, PAGE, Program

pytestmark = pytest.mark.django_db


def path_of(match_id):
    return f"/mesa/{match_id}/pista/"


def ask(program, match_id, headers=JSON):
    return program.browser.get(path_of(match_id), headers=headers)


@pytest.fixture
def scored(season, clock, member):
    """The id of a match of a scored run under way."""
    return member.go_on("scored")["id"]


# What is said


def words(match, play):
    return danger_words(view_of(match, match.to_play), parse_play(play))


def test_a_lay_says_how_many_unseen_cards_can_fall_on_it():
    assert (
        words(sit(QUITO, "KH KDxKH 3S", holding="5S 5D QH JC AC"), "5S")
        == "Si dejas el 5, te pueden caer: quedan 2 cincos sin ver."
    )
    assert words(sit(QUITO, "5H 5Dx5H 3C", holding="5S QH JC AC 2C"), "5S").endswith("queda 1 cinco sin ver.")


def test_a_lay_that_could_be_fallen_on_and_cleared_says_both():
    match = sit(QUITO, "KH KDxKH", holding="5S QH JC AC 2C")
    assert words(match, "5S") == "Si dejas el 5, te pueden caer y limpiar, +4: quedan 3 cincos sin ver."


def test_a_lay_says_which_sum_would_clear():
    match = sit(QUITO, "KH KDxKH 2H", holding="5S 5D 5C JC 7C")
    assert (
        words(match, "5S")
        == "Si dejas el 5, te pueden caer: queda 1 cinco sin ver. Con el 2 de la mesa suma 7: quedan 3 sietes que limpian."
    )


def test_a_card_whose_others_are_seen_is_safe():
    match = sit(QUITO, "5H 5Dx5H 3C", holding="5S 5C JC AC 2C")
    assert words(match, "5S") == "Al 5 nadie le cae: ya viste todos."
    called = sit(QUITO, "2H", deals=[{1: "5D QH JC KC", 3: "5H 5C 5S 7D KD"}], holding="AS")
    assert words(called, "5D").startswith("Al 5 no le cae el que sigue: los que faltan ya se cantaron.")


def test_a_ronda_that_was_called_is_not_forgotten():
    match = sit(QUITO, "2H", deals=[{1: "5D QH JC KC", 2: "5H 5C 5S 7D KD"}], holding="AS")
    assert words(match, "5D").startswith("El que sigue cantó ronda de cincos: te puede caer.")


def test_captures_say_what_they_leave():
    match = sit(QUITO, "KH KDxKH 2H 7D", holding="7S QH JC AC")
    assert words(match, "7Sx7D") == "Lo que queda se limpia con 3 doses sin ver."
    assert words(sit(QUITO, "KH", holding="KS 2C 3D JC AC"), "KSxKH") == "La mesa queda limpia: no hay a qué caer."
    winning = sit(QUITO, "KH 5D", holding="5S QH JC AC 2C", score=(38, 0))
    assert words(winning, "5Sx5D").startswith("Con esta llegas a 40")
    assert "no hay peligro" in words(late(QUITO, hands={3: "KS"}, table="5H"), "KS")


def test_maestro_tells_the_play_the_reason_and_what_was_weighed():
    match = sit(QUITO, "KH KDxKH 5H", holding="5S QH JC AC 2C")
    said = advice_words(advise(view_of(match, match.to_play), Stream(bytes(32), "x")))
    assert said.startswith("El maestro recogería con el 5: cae y suma 4. Así ganas ")
    assert " de cada 100 (" in said and " dejando " in said and ", y la repartida rinde " in said


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_no_hidden_card_and_no_secret_seed_changes_a_hint(ruleset):
    """The same id, another seed, and all hidden cards dealt otherwise: not a letter changes."""
    rng, seen = random.Random(40), 0
    mine, other = (Match(pk="abcdefghjkmn", ruleset=ruleset, seed=bytes([n]) * 32) for n in (1, 2))
    for game, _ in random_games(ruleset, 5, decks=2, score=(20, 30)):
        if not game.legal() or rng.random() < 0.6:
            continue
        view, permuted = view_of(game, game.to_play), view_of(hidden_permuted(game, game.to_play, rng), game.to_play)
        for play in game.legal():
            assert danger_words(view, play) == danger_words(permuted, play)
        assert advice_words(advice_for(mine, view, 128)) == advice_words(advice_for(other, permuted, 128))
        seen += 1
    assert seen > 8


# Asking


def test_a_program_gets_every_play_with_its_danger_and_maestros_word(guest, table):
    answer = ask(guest, table["id"])
    hints = answer.json()
    assert answer.status_code == 200 and hints["ply"] == table["ply"]
    assert {row["play"] for row in hints["plays"]} == set(table["legal"])
    assert all(
        row["says"] and {"points", "cards", "caida", "limpia", "threats"} <= row.keys() for row in hints["plays"]
    )
    maestro = hints["maestro"]
    assert maestro["play"] in table["legal"] and maestro["says"].startswith("El maestro ")
    assert maestro["weighed"][0]["play"] == maestro["play"]
    assert ask(guest, table["id"]).json() == hints, "asked again it says something else"


def test_without_script_the_table_opens_with_the_hint_and_is_played_from_there(guest, table):
    page = ask(guest, table["id"], PAGE).text
    assert "El maestro " in page and 'data-danger="' in page
    assert f'action="/mesa/{table["id"]}/"' in page and 'id="play"' in page
    assert Match.objects.get(pk=table["id"]).ply == table["ply"]


def test_the_script_gets_the_hint_alone(guest, table):
    text = ask(guest, table["id"], FRAGMENT).text
    assert text.lstrip().startswith("<section") and "El maestro " in text and 'id="play"' not in text


def test_dangers_stand_at_the_table_when_the_switch_is_on_and_only_then(guest, table):
    address = f"/mesa/{table['id']}/"
    assert "data-danger" not in guest.browser.get(address, headers=FRAGMENT).text
    assert guest.post(path_of(table["id"]), {"on": 1}).json() == {"on": True}
    assert guest.browser.cookies[COOKIE]["httponly"]
    shown = guest.browser.get(address, headers=FRAGMENT).text
    assert "data-danger" in shown and "El maestro " not in shown
    token = guest.browser.cookies["csrftoken"].value
    body = {"play": table["legal"][0], "ply": table["ply"], "csrfmiddlewaretoken": token}
    assert "data-danger" in guest.browser.post(address, body, headers=FRAGMENT).text
    assert guest.post(path_of(table["id"]), {"on": 0}).json() == {"on": False}
    assert "data-danger" not in guest.browser.get(address, headers=FRAGMENT).text


@pytest.mark.parametrize("fields", [{}, {"on": "2"}, {"on": ""}, {"on": "sí"}, [1]])
def test_an_unreadable_switch_changes_nothing(guest, table, fields):
    assert guest.post(path_of(table["id"]), fields).status_code == 400
    assert COOKIE not in guest.browser.cookies


def test_others_and_other_methods_get_nothing(guest, table, stranger):
    for program in (Program(client_of(stranger)), Program(Client())):
        assert ask(program, table["id"]).status_code == 404
        assert program.post(path_of(table["id"]), {"on": 1}).status_code == 404
    assert guest.browser.delete(path_of(table["id"]), headers={"x-csrftoken": "x"}).status_code in (403, 405)


def test_a_free_run_gives_hints_too(member):
    match_id = member.go_on("free")["id"]
    assert ask(member, match_id).json()["maestro"]["says"]
    assert "data-danger" in ask(member, match_id, PAGE).text


def test_when_the_match_is_over_the_way_leads_where_it_went(member):
    answer = member.go_on("free")
    finish(member, answer["id"], WON)
    assert ask(member, answer["id"]).status_code == 409
    assert ask(member, answer["id"], PAGE)["Location"] == f"/campana/{answer['run']}/1/"


# Never in a scored run


@pytest.mark.parametrize("headers", [JSON, FRAGMENT, PAGE])
def test_a_scored_run_refuses_by_any_address_also_with_the_switch_on(member, scored, headers):
    member.browser.cookies[COOKIE] = "1"
    for path in (path_of(scored), path_of(scored) + "?on=1"):
        answer = member.browser.get(path, headers=headers)
        assert answer.status_code == 403 and "En una vuelta puntuable no hay pistas" in answer.text
        assert "maestro" not in answer.text and "data-danger" not in answer.text
    assert member.post(path_of(scored), {"on": 1}).status_code == 403


def test_no_page_of_a_scored_run_holds_a_hint(member, scored):
    member.browser.cookies[COOKIE] = "1"
    table = member.look(scored)
    token = member.browser.cookies["csrftoken"].value
    body = {"play": table["legal"][0], "ply": table["ply"], "csrfmiddlewaretoken": token}
    address = f"/mesa/{scored}/"
    heard = [member.browser.get(address, headers=headers) for headers in (PAGE, FRAGMENT, JSON)]
    heard.append(member.browser.post(address, body, headers=FRAGMENT))
    for answer in heard:
        assert answer.status_code == 200
        for word in (b"pista", b"Pista", b"hint", b"danger", b"sin ver", b"maestro", b"threat"):
            assert word not in answer.content, word


def test_a_scored_run_that_is_over_refuses_still(member, scored):
    finish(member, scored, WON)
    assert ask(member, scored).status_code == ask(member, scored, PAGE).status_code == 403


def test_a_hint_tells_no_hidden_card_to_the_page(guest, table):
    """Whatever lies in the other hands, the whole page of hints stays the same to the letter."""
    match = Match.objects.get(pk=table["id"])
    before = ask(guest, match.pk).json()
    game = hidden_permuted(match.load_game(), 0, random.Random(7))
    assert game.hands != match.load_game().hands
    Match.objects.filter(pk=match.pk).update(state=dump_state(game), seed=bytes(32))
    assert ask(guest, match.pk).json() == before
