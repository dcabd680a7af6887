"""What nobody's page would send: forged, malformed and oversized requests. Each is refused, and the row stays byte for byte."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Match
from cvarenta.game.cards import NAMES

from .playing import FRAGMENT, JSON, PAGE, Program
from .truth import row_of

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=b"
ACCEPTS = pytest.mark.parametrize("accept", [JSON, PAGE, FRAGMENT], ids=["json", "page", "fragment"])


def part(name, value):
    return f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


@pytest.fixture
def others(guest, table):
    """Cards of the table by where they are: in other hands, to be dealt, laid, played, taken."""
    game = Match.objects.get(pk=table["id"]).load_game()
    gone = [card for card, _ in game.played]
    return {
        "of seat 1": NAMES[game.hands[1][0]],
        "of seat 2": NAMES[game.hands[2][0]],
        "of seat 3": NAMES[game.hands[3][0]],
        "in the stock": NAMES[game.stock[0]],
        "last in the stock": NAMES[game.stock[-1]],
        **({"already played": NAMES[gone[0]]} if gone else {}),
    }


def post(guest, table, body, content_type="application/json", accept=JSON, path=None):
    """The body exactly as it is, of exactly that type."""
    body = json.dumps(body) if isinstance(body, dict) else body
    token = guest.browser.cookies["csrftoken"].value
    return guest.browser.generic("POST", path or f"/mesa/{table['id']}/", body, content_type, CONTENT_TYPE=content_type,
                                 headers=accept | {"x-csrftoken": token})  # fmt: skip


# Forged plays: (what, play) with C a card of the hand, O another player's, T the first card on the table or any other

PLAYS = [
    "", " ", "C ", " C", "Cx", "xC", "CC", "CxC", "CxO", "CxOO", "Cx1H", "CX5D", "C×5D", "C-5D", "Cx5D,6H", "CxAHAH",
    "O", "OxC", "TxT", "0H", "1H", "8H", "9S", "10H", "JX", "Z", "5", "H5", "5♥", "５H", "c", "null", "None", "C\x00",
    "C\n", "\x00", "'; DROP TABLE campaign_match; --", "<script>", "{{ 7 }}", "%s", "C" * 51, "Cx" + "AH" * 49, "9" * 5000,
]  # fmt: skip


@ACCEPTS
@pytest.mark.parametrize("play", PLAYS, ids=ascii)
def test_a_play_that_is_none_is_refused(guest, table, others, play, accept):
    real = play.replace("C", table["hand"][0]).replace("O", others["of seat 1"])
    real = real.replace("T", (table["table"] or ["KH"])[0])
    before = row_of(table["id"])
    response = post(guest, table, {"play": real, "ply": table["ply"]}, accept=accept)

    assert response.status_code == 400
    assert row_of(table["id"]) == before


@ACCEPTS
def test_a_play_of_a_card_that_is_not_in_the_hand_is_refused_alike_wherever_it_is(guest, table, others, accept):
    before, answers, queries = row_of(table["id"]), set(), set()
    for name in set(NAMES) - set(table["hand"]):
        for play in (name, f"{name}x{(table['table'] or ['2H'])[0]}"):
            with CaptureQueriesContext(connection) as captured:
                response = post(guest, table, f"play={play}&ply={table['ply']}", FORM, accept)
            assert response.status_code == 400, play
            answers.add(response.text.replace(guest.browser.cookies["csrftoken"].value, ""))
            queries.add(len(captured))

    assert row_of(table["id"]) == before
    assert len(queries) == 1
    if accept is JSON:
        assert len(answers) == 1  # nothing tells a rival's card from one of the stock


def test_a_capture_the_rules_do_not_allow_is_refused(guest, mesa):
    """Every card of the hand with every set of up to two cards, but for the legal ones."""
    before = row_of(mesa["id"])
    tried = 0
    for card in mesa["hand"]:
        for first in NAMES[::3]:
            for second in ("", *NAMES[1::9]):
                play = f"{card}x{first}{second}"
                if play in mesa["legal"] or f"{card}x{second}{first}" in mesa["legal"]:
                    continue
                tried += 1
                assert guest.play(mesa["id"], play, mesa["ply"]).status_code == 400, play

    assert tried > 300
    assert row_of(mesa["id"]) == before


@pytest.mark.parametrize("field, value", [("seat", 1), ("seat", 2), ("seat", "3"), ("to_play", 1), ("score", "40 0"),
                                          ("points", 4), ("winner", 0), ("takes", "KH"), ("capture", "KH")])  # fmt: skip
def test_a_seat_score_or_capture_that_is_sent_along_is_refused_or_means_nothing(guest, table, field, value):
    """Refused without a change; or, were it let through, exactly the play that was named."""
    before = row_of(table["id"])
    response = guest.post(f"/mesa/{table['id']}/", {"play": table["legal"][0], "ply": table["ply"], field: value})

    if response.status_code == 400:
        assert row_of(table["id"]) == before
        return
    assert response.status_code == 200
    first = next(event for event in response.json()["events"] if event["event"] == "play")
    assert (first["seat"], first["ply"], first["card"]) == (0, table["ply"], table["legal"][0][:2])
    assert Match.objects.get(pk=table["id"]).winner is None


@pytest.mark.parametrize("seat", [1, 2, 3, "1", -1, 4, "x"])
def test_a_play_for_another_seat_is_refused(guest, table, seat):
    before = row_of(table["id"])
    cards = [NAMES[hand[0]] for hand in Match.objects.get(pk=table["id"]).load_game().hands[1:]]
    for play in (*cards, table["legal"][0]):
        response = guest.post(f"/mesa/{table['id']}/", {"play": play, "ply": table["ply"], "seat": seat})
        assert response.status_code == 400
        assert row_of(table["id"]) == before


@ACCEPTS
def test_a_button_of_another_card_than_the_chosen_one_is_refused(guest, table, accept):
    before = row_of(table["id"])
    chosen, play = table["hand"][0], next(play for play in table["legal"] if not play.startswith(table["hand"][0]))

    assert post(guest, table, f"card={chosen}&play={play}&ply={table['ply']}", FORM, accept).status_code == 400
    assert row_of(table["id"]) == before


# The ply

NO_PLIES = ["", " ", "-1", "+1", "1.0", "1e1", "0x1", "٣", "³", " 3", "3 ", "1_0", "NaN", "true", "9" * 8, "9" * 5000]


@ACCEPTS
@pytest.mark.parametrize("ply", NO_PLIES, ids=ascii)
def test_a_ply_that_is_no_number_is_refused(guest, table, ply, accept):
    before = row_of(table["id"])

    assert post(guest, table, {"play": table["legal"][0], "ply": ply}, accept=accept).status_code == 400
    assert row_of(table["id"]) == before


@ACCEPTS
@pytest.mark.parametrize("off", [-1, 1, 4, 40, 10**6])
def test_a_ply_that_is_not_the_tables_gets_the_true_table(guest, table, off, accept):
    table = guest.play(table["id"], table["legal"][0], table["ply"]).json()  # so that there is a ply before
    before = row_of(table["id"])
    response = post(guest, table, {"play": table["legal"][0], "ply": max(0, table["ply"] + off)}, accept=accept)

    assert response.status_code == 409
    assert row_of(table["id"]) == before
    if accept is JSON:
        assert response.json() == guest.look(table["id"])
    else:
        assert f'name="ply" value="{table["ply"]}"' in response.text
        assert 'role="alert"' in response.text


# The body

JSON_BODIES = {
    "nothing": b"",
    "a brace": b"{",
    "no JSON": b"play=5H&ply=0",
    "a list": b'[["play", "5H"]]',
    "a string": b'"5H"',
    "a number": b"5",
    "null": b"null",
    "nested": b"[" * 60_000,
    "nested objects": b'{"play":' * 7_000,
    "bytes": bytes(range(256)),
    "not UTF-8": b'{"play": "\xff\xfe", "ply": 0}',
    "half a surrogate": b'{"play": "\\ud83c", "ply": PLY}',
    "two objects": b'{"play": "PLAY", "ply": PLY}{"play": "PLAY", "ply": PLY}',
    "play null": b'{"play": null, "ply": PLY}',
    "play true": b'{"play": true, "ply": PLY}',
    "play a list": b'{"play": ["PLAY"], "ply": PLY}',
    "play an object": b'{"play": {"card": "PLAY"}, "ply": PLY}',
    "play a number": b'{"play": 5, "ply": PLY}',
    "no play": b'{"ply": PLY}',
    "no ply": b'{"play": "PLAY"}',
    "ply null": b'{"play": "PLAY", "ply": null}',
    "ply true": b'{"play": "PLAY", "ply": true}',
    "ply a float": b'{"play": "PLAY", "ply": PLY.0}',
    "ply an exponent": b'{"play": "PLAY", "ply": PLYe0}',
    "ply NaN": b'{"play": "PLAY", "ply": NaN}',
    "ply infinite": b'{"play": "PLAY", "ply": Infinity}',
    "ply below zero": b'{"play": "PLAY", "ply": -1}',
    "ply of a thousand digits": b'{"play": "PLAY", "ply": ' + b"1" * 1000 + b"}",
    "ply of too many digits": b'{"play": "PLAY", "ply": ' + b"1" * 6000 + b"}",
    "ply a list": b'{"play": "PLAY", "ply": [PLY]}',
    "card that is not the play's": b'{"play": "PLAY", "ply": PLY, "card": "ZZ"}',
    "oversized": b'{"play": "PLAY", "ply": PLY, "more": "' + b"x" * 70_000 + b'"}',
    "spaces": b" " * 70_000,
}
FORM_BODIES = {
    "nothing": (FORM, b""),
    "JSON": (FORM, b'{"play": "PLAY", "ply": PLY}'),
    "no ply": (FORM, b"play=PLAY"),
    "no play": (FORM, b"ply=PLY"),
    "broken escapes": (FORM, b"play=%ZZ%&ply=PLY"),
    "not UTF-8": (FORM, b"play=%FF%FE&ply=PLY"),
    "a null byte": (FORM, b"play=PLAY%00&ply=PLY"),
    "the first of two plys": (FORM, b"play=PLAY&ply=PLY&ply=x"),
    "oversized": (FORM, b"play=PLAY&ply=PLY&more=" + b"x" * 70_000),
    "too many fields": (FORM, b"play=PLAY&ply=PLY" + b"&a=b" * 1100),
    "another charset": (FORM + "; charset=utf-16", b"play=PLAY&ply=PLY"),
    "a charset nobody knows": (FORM + "; charset=nonsense", b"play=x&ply=PLY"),
    "no boundary": ("multipart/form-data", b"play=PLAY&ply=PLY"),
    "an empty boundary": ("multipart/form-data; boundary=", b"--\r\n"),
    "a boundary of bytes": ("multipart/form-data; boundary=\xe9", b"--\r\n"),
    "cut short": (MULTIPART, part("play", "PLAY").encode()),
    "headers of no part": (MULTIPART, b"--b\r\n\r\n\r\n--b--"),
    "a file": (MULTIPART, b'--b\r\nContent-Disposition: form-data; name="play"; filename="p"\r\n\r\nPLAY\r\n'
               + part("ply", "PLY").encode() + b"--b--\r\n"),
    "oversized parts": (MULTIPART, (part("play", "PLAY") + part("ply", "PLY") + part("more", "x" * 70_000)).encode()
                        + b"--b--\r\n"),
    "plain text": ("text/plain", b"play=PLAY&ply=PLY"),
    "XML": ("application/xml", b"<play>PLAY</play>"),
    "no type": ("", b"play=PLAY&ply=PLY"),
    "a type of nonsense": ("a/b/c;;=", b"play=PLAY&ply=PLY"),
    "compressed": (FORM, b"\x1f\x8b\x08\x00\x00\x00\x00\x00"),
}  # fmt: skip


def filled(body, table):
    return body.replace(b"PLAY", table["legal"][0].encode()).replace(b"PLY", str(table["ply"]).encode())


@ACCEPTS
@pytest.mark.parametrize("body", JSON_BODIES.values(), ids=JSON_BODIES)
def test_a_body_that_is_no_json_object_of_a_play_is_refused(guest, table, body, accept):
    before = row_of(table["id"])

    assert post(guest, table, filled(body, table), accept=accept).status_code == 400
    assert row_of(table["id"]) == before


@ACCEPTS
@pytest.mark.parametrize("content_type, body", FORM_BODIES.values(), ids=FORM_BODIES)
def test_a_body_that_is_no_form_of_a_play_is_refused(guest, table, content_type, body, accept):
    before = row_of(table["id"])

    assert post(guest, table, filled(body, table), content_type, accept).status_code == 400
    assert row_of(table["id"]) == before


def test_a_length_that_lies_is_refused(guest, table):
    before = row_of(table["id"])
    for length in ("", "x", "-1", "5"):
        token = guest.browser.cookies["csrftoken"].value
        body = json.dumps({"play": table["legal"][0], "ply": table["ply"]}).encode()
        response = guest.browser.generic("POST", f"/mesa/{table['id']}/", body, "application/json", CONTENT_LENGTH=length,
                                         headers=JSON | {"x-csrftoken": token})  # fmt: skip
        assert response.status_code == 400, length
        assert row_of(table["id"]) == before


# Addresses, methods, origins

NO_IDS = [
    "x", "2" * 11, "2" * 12, "2" * 13, "ABCDEFGHJKMN", "%20", "%00", "2%00", "%FF%FE", "ñandú", "..", "%2e%2e", "1 OR 1=1",
    "'", "%27%3B", "*", "null", "-1", "0", "x" * 3000, "%F0%9F%83%8F", "%ED%A0%80", "%0A", "a%0Db",
]  # fmt: skip


@pytest.mark.parametrize("match_id", NO_IDS, ids=lambda text: ascii(text)[:20])
def test_an_id_that_is_nobodys_is_not_found(guest, table, match_id):
    before = row_of(table["id"])
    for path in (f"/mesa/{match_id}/", f"/partida/{match_id}/", f"/mesa/{match_id}/?since=3", f"/partida/{match_id}/?record"):
        for accept in (JSON, PAGE, FRAGMENT):
            assert guest.browser.get(path, headers=accept).status_code == 404, path
            assert post(guest, table, b"play=5H&ply=0", FORM, accept, path).status_code in (404, 405), path
    assert row_of(table["id"]) == before


@pytest.mark.parametrize("since", ["", "-1", "x", "1.5", "٣", "9" * 9, "%00", "1%002", " 1"])
def test_a_since_that_is_no_ply_is_refused(guest, table, since):
    assert guest.browser.get(f"/mesa/{table['id']}/?since={since}", headers=JSON).status_code == 400


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_are_refused(guest, table, method):
    before = row_of(table["id"])
    token = guest.browser.cookies["csrftoken"].value
    for path in (f"/mesa/{table['id']}/", f"/partida/{table['id']}/", "/practica/", "/"):
        body = {} if method == "trace" else {"data": b"play=5H&ply=0", "content_type": FORM}
        for accept in (JSON, PAGE, FRAGMENT):
            response = getattr(guest.browser, method)(path, headers=accept | {"x-csrftoken": token}, **body)
            assert response.status_code == 405, path
    assert row_of(table["id"]) == before


@ACCEPTS
@pytest.mark.parametrize("headers", [{}, {"x-csrftoken": ""}, {"x-csrftoken": "x" * 64}, {"x-csrftoken": "x" * 9999},
                                     {"x-csrftoken": "OWN", "origin": "https://otro.example"},
                                     {"x-csrftoken": "OWN", "origin": "null"}])  # fmt: skip
def test_a_play_without_the_own_csrf_token_or_from_elsewhere_is_refused(guest, table, headers, accept):
    before = row_of(table["id"])
    token = guest.browser.cookies["csrftoken"].value
    headers = accept | {name: value.replace("OWN", token) for name, value in headers.items()}
    for body, kind in (({"play": table["legal"][0], "ply": table["ply"]}, "application/json"),
                       (f"play={table['legal'][0]}&ply={table['ply']}", FORM)):  # fmt: skip
        response = guest.browser.post(f"/mesa/{table['id']}/", body, content_type=kind, headers=headers)
        assert response.status_code == 403
        response = guest.browser.post("/practica/", {"ruleset": "quito"}, content_type="application/json", headers=headers)
        assert response.status_code == 403
    assert row_of(table["id"]) == before
    assert Match.objects.count() == 1


# Starting

NO_STARTS = {
    "ruleset": ["", " ", "Quito", "quito ", "poker", "QUITO", "*", "0", 7, "x" * 9999, "quito\x00"],
    "rival": ["", "nobody", "virgen", "plain", "miguel-5", "greedy/2", "greedy/", "/1", "/", "greedy/1/1", "Greedy", "greedy\x00", 1, "x" * 9999],
    "nonce": [" ", "ñ", "x" * 65, "a b", "a|b", "a\n", "\n", "\x00", "<i>", "\ud800", "٣", "a/b", "x" * 9999],
}


@ACCEPTS
@pytest.mark.parametrize("field, value", [(field, value) for field, values in NO_STARTS.items() for value in values], ids=lambda v: ascii(v)[:20])
def test_a_start_at_a_table_that_is_none_is_refused(db, field, value, accept):
    guest = Program(Client(enforce_csrf_checks=True))
    guest.browser.get("/practica/", headers=JSON)
    fields = {"ruleset": "quito", "rival": "greedy", "nonce": ""} | {field: value}
    response = post(guest, None, json.dumps(fields), accept=accept, path="/practica/")

    assert response.status_code == 400
    assert "invitado" not in response.cookies
    assert not Match.objects.exists()


@ACCEPTS
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"[" * 60_000, b'{"ruleset": null}', b'{"rival": ["greedy"]}',
                                  b'{"nonce": 1.5}', b'{"ruleset": "quito", "x": "' + b"x" * 70_000 + b'"}'],
                         ids=lambda body: ascii(body)[:20])  # fmt: skip
def test_a_start_with_a_body_that_is_none_is_refused(db, body, accept):
    guest = Program(Client(enforce_csrf_checks=True))
    guest.browser.get("/practica/", headers=JSON)

    assert post(guest, None, body, accept=accept, path="/practica/").status_code == 400
    assert not Match.objects.exists()
