"""Try the guide's examples: whatever is chosen in them, the answer is what the game says, also to a forged request."""

import json
from itertools import chain, combinations

import pytest

from campaign.examples import EXAMPLES
from campaign.examples.counts import DEALERS, LEFT_OVERS
from cvarenta.game.cards import DECK, format_card, format_cards
from cvarenta.game.events import Carton, Ronda
from cvarenta.game.notation import format_play, parse_play
from cvarenta.game.record import replay
from cvarenta.game.rulesets import RULESETS
from cvarenta.game.scoring import carton_points
from cvarenta.game.view import view_of, worth_of
from tests.game.tables import QUITO, only

pytestmark = pytest.mark.django_db

TO_PLAY = [example for example in EXAMPLES.values() if example.kind == "play"]
ASKED = {
    "igual", "suma", "tres-sumandos", "escalera-con-hueco", "escalera-tras-el-7", "igual-o-suma", "caida-a-tiempo",
    "un-turno-tarde", "limpia", "ronda", "limpia-a-38", "caida-y-limpia", "contar-el-carton",
}  # fmt: skip


def ask(client, slug, **fields):
    """The answer to a program, and its status."""
    response = client.get(f"/guia/{slug}/", fields, headers={"accept": "application/json"})
    return response.json(), response.status_code


def subsets(cards):
    return chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))


# The records


def test_the_examples_are_there():
    assert set(EXAMPLES) == ASKED


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_each_record_is_one_of_the_house_game_and_leads_to_its_moment(example):
    assert example.record.rules is RULESETS[QUITO]
    assert example.record.score[0] == example.scores[0] or example.kind == "count"
    match = example.record.new_match()
    events = list(replay(example.record, match))  # raises where a play is not allowed
    if example.kind == "count":
        count = only(Carton, events)
        assert count.score[0] - count.points[0] == example.scores[0]
        assert len(DECK) - sum(count.cards) in LEFT_OVERS
    else:
        assert not match.is_over and match.to_play == 0 and match.legal()
        assert match.ply == len(example.record.plays) <= 7
    if example.kind == "play":
        assert [example.at(score).score[0] for score in example.scores] == list(example.scores)


@pytest.mark.parametrize(
    ("slug", "table", "last", "holding"),
    [
        ("igual-o-suma", "5H2D3C", "3C", "5S"),
        ("tres-sumandos", "3C2DAH", "AH", "6S"),
        ("escalera-con-hueco", "5H6D7CJHKD", "KD", "5S"),
        ("escalera-tras-el-7", "6D3C2H7HJD", "JD", "5S"),
        ("caida-a-tiempo", "KC5D", "5D", "5S"),
        ("un-turno-tarde", "5DKC", "KC", "5S"),
        ("caida-y-limpia", "3D", "3D", "3C"),
        ("limpia-a-38", "5H2D", "2D", "7S"),
    ],
)
def test_each_moment_shows_what_it_is_about(slug, table, last, holding):
    view = view_of(EXAMPLES[slug].at(EXAMPLES[slug].scores[0]), 0)
    assert format_cards(view.table) == table and format_card(view.last) == last
    assert holding in map(format_card, view.hand)


def test_now_and_a_turn_later_are_the_same_cards():
    now, later = (view_of(EXAMPLES[slug].at(0), 0) for slug in ("caida-a-tiempo", "un-turno-tarde"))
    assert set(now.table) == set(later.table) and now.hand == later.hand and now.last != later.last


# Every card with everything that may be chosen with it


@pytest.mark.parametrize("example", TO_PLAY, ids=[example.slug for example in TO_PLAY])
def test_what_there_is_to_see_is_said_after_the_plays_it_is_about_alone(client, example):
    legal = [format_play(play) for play in example.at(example.scores[0]).legal()]
    assert example.about and set(example.about) < set(legal)
    for play in legal:
        toma = [play[i : i + 2] for i in range(3, len(play), 2)]
        page = client.get(f"/guia/{example.slug}/", {"carta": play[:2], "toma": toma}, headers={"x-fragment": "1"}).text
        assert ('class="said goes about"' in page) == (play in example.about), play


TRIES = [(example, score) for example in TO_PLAY for score in example.scores]


@pytest.mark.parametrize(("example", "score"), TRIES, ids=[f"{example.slug}-{score}" for example, score in TRIES])
def test_every_card_with_every_choice_is_answered_as_the_rules_say(client, example, score):
    view = view_of(example.at(score), 0)
    legal = {play: worth_of(view, play) for play in view.legal}
    allowed = 0
    for card in view.hand:
        for taken in subsets(view.table):
            said, status = ask(client, example.slug, carta=format_card(card), toma=list(map(format_card, taken)), puntaje=score)
            play = card, sum(1 << other for other in taken)
            assert status == 200 and parse_play(said["play"]) == play
            assert said["allowed"] == (play in legal), said
            if play in legal:
                allowed += 1
                assert said["points"] == legal[play].points and said["reason"] is None
                left = set(view.table) - set(taken) | ({card} if not taken else set())
                assert set(said["table"]) == set(map(format_card, left))
                assert said["score"][0] == score + legal[play].points
            else:
                assert said["reason"] and said["text"] and said["table"] is None and said["points"] == 0
    assert allowed == len(legal)


