"""What the tables say of themselves agrees with their rule sets."""

import pytest

from campaign.characters import TABLES, seated
from campaign.table import log_lines
from cvarenta.game.cards import mask_of, parse_card, parse_cards
from cvarenta.game.events import Deal, Played
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
    lines = log_lines([(0, Deal(0, 0, 3)), (0, fallen)], characters)
    assert lines[1]["says"].startswith("El Goloso: ")
    own = Played(9, 1, parse_card("5S"), mask_of(parse_cards("5D")), True, False, 2, (0, 2))
    assert ":" not in log_lines([(0, own)], characters)[0]["says"]
