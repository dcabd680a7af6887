"""Read how to play: the guide is open to anyone, says what the rules say, and answers who tries its examples."""

import random
import re
from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from campaign.characters import STORY, TABLES, seated
from campaign.examples import EXAMPLES
from campaign.wording import card_name, score_label
from cvarenta.game.captures import captures
from cvarenta.game.cards import DECK, format_card, mask_of, parse_card, rank_of
from cvarenta.game.events import Deal, Played, Ronda
from cvarenta.game.match import Match
from cvarenta.game.rulesets import CAIDA, GOAL, HAND, LIMPIA, RULESETS
from cvarenta.game.scoring import carton_points, carton_value
from cvarenta.game.view import view_of
from cvarenta.wording import moment_in_words
from tests.game.tables import QUITO, arranged_deck, cards, choices, close_deck, do, late, names, only, random_games, sit
from tests.tournament.books import make_season
from tournament.models import Season

pytestmark = pytest.mark.django_db

RULES = RULESETS[QUITO]
OTHERS = [name for name in TABLES if name != QUITO]


@pytest.fixture
def html(client):
    return client.get("/guia/").text


@pytest.fixture
def guide(html):
    """The page's own part as a tree."""
    return tree_of(html)


def tree_of(html):
    """The guide in a page, as XML: its inputs closed, and whether they are chosen said by a value."""
    own = html[html.index('<div class="guide">') : html.index("</main>")]
    return ElementTree.fromstring(re.sub(r"(<input[^>]*?)( checked)?>", r'\1 data-checked="\2"/>', own))


def words(element):
    return " ".join("".join(element.itertext()).split())


def part(guide, name):
    """One section, by the id its address names."""
    (found,) = guide.findall(f".//section[@id='{name}']")
    return found


def drawn(element):
    """The names of the drawings in an element, in order."""
    return [use.get("href").partition("#")[2] for use in element.iter("use")]


def drawn_with(element, css_class):
    return {name for svg in element.iter("svg") if css_class in svg.get("class", "").split() for name in drawn(svg)}


def bold(element):
    return [words(found) for found in element.iter("b")]


# The page


def test_anyone_may_read_it(player):
    member = Client()
    member.force_login(player)
    for visitor in (Client(), member):
        response = visitor.get("/guia/")
        assert response.status_code == 200
        assert '<html lang="es"' in response.text
        assert "Cómo se juega el cuarenta" in response.text
        assert visitor.head("/guia/").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_it_is_only_for_reading(client, method):
    assert getattr(client, method)("/guia/").status_code == 405


def test_it_brings_no_script_or_style_of_its_own(html, guide):
    assert html.count("<script") == 2 and html.count('type="module" src="') == 1  # and the slider's data
    assert [script.get("type") for script in guide.iter("script")] == ["application/json"]
    assert not any(element.get("style") or element.tag == "style" for element in guide.iter())


def test_the_contents_lead_to_every_part_in_order(guide):
    parts = [found.get("id") for found in guide.iter("section")]
    assert [link.get("href") for link in guide.find("nav").iter("a")] == [f"#{name}" for name in parts]
    assert len(set(parts)) == len(parts) == 9
    for found in guide.iter("section"):
        assert found.find("h2").get("id") == found.get("aria-labelledby")


def test_it_ends_at_the_practice_tables(guide):
    assert list(guide.iter("a"))[-1].get("href") == "/practica/"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mesa", "Se sientan cuatro"),
        ("mesa", "tu compañera: la Virgen de Legarda"),
        ("mesa", "San Miguel, que se sienta con quien llega sin compañía: así la balanza queda pareja"),
        ("mesa", "un solo puntaje y un solo montón"),
        ("mesa", "al revés del reloj"),
        ("mesa", "El palo no pesa en nada"),
        ("mesa", "La mesa empieza vacía y a cada mano le tocan cinco cartas"),
        ("mesa", "vienen cinco más por cabeza, y lo que estaba tendido ahí se queda"),
        ("mesa", "los puntos siguen donde estaban"),
        ("mesa", "En la mesa de tus tíos puede haber otra costumbre"),
        ("recoger", "Dos exactos: ni tres, ni figuras"),
        ("recoger", "En el primer hueco se acaba"),
        ("recoger", "Si no va, la mesa te dice por qué"),
        ("recoger", "Con suma también se sube"),
        ("recoger", "De cada peldaño va una sola carta"),
        ("recoger", "Escoges uno; los dos de golpe, nunca"),
        ("recoger", "se lo lleva, y sube toda la escalera"),
        ("recoger", "Saca otra de tu mano, una que no se lleve nada, y déjala"),
        ("caida", "Es en ese instante o no es"),
        ("caida", "iba en una suma, y eso no es caída"),
        ("caida", "Si de paso caíste, cobras las dos: 4 puntos"),
        ("caida", "la mesa la canta por ti"),
        ("caida", "Con las cuatro iguales también es una sola, de 2"),
        ("caida", "en el orden de juego"),
        ("carton", "Cobra solo la que tiene más, y de 20 para arriba"),
        ("carton", "no es de nadie, ni de quien recogió al último"),
        ("carton", "puede llevarte al final"),
        ("carton", "a la pareja de quien reparte la baraja que viene"),
        ("treinta-y-ocho", "Treinta y ocho que no juega"),
        ("treinta-y-ocho", "Lo que vale es con cuánto empiezas la jugada"),
        ("torneo", "Tres por día dan puntos: las que empieces primero, de medianoche a medianoche en Quito"),
        ("torneo", "Si la abandonas, su cupo del día queda usado"),
        ("torneo", "Las vueltas libres no puntúan"),
        ("torneo", "La práctica es para conocer las mesas: sin puntos y sin cuenta"),
        ("tantos", "boca arriba valen 2, boca abajo 10"),
        ("tantos", "uno se voltea y los otros cuatro vuelven al centro"),
    ],
)
def test_it_says(guide, name, said):
    assert said in words(part(guide, name))