@pytest.mark.parametrize(
    ("slug", "play", "score", "points", "after"),
    [
        ("caida-a-tiempo", "5Sx5D", 0, 2, 2),
        ("un-turno-tarde", "5Sx5D", 0, 0, 0),
        ("escalera-con-hueco", "5Sx5H6D7CJH", 0, 0, 0),
        ("escalera-tras-el-7", "5Sx2H3C6D7HJD", 0, 2, 2),
        ("limpia", "6Sx4H2C", 0, 2, 2),
        ("limpia", "2Dx2C", 0, 2, 2),
        ("limpia-a-38", "7Sx5H2D", 36, 2, 38),
        ("limpia-a-38", "7Sx5H2D", 38, 0, 38),
        ("caida-y-limpia", "3Cx3D", 34, 4, 38),
        ("caida-y-limpia", "3Cx3D", 36, 4, 40),
        ("caida-y-limpia", "3Cx3D", 38, 2, 40),
    ],
)
def test_what_is_to_be_found_is_found(client, slug, play, score, points, after):
    toma = [play[i : i + 2] for i in range(3, len(play), 2)]
    said, _ = ask(client, slug, carta=play[:2], toma=toma, puntaje=score)
    assert (said["points"], said["score"][0]) == (points, after)
    assert ("Ganamos 40" in said["text"]) == (after >= 40)
    assert (f"+{points}" in said["text"]) == (points > 0)


@pytest.mark.parametrize(
    ("slug", "play", "reason", "text"),
    [
        ("igual-o-suma", "5Sx5H2D3C", "match-and-sum", "O lo igual o la suma: las dos cosas de golpe, nunca."),
        ("igual-o-suma", "5S", "must-capture", "Tu 5 puede recoger, así que recoge. Si no te conviene, deja otra carta."),
        ("igual-o-suma", "7CxKH", "not-there", "Eso no está en la mesa. Llévate solo lo que ves tendido."),
        ("tres-sumandos", "6SxAH2D3C", "too-many", "Suman 6, sí, pero son tres cartas. Aquí se suman dos exactas."),
        ("tres-sumandos", "6SxAH3C", "wrong-sum", "As y 3 dan 4, y tu carta es 6."),
        ("tres-sumandos", "4Sx3C", "wrong-sum", "El 3 no hace 4. Busca otro 4, o dos que sumen 4."),
        ("escalera-con-hueco", "5Sx5H6D7CJHKD", "gap", "Falta el escalón: no hay Q, y en el hueco se acaba la escalera."),
        ("escalera-con-hueco", "5Sx5H", "incomplete", "La escalera va completa: también te toca el 6."),
        ("escalera-con-hueco", "5Sx6D7CJH", "no-start", "Primero va otro 5, o dos que sumen 5; de ahí sube la escalera."),
        ("escalera-con-hueco", "ASx5H", "no-start", "Primero va otro as; de ahí sube la escalera."),
        ("caida-a-tiempo", "JDxKC", "no-start", "Primero va otra J; de ahí sube la escalera."),
        ("igual", "JSx7HAC", "figures", "Las figuras no suman ni entran en sumas: la J, la Q y la K recogen a su igual, y de ahí suben."),
        ("caida-a-tiempo", "KSxKC", "not-held", "La K de picas no está en tu mano. Juega una de las tuyas."),
    ],
)  # fmt: skip
def test_a_refusal_says_why(client, slug, play, reason, text):
    toma = [play[i : i + 2] for i in range(3, len(play), 2)]
    said, status = ask(client, slug, carta=play[:2], toma=toma)
    assert (status, said["allowed"], said["reason"], said["text"]) == (200, False, reason, text)


# The rondas


@pytest.mark.parametrize(("score", "points"), [(28, [2, 2]), (30, [2, 0]), (32, [0, 0])])
def test_the_rondas_of_a_pair_are_told_with_their_points(client, score, points):
    said, status = ask(client, "ronda", puntaje=score)
    rondas = [event for event in said["events"] if event["event"] == "ronda"]
    assert status == 200 and [event["seat"] for event in rondas] == [0, 2]
    assert [event["points"] for event in rondas] == points and said["score"][0] == score + sum(points)
    assert f"{score + sum(points)}." in said["text"]


def test_the_rondas_show_both_hands(client):
    page = client.get("/guia/ronda/", headers={"x-fragment": "1"}).text
    assert "Tus cinco: 4 de corazones" in page and "Las cinco de la Virgen de Legarda: J de corazones" in page
    said, _, on_paper = page.partition('class="on-paper"')
    assert said.count('class="taken"') == on_paper.count('class="taken"') == 6
    assert len([event for event in EXAMPLES["ronda"].moment(30)[1] if isinstance(event, Ronda)]) == 2


# The cartón


