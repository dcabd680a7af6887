"""Nothing hidden leaves the server before the match is over: every byte sent during whole matches is recorded and searched."""

import base64
import itertools
import json
import random
import re
from functools import cached_property

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client

from campaign.characters import RIVALS, TABLES
from campaign.models import Match
from campaign.table import CARD_NAMES
from cvarenta.game.cards import NAMES, format_cards
from cvarenta.game.events import Played, describe
from cvarenta.game.record import read_record, replay
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.shuffle import shuffled_deck

from .playing import FRAGMENT, JSON, PAGE, Program

NONCE = "el-nonce-de-quito"
MATCHES = 1
PLAYS = 40  #: of the person, at the tables whose matches are long: some decks

# One or more card names written together, as in a play or a deck; not the middle of another word.
_CARDS = re.compile(r"(?<![A-Za-z0-9])(?:[A2-7JQK][HDCS])(?:x?[A2-7JQK][HDCS])*(?![A-Za-z0-9])")
_SPOKEN = re.compile("(as|[2-7JQK]) de (corazones|diamantes|tréboles|picas)")
_LOG_LINE = re.compile(r'<li\b[^>]*\bdata-deck="(\d+)"[^>]*>.*?</li>', re.S)
_HELP = re.compile(r'<ol class="rules">.*?</ol>', re.S)


class Recorder(Client):
    """A browser that keeps every byte it was sent, with the match as it stood when they came."""

    def __init__(self, **more):
        super().__init__(enforce_csrf_checks=True, **more)
        self.heard = []
        self.match_id = self.moment = None

    def request(self, **request):
        response = super().request(**request)
        match = Match.objects.filter(pk=self.match_id).first()
        if match and (self.moment is None or match.ply != self.moment.match.ply):
            self.moment = Moment(match)
        self.heard.append((response.serialize_headers().decode() + "\n\n", response.content.decode(), self.moment))
        return response


def cards_named(text):
    """The numbers of all cards a text names, in notation or in Spanish."""
    found = {NAMES.index(name) for word in _CARDS.findall(text) for name in re.findall("[A2-7JQK][HDCS]", word)}
    return found | {CARD_NAMES.index(f"{rank} de {suit}") for rank, suit in _SPOKEN.findall(text)}


class Moment:
    """The match as it stood when something was sent, and what was hidden then."""

    def __init__(self, match):
        self.match, self.seed, self.game = match, bytes(match.seed), match.load_game()

    @cached_property
    def hidden(self):
        """The cards in other hands and in the stock."""
        return {card for hand in self.game.hands[1:] for card in hand} | set(self.game.stock)

    @cached_property
    def truth(self):
        """The events of the record so far, played again from the seed."""
        match, decks = self.match, range(self.game.deck_number + 1)
        record = read_record(json.dumps({
            "format": "cvarenta-record/1", "ruleset": match.ruleset, "dealer": match.first_dealer,
            "decks": [format_cards(shuffled_deck(self.seed, match.nonce, n)) for n in decks], "plays": match.plays.split(),
        }))  # fmt: skip
        return list(replay(record, record.new_match()))

    def played_in(self, deck):
        """The cards that were played in a deck."""
        now, cards = -1, set()
        for event in self.truth:
            now = getattr(event, "deck", now)
            if now == deck and type(event) is Played:
                cards.add(event.card)
        return cards

    @cached_property
    def secrets(self):
        """Texts that would tell what is to come: the seed in every usual coat, the decks, the hands, the state."""
        seed, game = self.seed, self.game
        deck = shuffled_deck(seed, self.match.nonce, game.deck_number)
        texts = [seed.hex(), seed.hex().upper(), seed.hex()[:12], base64.b64encode(seed).decode()[:12], str(int.from_bytes(seed)),
                 base64.urlsafe_b64encode(seed).decode()[:12], repr(seed)[2:14], str(list(seed))[1:20], self.match.bots,
                 "rng", "seed", "semilla"]  # fmt: skip
        for cards in (deck, game.stock, *game.hands[1:]):
            if len(cards) > 2:
                texts += [format_cards(cards), str(list(cards)).strip("[]"), ",".join(map(str, cards))]
        return [text for text in texts if text]