def test_the_numbers_in_its_sentences_are_those_of_the_rules(guide):
    said = {found.get("id"): words(found) for found in guide.iter("section")}
    assert f"Son {len(DECK)} naipes" in said["mesa"] and HAND == 5
    assert f"Se juega a {GOAL}." in said["mesa"]
    assert f"Caída: {CAIDA}" in said["caida"]
    assert f"Limpia: {LIMPIA}" in said["caida"]
    assert f"Ronda: {RULES.ronda}" in said["caida"]
    assert f"va en {RULES.ronda_up_to} o menos" in said["caida"]
    assert f"va en menos de {RULES.carton_below} antes de contar" in said["carton"]
    assert f"Con {RULES.only_caida_from} te falta una sola cosa, y es una caída" in said["treinta-y-ocho"]
    assert RULES.addends == 2 and RULES.seats == 4 and RULES.capture_is_compulsory


def test_nothing_unkind_is_said(guide):
    said = " ".join(guide.itertext()).lower()
    for word in ("capariche", "marido", "mudo", "muda", "viejas", "cuerito", "apuesta", "dinero"):
        assert not re.search(rf"\b{word}\b", said), word


# Its examples, drawn and tried


def drawn_example(guide, slug):
    (found,) = guide.findall(f".//article[@id='{slug}']")
    return found


def test_every_example_is_drawn_once_with_its_cards(guide):
    articles = list(guide.iter("article"))
    assert {article.get("id") for article in articles} == set(EXAMPLES) and len(articles) == len(EXAMPLES)
    for article in articles:
        example = EXAMPLES[article.get("id")]
        assert words(article.find("h3") if article.find("h3") is not None else article.find("h4")) == example.title
        assert example.asks in words(article) and example.finds in words(article)
        assert [i.get("value") for i in article.iter("input") if i.get("name") == "puntaje"] == [
            str(score) for score in sorted(example.scores) if len(example.scores) > 1
        ]
        if example.kind != "play":
            continue
        view = view_of(example.at(example.scores[0]), 0)
        shown = {"toma": view.table, "carta": view.hand}
        for name, held in shown.items():
            inputs = [found for found in article.iter("input") if found.get("name") == name]
            labels = {found.get("for"): found for found in article.iter("label")}
            assert [found.get("value") for found in inputs] == list(map(format_card, held))
            for found, card in zip(inputs, held, strict=True):
                label = labels[found.get("id")]
                assert drawn(label) == [format_card(card)] and not found.get("data-checked")
                last = ", recién dejada" if name == "toma" and card == view.last else ""
                assert words(label) == card_name(card) + last


def test_every_id_of_the_page_is_there_once(html):
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_a_try_is_answered_in_its_place_in_the_whole_page(client):
    html = client.get("/guia/?ejemplo=igual-o-suma&carta=5S&toma=2D&toma=3C").text
    guide = tree_of(html)
    tried = drawn_example(guide, "igual-o-suma")
    assert "Tú recoges 2 + 3 con el 5." in words(tried)
    assert [found.get("value") for found in tried.iter("input") if found.get("data-checked")] == [
        "2D",
        "3C",
        "5S",
    ]
    (remains,) = [found for found in tried.iter("div") if found.get("class") == "remains"]
    assert drawn(remains) == ["5H"] and remains.get("aria-label") == "5 de corazones"
    said = [words(found) for found in guide.iter("div") if found.get("class") == "answer"]
    assert sum(map(bool, said)) == 2  # and the count, which always shows what its slider stands on


