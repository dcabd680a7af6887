"""The page that says how to check, and checks: with or without script, as JSON, whatever is sent."""

import hashlib
import hmac
import json
import random
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import Match
from campaign.transparency import CHECKS_IN_WORDS, MOST_PLAYS
from cvarenta import settings as site
from cvarenta.game.verify import CHECKS

from ..game.proven import proven
from ..game.test_shuffle import DECK_0, DECK_1, QUITO_1534
from .playing import JSON, PAGE

pytestmark = pytest.mark.django_db
PATH = "/transparencia/"
GOOD = proven()
BAD = GOOD | {"commitment": "0" * 64}


def as_file(record, name="record.json"):
    content = record if isinstance(record, bytes) else json.dumps(record).encode()
    return {"file": SimpleUploadedFile(name, content, "application/json")}


def ask(record, client=None, headers=JSON):
    """What is answered to a record posted as a JSON body."""
    content = record if isinstance(record, bytes) else json.dumps(record)
    return (client or Client()).post(PATH, content, content_type="application/json", headers=headers)


def numbers(seed, label):
    """The words of a stream, read from the page that describes it."""
    block = 0
    while True:
        digest = hmac.new(seed, f"{label}|{block}".encode(), "sha256").digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(m, words):
    return next(word for word in words if word < 2**32 - 2**32 % m) % m


def deck_of(seed, nonce, n):
    words = numbers(seed, f"cvarenta-deck/1|{nonce}|{n}")
    deck = [rank + suit for suit in "HDCS" for rank in "A234567JQK"]
    for i in range(39, 0, -1):
        j = below(i + 1, words)
        deck[i], deck[j] = deck[j], deck[i]
    return "".join(deck)


def test_the_worked_example_is_what_anybody_works_out_from_the_page(client):
    text, seed = client.get(PATH, headers=PAGE).text, bytes(range(32))
    values = re.findall("<dd>(.*?)</dd>", text, re.S)

    assert re.findall("<code>(.*?)</code>", values[0] + values[1]) == [seed.hex(), hashlib.sha256(seed).hexdigest()]
    assert values[1] == "<code>630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd</code>"
    dealers = [[below(m, numbers(seed, f"cvarenta-dealer/1|{nonce}")) for m in (4, 2)] for nonce in ("", "quito-1534")]
    assert dealers == [[2, 0], [3, 1]]
    assert [re.sub("<.*?>", "", values[at]) for at in (2, 5)] == [f"la silla {a}, si son 4; la silla {b}, si son 2" for a, b in dealers]
    decks = [deck_of(seed, "", 0), deck_of(seed, "", 1), deck_of(seed, "quito-1534", 0)]
    assert decks == [DECK_0, DECK_1, QUITO_1534]
    assert [values[at] for at in (3, 4, 6)] == [f"<code>{deck}</code>" for deck in decks]


def test_every_page_leads_here(client):
    for path in ("/", "/guia/", "/no-hay/"):
        assert f'href="{PATH}"' in client.get(path, headers=PAGE).text


def test_every_check_has_its_words():
    assert tuple(CHECKS_IN_WORDS) == CHECKS


@pytest.mark.parametrize("way", ["file", "field", "body"])
def test_a_good_record_is_proved_and_a_changed_one_is_not(way):
    for record, verdict in ((GOOD, "Todo cuadra"), (BAD, "No cuadra: 1 cosa no es como debe ser")):
        fields = {"file": as_file(record), "field": {"record": json.dumps(record)}}
        browser = Client(enforce_csrf_checks=True)
        answer = ask(record, browser, PAGE) if way == "body" else browser.post(PATH, fields[way], headers=PAGE)
        assert answer.status_code == 200 and verdict in answer.text
        assert ("No es el de esta semilla." in answer.text) is (record is BAD)
    assert not Match.objects.exists()