@pytest.mark.parametrize("score", EXAMPLES["contar-el-carton"].scores)
def test_the_slider_pays_what_the_count_pays(client, score):
    """All its steps, from the data the page brings along."""
    others = 12
    for left in LEFT_OVERS:
        for who, seat in DEALERS.items():
            fields = {"puntaje": score, "sueltas": left, "reparte": who, "nuestras": 0}
            page = client.get("/guia/contar-el-carton/", fields, headers={"x-fragment": "1"}).text
            start = page.index(">", page.index('id="carton-results"')) + 1
            results = json.loads(page[start : page.index("</script>", start)])
            assert len(results) == 41 - left
            for own, result in enumerate(results):
                ours, theirs = carton_points(RULESETS[QUITO], (own, 40 - left - own), (score, others), seat)
                assert result["badge"] == (f"+{ours}" if ours else "0"), (own, left, who)
                assert (f"Ellos, {40 - left - own} carta" in result["text"]) and (
                    f": +{theirs}" in result["text"] or not theirs
                )
                assert ("Ganamos" in result["text"]) == (score + ours >= 40)
                assert ("Ganan ellos" in result["text"]) == (others + theirs >= 40)


@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({"nuestras": 19, "sueltas": 4}, [0, 0]),
        ({"nuestras": 20, "sueltas": 1}, [6, 0]),
        ({"nuestras": 25, "sueltas": 4}, [12, 0]),
        ({"nuestras": 25, "sueltas": 4, "puntaje": 30}, [0, 0]),
        ({"nuestras": 20, "sueltas": 0}, [2, 0]),
        ({"nuestras": 20, "sueltas": 0, "reparte": "ellos"}, [0, 2]),
        ({"nuestras": 20, "sueltas": 0, "puntaje": 30}, [0, 0]),
        ({"nuestras": 0, "sueltas": 0}, [0, 26]),
        ({}, [12, 0]),
    ],
)
def test_a_count_is_answered(client, fields, points):
    said, status = ask(client, "contar-el-carton", **fields)
    assert status == 200 and said["events"][0]["points"] == points


# Requests that no page sends


@pytest.mark.parametrize(
    "address", ["/guia/nada/", "/guia/igual/otra/", "/guia/?ejemplo=nada", "/guia/?ejemplo=", "/guia/?ejemplo=igual%00"]
)
def test_an_unknown_example_is_not_there(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("slug", "fields", "said"),
    [
        ("igual", {}, "Escoge primero una carta de tu mano."),
        ("igual", {"carta": ""}, "Escoge primero una carta de tu mano."),
        ("igual", {"carta": "XX"}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS", "toma": "X"}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS", "toma": ""}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS", "toma": ["JD", "JD"]}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS", "toma": ["JD"] * 500}, "Esa jugada no se entiende."),
        ("igual", {"carta": "<script>"}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS\x00"}, "Esa jugada no se entiende."),
        ("igual", {"carta": "JS", "puntaje": 38}, "Con ese puntaje no se prueba. Puede ser 0."),
        ("caida-y-limpia", {"carta": "3C", "toma": "3D", "puntaje": 35}, "Puede ser 34, 36 o 38."),
        ("caida-y-limpia", {"carta": "3C", "toma": "3D", "puntaje": "²"}, "Puede ser 34, 36 o 38."),
        ("ronda", {"puntaje": "-1"}, "Puede ser 28, 30 o 32."),
        ("contar-el-carton", {"nuestras": 41, "sueltas": 0}, "Con 0 en la mesa, tu montón va de 0 a 40."),
        ("contar-el-carton", {"nuestras": 37}, "Con 4 en la mesa, tu montón va de 0 a 36."),
        ("contar-el-carton", {"nuestras": "٣"}, "tu montón va de 0 a 36"),
        ("contar-el-carton", {"sueltas": 2}, "pueden sobrar 0, 1 o 4"),
        ("contar-el-carton", {"reparte": "nadie"}, "la reparten «nosotros» o «ellos»"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_clearly(client, slug, fields, said):
    answer, status = ask(client, slug, **fields)
    assert status == 400 and said in answer["error"] and answer["allowed"] is None
    page = client.get("/guia/", {"ejemplo": slug, **fields})
    assert page.status_code == 400 and said in page.text and "<script>" not in page.text.partition("</head>")[2]
    assert client.get(f"/guia/{slug}/", fields, headers={"x-fragment": "1"}).status_code == 400


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_it_is_only_for_trying(client, method):
    assert getattr(client, method)("/guia/igual/").status_code == 405


def test_an_example_without_its_page_leads_to_the_page(client):
    response = client.get("/guia/igual/?carta=JS&toma=JD&ejemplo=suma")
    assert response.status_code == 302
    address, _, part = response["Location"].partition("#")
    assert part == "igual" and address == "/guia/?carta=JS&toma=JD&ejemplo=igual"
    assert "Tú recoges J con la J." in client.get(address).text


def test_trying_changes_nothing(client):
    """An example is a moment, not a match: asked twice it answers the same."""
    first, _ = ask(client, "caida-a-tiempo", carta="5S", toma="5D")
    assert first == ask(client, "caida-a-tiempo", carta="5S", toma="5D")[0]
