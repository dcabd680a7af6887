"""The replay of a finished match: each moment has an address of its own and shows how the match stood there."""

import json
import random
import re
from html import unescape

import pytest

from campaign.models import Match
from campaign.replay import moments_of, plies_told, told_of
from cvarenta.game.cards import NAMES, cards_in, format_cards
from cvarenta.game.notation import parse_play
from cvarenta.game.record import record_from
from cvarenta.game.rulesets import RULESETS

from .long_matches import save_far_on
from .playing import JSON, PAGE

pytestmark = pytest.mark.django_db


def finish(guest, seed=7, **fields):
    """A finished match's address and record."""
    match_id = guest.start(rival="random", **fields)
    guest.play_on(match_id, random.Random(seed))
    return f"/partida/{match_id}/", json.loads(guest.record(match_id))


@pytest.fixture
def finished(guest):
    return finish(guest, ruleset="quito", nonce="repaso")


def page_at(guest, path, jugada, **more):
    response = guest.browser.get(path, {"jugada": jugada, **more}, headers=PAGE)
    assert response.status_code == 200
    return response.text


def frames_of(text):
    return json.loads(re.search(r'<script id="frames" type="application/json">(.*?)</script>', text)[1])


def board_of(text):
    return text.partition('<div class="board">')[2].partition('<form class="scrub"')[0]


def steps_of(text):
    """Where each control leads, as {kind: moment}."""
    return {kind: int(ply) for kind, ply in re.findall(r'data-step="([\w-]+)" href="[^"?]*\?jugada=(\d+)', text)}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_moment_is_the_position_after_so_many_plays(guest, ruleset):
    _, record = finish(guest, ruleset=ruleset)
    moments = moments_of(record_from(record))
    assert len(moments) == len(record["plays"]) + 1

    game, decks = record_from(record).new_match(), iter(record["decks"])
    for n, moment in enumerate(moments):
        while game.awaits_deck and not game.is_over:
            deck = next(decks)
            game.begin_deck([NAMES.index(deck[i : i + 2]) for i in range(0, 80, 2)])
        view = moment.view
        assert moment.ply == n == game.ply
        assert moment.hands == [format_cards(hand) for hand in game.hands]
        assert sorted(view.table) == cards_in(game.table)
        assert (view.score, view.last, view.dealer, view.to_play) == (game.score, game.last, game.dealer, game.to_play)
        assert (list(view.taken), view.winner) == (game.taken, game.winner)
        if n:
            assert (moment.played.ply, moment.played.card) == (n - 1, parse_play(record["plays"][n - 1])[0])
        if n < len(record["plays"]):
            game.play(parse_play(record["plays"][n]))


def test_a_moment_can_be_opened_and_shows_the_table_as_it_stood(guest, finished):
    path, record = finished
    moments = moments_of(record_from(record))
    for n in (0, 1, 23, len(moments) - 2, len(moments) - 1):
        text, moment = page_at(guest, path, n), moments[n]
        board = board_of(text)
        assert f"Jugada {n} de {len(moments) - 1} · baraja {moment.view.deck_number + 1}, " in board
        laid = board.partition('class="laid"')[2].partition("</ul>")[0]
        assert re.findall(r'data-card="(\w+)"', laid) == [NAMES[card] for card in moment.view.table]
        marked = [NAMES[moment.view.last]] if moment.view.last >= 0 else []
        assert re.findall(r'data-card="(\w+)" class="last"', board) == marked
        hands = re.findall(r'<ul class="hand">(.*?)</ul>', board, re.DOTALL)
        assert ["".join(re.findall(r'data-card="(\w+)"', hand)) for hand in hands] == moment.hands
        scores = [int(score) for score in re.findall(r'<b class="score">(\d+)</b>', board)]
        assert scores == list(moment.view.score)


def test_what_a_play_takes_lies_beside_the_card_that_took_it(guest, finished):
    path, record = finished
    n = next(n for n, play in enumerate(record["plays"], start=1) if "x" in play)
    card, _, takes = record["plays"][n - 1].partition("x")
    took = board_of(page_at(guest, path, n)).partition('class="took">')[2].partition("</ul>")[0]
    assert "".join(re.findall(r'data-card="(\w+)"', took)) == card + takes