def test_programs_get_every_check():
    answer = ask(BAD).json()
    assert (answer["proved"], answer["fails"]) == (False, ["commitment"])
    assert [check["name"] for check in answer["checks"]] == list(CHECKS)
    assert answer["winner"] in (0, 1) and max(answer["score"]) >= 40
    assert ask(GOOD).json()["proved"] is True


def test_what_fails_is_told_with_its_deck_and_its_play(client):
    deck = GOOD["decks"][0]
    swapped = GOOD | {"decks": [deck[2:4] + deck[:2] + deck[4:], *GOOD["decks"][1:]]}
    assert "La baraja 1 no sale de la semilla" in client.post(PATH, as_file(swapped), headers=PAGE).text
    cut = GOOD | {"plays": GOOD["plays"][:8]}
    assert "Desde la jugada 9 no siguen las reglas hasta el final." in client.post(PATH, as_file(cut), headers=PAGE).text
    gone = GOOD | {"bots": GOOD["bots"].replace("greedy/1", "greedy/0")}
    page = client.post(PATH, as_file(gone), headers=PAGE).text
    assert "algo quedó sin mirar" in page and "ya no está en esta versión" in page


def test_a_very_long_match_leaves_the_bots_to_the_command(client):
    long = GOOD | {"plays": GOOD["plays"] + ["5H"] * MOST_PLAYS}
    assert ask(long).json()["checks"][-1]["state"] == "unchecked"
    assert "El comando de abajo sí la hace" in client.post(PATH, as_file(long), headers=PAGE).text


NO_RECORDS = {
    "nothing": (b"", 400), "a picture": (b"\x89PNG\r\n\x1a\n\x00", 400), "words": (b"quito", 400), "deep": (b"[" * 30_000, 400),
    "a long number": (b"9" * 6000, 400), "big": (b" " * 70_000, 413), "a list": (b"[]", 200), "strange letters": (b'{"format": "\\ud800"}', 200),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_RECORDS)
def test_what_is_no_record_is_refused_in_words(client, name):
    content, status = NO_RECORDS[name]
    answer = ask(content)
    assert answer.status_code == status
    assert answer.json()["error"] if status != 200 else answer.json()["fails"] == ["record"]
    page = client.post(PATH, as_file(content), headers=PAGE)
    assert page.status_code in (400, 200) and ("no es un registro" in page.text or "No se lee" in page.text)


def test_strange_letters_in_a_play_are_shown_escaped():
    answer = ask(GOOD | {"plays": ["\ud800<script>\x1b"]})
    assert "\\ud800<script>\\x1b" in answer.json()["checks"][6]["detail"]
    assert "<script>" not in ask(GOOD | {"plays": ["<script>"]}, headers=PAGE).text.partition("registro pegado")[2].partition("</section>")[0]


def test_nothing_posted_is_asked_for_and_other_methods_are_refused(client):
    assert client.post(PATH, {}, headers=PAGE).status_code == 400
    assert client.post(PATH, {"record": "x" * 70_000}, headers=PAGE).status_code == 413
    assert client.put(PATH, headers=PAGE).status_code == 405
    assert client.head(PATH).status_code == 200


def test_after_twenty_in_ten_minutes_there_is_a_rest(settings):
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    assert [ask([]).status_code for _ in range(21)] == [200] * 20 + [429]
    refused = Client().post(PATH, {"record": "[]"}, headers=PAGE)
    assert refused.status_code == 429 and "Espera diez minutos" in refused.text
    assert Client().get(PATH, headers=PAGE).status_code == 200


def test_the_page_of_a_finished_match_shows_what_proves_it_without_script(guest):
    match_id = guest.play_on(guest.start(ruleset="mano-a-mano", rival="random", nonce="mi-parte"), random.Random(1))[0]["id"]
    page, record = guest.browser.get(f"/partida/{match_id}/", headers=PAGE).text, json.loads(guest.record(match_id))
    for shown in (record["seed"], record["commitment"], "mi-parte", f"manage.py verify cvarenta-{match_id}.json"):
        assert f"<code>{shown}</code>" in page or shown in page
    assert ask(record).json()["proved"] is True