SEAL = re.search("<p>(La baraja.*)</p>", (settings.BASE_DIR / "templates/campaign/_seal.html").read_text())[1]  # speaks of seeds


def assert_nothing_hidden(headers, body, moment):
    # Random letters, that may spell a card or a short word by chance
    headers = re.sub(r"(Set-Cookie: csrftoken=)[^;]*", r"\1", headers)
    body = re.sub(r'(name="csrfmiddlewaretoken" value=")[A-Za-z0-9]{64}"', r"\1", body)
    body = re.sub(r'(pledge"(?: value=|: )")[^"]*', r"\1", body)
    body = body.replace(SEAL, "")
    for text in moment.secrets:
        assert text not in headers + body, text
    headers = re.sub(r"(Set-Cookie: invitado=)[^;]*", r"\1", headers)
    assert not cards_named(headers)
    if body.startswith("{"):
        body = json.loads(body)
        events = body.pop("events", [])
        if events:  # each one has happened, and says what happened and no more
            assert events == [describe(event) for event in moment.truth][-len(events) :]
        body = json.dumps(body)
    else:
        for rules in _HELP.findall(body):
            assert rules in (help_of(moment.match.ruleset), help_of("quito"))  # the cover's are the house game's
        body, deck = _HELP.sub("", body), moment.game.deck_number
        for line in _LOG_LINE.finditer(body):
            if int(line[1]) < deck:  # a card of an earlier deck may be in a hand again
                assert cards_named(line[0]) <= moment.played_in(int(line[1]))
        body = _LOG_LINE.sub(lambda line: "" if int(line[1]) < deck else line[0], body)
    assert not cards_named(body) & moment.hidden


def help_of(ruleset):
    """The short rules of a table, which name some cards as examples: the same in every match."""
    return _HELP.search(render_to_string("campaign/_rules.html", {"rules": TABLES[ruleset].rules}))[0]


def play_by_json(browser, program, rng, plays):
    table = program.look(browser.match_id)
    while not table["over"] and plays:
        plays -= 1
        table = program.play(browser.match_id, rng.choice(table["legal"]), table["ply"]).json()
        if rng.random() < 0.05:
            look_around(browser, program, table, rng)


def play_by_pages(browser, program, rng, plays, headers):
    path = f"/mesa/{browser.match_id}/"
    text = browser.get(path, headers=headers).text
    while 'name="play"' in text and plays:
        plays -= 1
        choices = re.findall(r'name="play" value="([^"]+)"', text)
        fields = {"play": rng.choice(choices), "ply": re.search(r'name="ply" value="(\d+)"', text)[1],
                  "csrfmiddlewaretoken": re.search(r'csrfmiddlewaretoken" value="([^"]+)"', text)[1]}  # fmt: skip
        response = browser.post(path, fields, headers=headers)
        assert response.status_code == (200 if headers is FRAGMENT else 302)
        text = response.text if headers is FRAGMENT else browser.get(path, headers=headers).text
        if rng.random() < 0.05 and 'name="play"' in text:
            look_around(browser, program, {"ply": int(fields["ply"])}, rng)


def look_around(browser, program, table, rng):
    """Everything else a visitor may ask while a match goes on, refusals included."""
    match_id = browser.match_id
    if Match.objects.get(pk=match_id).is_over:
        return
    stale, forged = rng.choice([("5H", table["ply"] - 1), ("KS", 10**6)]), rng.choice(NAMES)
    for headers in (JSON, PAGE, FRAGMENT):
        for path in (f"/mesa/{match_id}/", f"/mesa/{match_id}/?since={max(0, table['ply'] - 3)}", f"/mesa/{match_id}/?since=x",
                     f"/partida/{match_id}/", f"/partida/{match_id}/?record", "/practica/", "/", "/nada/"):  # fmt: skip
            browser.get(path, headers=headers)
        browser.head(f"/mesa/{match_id}/", headers=headers)
        more = headers | {"x-csrftoken": browser.cookies["csrftoken"].value}
        for play, ply in (stale, (f"{forged}x{forged}", Match.objects.get(pk=match_id).ply), ("no", 0)):
            browser.post(f"/mesa/{match_id}/", {"play": play, "ply": max(0, ply)}, headers=more)
        browser.post(f"/mesa/{match_id}/", {"play": "5H", "ply": 0}, headers=headers)
        browser.put(f"/mesa/{match_id}/", headers=more)