def test_four_equal_cards_are_one_ronda_as_it_says():
    match = Match(RULES, 3)
    (ronda,) = (e for e in match.begin_deck(arranged_deck(QUITO, 3, [{0: "4H 4C 4S 4D"}])) if isinstance(e, Ronda))
    assert (ronda.count, ronda.points) == (4, 2) and not match.is_over


# The cartón


def rows(guide):
    """The cartón's rows as (fewest cards, most cards, points, words)."""
    for row in part(guide, "carton").findall(".//tbody/tr"):
        fewest, most = map(int, row.get("data-cards").split())
        yield fewest, most, int(words(row.find("td"))), words(row.find("th"))


def test_each_row_of_the_carton_is_what_the_count_pays(guide):
    for fewest, most, points, _ in rows(guide):
        for taken in range(max(1, fewest), most + 1):  # two empty piles would be a tie
            other = min(40 - taken, taken - 1)
            assert carton_points(RULES, (taken, other), (0, 0), 0) == (points, 0), taken
            assert carton_points(RULES, (other, taken), (0, 0), 0) == (0, points), taken


def test_the_rows_leave_no_gap_and_say_their_cards(guide):
    expected = 0
    for fewest, most, _, said in rows(guide):
        assert fewest == expected
        assert re.findall(r"\d+", said) == [str(n) for n in sorted({fewest, most} - {0})]
        expected = most + 1
    assert expected == 29


def test_after_the_rows_it_goes_on_as_it_says(guide):
    assert "cada dos cartas, dos puntos más" in words(part(guide, "carton"))
    assert all(carton_value(taken + 2) == carton_value(taken) + 2 for taken in range(20, 39))


def test_the_counts_near_30_end_as_it_says(guide):
    counts = part(guide, "carton").findall(".//li[@data-piles]")
    assert len(counts) == 2
    for count in counts:
        before, piles = int(count.get("data-score")), [int(pile) for pile in count.get("data-piles").split()]
        match, _ = close_deck(QUITO, piles, score=(before, 0))
        assert match.score[0] == int(count.get("data-result"))
        assert [int(number) for number in bold(count)] == [before, match.score[0]]
        assert f"{piles[0]} cartas" in words(count)
        assert ("Ganaste" in words(count)) == (match.winner == 0)


def test_a_tie_pays_whoever_deals_next_as_it_says(guide):
    tie = [words(found) for found in part(guide, "carton").iter("p") if "parejos" in words(found)]
    assert "2 puntos" in tie[0] and "de 20 y 20" in tie[0] and "si tiene menos de 30" in tie[0]
    assert carton_points(RULES, (20, 20), (28, 28), 0) == (2, 0)
    assert carton_points(RULES, (15, 15), (28, 28), 1) == (0, 2)
    assert carton_points(RULES, (20, 20), (30, 0), 0) == (0, 0)


# What else it says of the house game


def test_another_card_may_be_chosen_but_the_one_that_can_take_must():
    match = sit(QUITO, "7D", holding="7S KC")
    assert choices(match, "7S") == {"7Sx7D"} and choices(match, "KC") == {"KC"}


def test_one_card_goes_from_each_step():
    table = mask_of(cards("5D 6C 6H 7H"))
    taken = [names(takes) for takes in captures(RULES, rank_of(parse_card("5S")), table)]
    assert taken == [{"5D", "6H", "7H"}, {"5D", "6C", "7H"}]


def test_two_equal_cards_never_lie_on_the_house_table_but_do_on_the_others(guide):
    assert "Dos iguales juntas aquí no las verás" in words(part(guide, "recoger"))

    def has_met(ruleset):
        for match, _ in random_games(ruleset, seed=40, decks=12):
            ranks = [rank_of(card) for card in DECK if match.table >> card & 1]
            if len(set(ranks)) < len(ranks):
                return True
        return False

    assert [has_met(name) for name in TABLES] == [name != QUITO for name in TABLES]


def test_a_second_deal_keeps_the_table_and_a_new_deck_the_score():
    kept = new_decks = 0
    table, score = 0, (0, 0)
    for match, (_, events) in random_games(QUITO, seed=6, decks=4):
        deals = [event for event in events if isinstance(event, Deal)]
        if deals and match.deal_number == 1:
            move = only(Played, events)
            assert match.table == (table ^ move.takes if move.takes else table | 1 << move.card)
            kept += 1
        elif deals and match.deck_number:
            rondas = sum(event.points for event in events if isinstance(event, Ronda))
            assert match.table == 0 and sum(match.score) == sum(score) + rondas
            new_decks += 1
        table, score = match.table, match.score
    assert kept and new_decks