def test_only_ones_own_hand_can_be_left_open(guest, finished):
    path, record = finished
    moment = moments_of(record_from(record))[22]
    board = board_of(page_at(guest, path, 22, manos="mias"))
    hands = [
        re.findall(r'data-card="(\w+)"', hand) for hand in re.findall(r'class="hand">(.*?)</ul>', board, re.DOTALL)
    ]
    assert "".join(hands[0]) == moment.hands[0]
    assert hands[1:] == [["back"] * (len(hand) // 2) for hand in moment.hands[1:]]
    text = page_at(guest, path, 22, manos="mias")
    assert all("manos=mias" in link for link in re.findall(r'data-step="[\w-]+" href="([^"]+)"', text))


def test_a_moment_that_there_is_not_is_the_nearest_or_the_beginning(guest, finished):
    path, record = finished
    last = len(record["plays"])
    for asked in ("-3", "999999", "abc", "", "1e3", "3.5", "9" * 5000, "\x00", "٣٣٣٣", "-" + "9" * 30):
        expected = last if asked in ("999999", "٣٣٣٣") else 0
        assert f"Jugada {expected} de {last} ·" in page_at(guest, path, asked), asked


def test_the_steps_lead_from_the_first_moment_to_the_last_and_back(guest, finished):
    path, record = finished
    last = len(record["plays"])
    first, middle, end = (steps_of(page_at(guest, path, n)) for n in (0, 10, last))
    assert first["first"] == first["before"] == first["call-before"] == 0 and first["after"] == 1
    assert (middle["first"], middle["before"], middle["after"], middle["last"]) == (0, 9, 11, last)
    assert end["after"] == end["last"] == end["call-after"] == last and end["before"] == last - 1


def test_calls_are_gone_to_one_by_one(guest, finished):
    """Caídas, limpias, rondas, cartones and the end, found in the record's own events."""
    path, record = finished
    moments = moments_of(record_from(record))
    called = [
        moment.ply
        for moment in moments
        if any(
            type(event).__name__ in ("Ronda", "Carton", "Chica", "End") or getattr(event, "caida", 0) or getattr(event, "limpia", 0)
            for event in moment.events
        )
    ]  # fmt: skip
    met, n = [], steps_of(page_at(guest, path, 0))["call-after"]
    while len(met) < 6 and (not met or n != met[-1]):
        met.append(n)
        n = steps_of(page_at(guest, path, n))["call-after"]
    assert met == [ply for ply in called if ply > 0][:6]
    assert steps_of(page_at(guest, path, called[-1]))["call-before"] == called[-2]
    assert steps_of(page_at(guest, path, met[1]))["call-before"] == met[0]


def test_every_deal_can_be_gone_to(guest, finished):
    path, record = finished
    text = page_at(guest, path, 25)
    offered = [(int(ply), name) for ply, name in re.findall(r'<option value="(\d+)"[^>]*>(Baraja[^<]*)<', text)]
    moments = moments_of(record_from(record))
    begun = [moment.ply for moment in moments if any(type(event).__name__ == "Deal" for event in moment.events)]
    assert [ply for ply, _ in offered] == begun
    assert offered[0][1] == "Baraja 1, primera repartida" and offered[1] == (20, "Baraja 1, segunda repartida")
    assert re.search(r'<option value="20" selected>', text)


def test_each_line_of_the_log_leads_to_its_moment_and_the_script_finds_all_of_them(guest, finished):
    path, record = finished
    text = page_at(guest, path, 0)
    log = text.partition('id="jugada-a-jugada"')[2]
    lines = [
        (int(ply), unescape(line)) for ply, line in re.findall(r'href="[^"?]*\?jugada=(\d+)#repaso">([^<]+)</a>', log)
    ]
    moments = moments_of(record_from(record))
    assert [ply for ply, _ in lines] == plies_told(moments) and len(lines) == len(told_of(moments))
    frames = frames_of(text)
    assert [line for _, line in lines] == [line for frame in frames for line in frame["lines"]]
    assert [frame["hands"] for frame in frames] == [moment.hands for moment in moments]
    assert [frame["score"] for frame in frames] == [list(moment.view.score) for moment in moments]


def test_a_record_that_breaks_a_rule_is_told_as_far_as_it_goes(guest, finished, caplog):
    _, record = finished
    broken = record | {"plays": [*record["plays"][:30], record["plays"][0], *record["plays"][30:]]}
    moments = moments_of(record_from(broken))
    assert len(moments) == 31 and "beyond ply 30" in caplog.text


def test_a_match_of_400_plays_stays_a_small_page(guest):
    long = save_far_on(plies=400, score=(38, 38), guest=Match.objects.get(pk=guest.start()).guest)
    guest.play_on(long.pk, random.Random(3))
    response = guest.browser.get(f"/partida/{long.pk}/?jugada=200", headers=PAGE | {"accept-encoding": "gzip"})

    assert response["Content-Encoding"] == "gzip"
    assert len(json.loads(guest.browser.get(f"/partida/{long.pk}/", headers=JSON).text)["plays"]) > 400
    assert len(response.content) < 80_000