# A fragment is a part of the page, for every table the same.
@pytest.mark.parametrize("ruleset, way", [*itertools.product(RULESETS, ("json", "page")), ("quito", "fragment")])
def test_no_byte_of_a_match_names_a_card_before_it_was_played(db, ruleset, way):
    for number in range(MATCHES):
        rng = random.Random(f"{ruleset} {way} {number}")
        browser = Recorder()
        program = Program(browser)
        browser.match_id = program.sit(ruleset=ruleset, rival=list(RIVALS)[number % len(RIVALS)], nonce=NONCE)["id"]
        created = next(heard for heard in browser.heard if '"commitment"' in heard[1])
        plays = PLAYS if RULESETS[ruleset].seats == 2 else -1
        if way == "json":
            play_by_json(browser, program, rng, plays)
        else:
            play_by_pages(browser, program, rng, plays, PAGE if way == "page" else FRAGMENT)

        match = Match.objects.get(pk=browser.match_id)
        assert match.is_over or plays > 0
        during = [heard for heard in browser.heard if heard[2] and not heard[2].match.is_over]
        assert during
        for headers, body, moment in during:
            assert_nothing_hidden(headers, body, moment)
        for text in Moment(match).secrets:
            assert text not in created[0] + created[1]


def test_the_search_finds_what_it_should(guest, table):
    """Were a card to leak in any of these ways, the tests above would see it."""
    moment = Moment(Match.objects.get(pk=table["id"]))
    card = moment.game.stock[0]
    name, spoken = NAMES[card], CARD_NAMES[card]
    for leak in (f'{{"more": "{name}"}}', f'{{"more": ["{name}"]}}', f'{{"legal": ["{table["hand"][0]}x{name}"]}}',
                 f'<li data-card="{name}">', f"<p>{spoken}</p>", f'<use href="/static/img/cards.svg#{name}"/>',
                 f'{{"more": "{format_cards(moment.game.stock)}"}}', moment.seed.hex()):  # fmt: skip
        with pytest.raises(AssertionError):
            assert_nothing_hidden("", leak, moment)
    with pytest.raises(AssertionError):
        assert_nothing_hidden(f"X-Card: {name}\r\n", "", moment)


def test_sprites_are_files_that_hold_every_card_in_every_match(guest, table):
    """A page names a drawing for each card shown; that all forty are in one file tells nothing."""
    page = guest.browser.get(f"/mesa/{table['id']}/", headers=PAGE).text
    files = set(re.findall(r'href="([^"#]+\.svg)#', page))

    assert f"{settings.STATIC_URL}img/cards.svg" in files
    assert not any(match_id in name for name in files for match_id in (table["id"],))


def test_the_bots_of_a_guest_choose_alike_whatever_is_hidden(guest, table):
    """What a bot would think is not to be seen; that it sees no more than its seat is what `assert_bots_played_it` checks."""
    answer = guest.play(table["id"], table["legal"][0], table["ply"]).json()

    assert set(answer) == {"id", "ruleset", "ply", "seat", "to_play", "dealer", "hand", "table", "last", "counts", "taken",
                           "stock", "score", "chicas", "legal", "events", "over", "winner"}  # fmt: skip
    assert {key for event in answer["events"] for key in event} <= {
        "event", "deck", "deal", "dealer", "seat", "rank", "count", "points", "score", "ply", "card", "takes", "caida",
        "limpia", "cards", "winner", "chicas", "zapateria",
    }  # fmt: skip


def test_the_commitment_is_told_before_the_nonce_is_bound_to_cards_and_the_seed_only_after_the_end(guest, table):
    for path in (f"/partida/{table['id']}/", f"/partida/{table['id']}/?record"):
        response = guest.browser.get(path, headers=JSON)
        assert response.status_code == 404
        assert list(response.json()) == ["error"]
    table, _ = guest.play_on(table["id"], random.Random(1))
    assert json.loads(guest.record(table["id"]))["seed"] == bytes(Match.objects.get(pk=table["id"]).seed).hex()