def test_a_new_deal_in_between_does_not_spoil_a_caida():
    spare = [card for card in DECK if format_card(card) not in ("5D", "5S")]
    stock = "5S" + "".join(format_card(card) for card in random.Random(1).sample(spare, 19))
    match = late(QUITO, hands={0: "5D"}, stock=stock, dealer=0)
    do(match, "5D")
    assert only(Played, do(match, "5Sx5D")).caida


def test_the_next_to_play_sits_at_the_right(guide):
    (cloth,) = part(guide, "mesa").findall(".//figure[@class='seats']/div")
    sides = {found.get("class"): words(found) for found in cloth.iter("p")}
    people = [person.name for person in seated(RULES, "almeida")]
    assert people[0] == sides["south"] and people[1] in STORY["almeida"].name and sides["east"] == "El rival"
    assert sides["north"] in f"La {people[2]}" and sides["west"] == people[3]
    assert sit(QUITO, "5D").to_play == 1


# The story, the counters, the other tables


def test_the_chapters_stand_in_their_order(guide):
    chapters = part(guide, "torneo").findall(".//ol[@class='chapters']/li")
    assert [drawn(chapter) for chapter in chapters] == [[rival.emblem] for rival in STORY.values()]
    assert all(rival.name in words(chapter) for chapter, rival in zip(chapters, STORY.values(), strict=True))


def test_the_points_of_a_run_add_up(guide):
    each, bonus, whole = (int(words(prize)) for prize in part(guide, "torneo").iter("dd"))
    assert (each, bonus, whole) == (100, 200, 700)
    assert each * len(STORY) + bonus == whole


def test_it_tells_the_close_and_the_prizes_of_the_season_that_is_on(client):
    make_season(closes_at=timezone.now() + timedelta(days=2), chapter_points=50, bonus_points=70, runs_a_day=2)
    season, html = Season.objects.get(), client.get("/guia/").content.decode()
    story = part(tree_of(html), "torneo")
    (close,) = story.iter("time")
    assert datetime.fromisoformat(close.get("datetime")) == season.closes_at
    assert words(close) == moment_in_words(season.closes_at)
    assert [words(prize) for prize in story.iter("dd")] == ["50", "+70", "320"]
    assert "Dan puntos las primeras 2 que empieces cada día" in words(story)


@pytest.mark.parametrize("days, said", [(-1, "El torneo cerró el"), (1, "Hay torneo hasta el")])
def test_it_says_whether_the_tournament_is_over(client, days, said):
    make_season(closes_at=timezone.now() + timedelta(days=days))
    assert said in client.get("/guia/").content.decode()


def test_tantos_and_perros_show_the_score_beside_them(guide):
    worth = {dd.get("data-counter"): int(words(dd).split()[0]) for dd in part(guide, "tantos").iter("dd")}
    assert worth == {"tanto": 2, "perro": 10}
    scores = part(guide, "tantos").findall(".//li[@data-points]")
    assert len(scores) == 4
    for score in scores:
        points = int(score.get("data-points"))
        assert sum(worth[counter] for counter in drawn(score)) == points == int(bold(score)[0])
        assert drawn(score).count("tanto") < 5
        assert score_label(0, points, seated(RULES, "almeida")).endswith(f", {words(score.findall('span')[-1])}")


def test_the_other_three_tables_say_how_they_differ(guide):
    blocks = {
        found.get("data-table-name"): found
        for found in part(guide, "otras-mesas").iter("div")
        if found.get("data-table-name")
    }
    assert list(blocks) == OTHERS
    for name, block in blocks.items():
        assert words(block.find("h3")) == TABLES[name].name
        assert words(block.find("p")) == TABLES[name].summary
        assert [words(line) for line in block.iter("li")] == list(TABLES[name].differences)


def test_what_it_says_of_all_three_is_so(guide):
    said = words(part(guide, "otras-mesas"))
    assert "En las tres, la ronda y el cartón no se fijan en los 30" in said
    assert "el cartón lo cobra cada bando que llega a 20" in said
    assert "en Mano a mano van 2 al montón más grande" in said
    for name in OTHERS:
        rules = RULESETS[name]
        assert rules.ronda_up_to is None and rules.carton_below is None and rules.carton_for_each
        assert carton_points(rules, (20, 20), (0, 0), 0) == (6, 6)
        assert carton_points(rules, (19, 18), (0, 0), 0) == ((2, 0) if TABLES[name].name == "Mano a mano" else (0, 0))
