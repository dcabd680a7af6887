"""What the tables say of themselves agrees with their rule sets."""

import pytest

from campaign.characters import STORY, TABLES, seated
from campaign.table import log_lines
from campaign.wording import event_text
from cvarenta.game.cards import mask_of, parse_card, parse_cards
from cvarenta.game.events import Carton, Deal, End, Played, Ronda
from cvarenta.game.rulesets import RULESETS


@pytest.mark.parametrize("name", RULESETS)
def test_the_short_rules_are_those_of_the_table(name):
    rules, said = RULESETS[name], TABLES[name].rules
    words = " ".join(said)
    assert said.ronda_title == f"Ronda, {rules.ronda}"
    assert ("Desde 38" in words) == (rules.only_caida_from == 38)
    assert ("pasa de 38" in words) == (rules.others_stop_at == 38)
    assert ("Cuatro iguales ganan" in words) == rules.doble_ronda_wins
    assert ("Cortas donde quieras" in said.ladder) == (not rules.capture_is_compulsory)
    assert ("tres o más" in said.take) == (rules.addends > 2)
    assert ("menos de 30" in said.end) == (rules.carton_below == 30)
    assert ("chica" in said.end) == rules.is_mesa
    assert not (rules.seats == 2 and "pareja" in words)


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["application/json", "application/json; charset=utf-8"])
def test_both_ways_of_asking_for_json_are_understood(client, accept):
    response = client.post("/practica/", {"ruleset": "quito", "rival": "greedy"}, headers={"accept": accept})
    assert response.status_code == 201


def test_who_speaks_is_named_when_somebody_else_played():
    characters = seated(RULESETS["quito"], "greedy")
    fallen = Played(8, 2, parse_card("5S"), mask_of(parse_cards("5D")), True, False, 2, (2, 0))
    lines = log_lines([(0, Deal(0, 0, 3)), (0, fallen)], characters, RULESETS["quito"])
    assert lines[1]["says"].startswith("El Goloso: ")
    own = Played(9, 1, parse_card("5S"), mask_of(parse_cards("5D")), True, False, 2, (0, 2))
    assert ":" not in log_lines([(0, own)], characters, RULESETS["quito"])[0]["says"]


def said_at(event, ruleset, rival="almeida"):
    rules = RULESETS[ruleset]
    return log_lines([(0, event)], seated(rules, rival), rules)[0]["says"]


def test_at_38_the_rival_or_san_miguel_says_so_where_only_a_caida_counts():
    ours, theirs = Ronda(0, 5, 3, 2, (38, 10)), Ronda(1, 5, 3, 2, (10, 38))
    assert said_at(ours, "quito") == "San Miguel: Treinta y ocho: solo vale caída."
    assert said_at(theirs, "quito") == STORY["almeida"].lines["thirty_eight"][0]
    for event in (ours, theirs):
        assert "reinta y ocho" not in said_at(event, "tradicional-4")


def test_at_the_end_the_rival_has_the_last_word():
    assert said_at(End(0, (40, 20), None), "quito").endswith(STORY["almeida"].lines["beaten"][0])
    assert said_at(End(1, (20, 40), None), "quito").endswith(STORY["almeida"].lines["won"][0])


def test_every_rival_of_the_story_has_words_for_every_moment():
    moments = {"caida", "fallen", "limpia", "ronda", "thirty_eight", "won", "beaten"}
    assert all(rival.lines.keys() >= moments for rival in STORY.values())


def told(event, ruleset="quito"):
    rules = RULESETS[ruleset]
    return event_text(event, seated(rules, "greedy"), rules)


def capture(seat=0, caida=True, limpia=False, points=2):
    taken = mask_of(parse_cards("5D"))
    return Played(9, seat, parse_card("5S"), taken, caida, limpia, points, (points, 0))


def test_the_log_says_what_the_points_of_a_play_are_made_of_and_why_some_do_not_count():
    assert told(capture(limpia=True, points=4)) == "Tú recoges 5 con el 5. ¡Caída y limpia! +4 (2 y 2)."
    assert told(capture()) == "Tú recoges 5 con el 5. ¡Caída! +2."
    assert told(capture(limpia=True)).endswith("¡Caída y limpia! +2. Desde 38 solo suma la caída.")
    assert told(capture(caida=False, limpia=True, points=0)).endswith("¡Limpia! Desde 38 solo suma la caída.")


def test_the_log_says_why_a_ronda_adds_nothing():
    assert told(Ronda(0, 4, 3, 2, (32, 0))) == "Tú cantas ronda de cincos: +2."
    assert told(Ronda(0, 4, 3, 0, (32, 0))).endswith("ya no suma, pasamos de 30.")
    assert told(Ronda(1, 4, 3, 0, (0, 32))).endswith("ya no suma, pasan de 30.")
    assert told(Ronda(0, 4, 4, 0, (4, 0)), "tradicional-2").endswith("gana la mesa de una.")
    assert told(Ronda(0, 4, 3, 2, (38, 0)), "mano-a-mano").endswith("+2, hasta 38.")
    assert told(Ronda(0, 4, 3, 0, (38, 0)), "mano-a-mano").endswith("no suma. Desde 38 solo suma la caída.")


@pytest.mark.parametrize(
    "ruleset, cards, points, score, why",
    [
        ("quito", (22, 18), (8, 0), (8, 0), "Nosotros, 22 cartas: +8. Ellos, 18 cartas."),
        ("quito", (19, 18), (0, 0), (4, 0), "Nadie suma: nadie llegó a 20."),
        ("quito", (22, 18), (0, 0), (30, 0), "Nadie suma: ya teníamos 30 o más."),
        ("quito", (16, 24), (0, 0), (0, 34), "Nadie suma: ya tenían 30 o más."),
        ("quito", (20, 20), (2, 0), (4, 0), "Empate: 2 para quien reparte ahora."),
        ("quito", (18, 18), (0, 0), (30, 0), "Empate, pero quien reparte ahora ya tenía 30 o más: nadie suma."),
        ("mano-a-mano", (19, 18), (2, 0), (4, 0), "Nadie llegó a 20: 2 al montón más grande."),
        ("mano-a-mano", (19, 19), (0, 0), (4, 0), "Nadie suma: nadie llegó a 20 y van iguales."),
        ("mano-a-mano", (19, 18), (0, 0), (38, 0), "Nadie suma. Desde 38 solo suma la caída."),
        ("mano-a-mano", (24, 16), (2, 0), (38, 0), "+2. El Goloso, 16 cartas. Desde 38 solo suma la caída."),
        ("tradicional-4", (20, 20), (6, 6), (6, 6), "Nosotros, 20 cartas: +6. Ellos, 20 cartas: +6."),
        ("tradicional-4", (19, 19), (0, 0), (6, 6), "Nadie suma: nadie llegó a 20."),
    ],
)
def test_the_log_says_who_had_how_many_and_why_nobody_scores(ruleset, cards, points, score, why):
    assert told(Carton(cards, points, score), ruleset).endswith(why)
