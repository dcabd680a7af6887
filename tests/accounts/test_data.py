"""Everything kept about a player can be taken along, and nothing of anybody else."""

import pytest
from django.utils import timezone

from cvarenta.accounts.services import rename_player
from cvarenta.accounts.signals import gathering_data

from .asking import give_email, listening, log_in

pytestmark = pytest.mark.django_db
DATA = "/cuenta/datos/"


def test_the_file_holds_what_is_kept(client, dolores, stranger):
    give_email(stranger, "otro@quito.ec")
    rename_player(player=dolores, name="Lola-ñ", at=timezone.now())
    log_in(client, "lola-ñ")
    response = client.get(DATA)
    data = response.json()

    assert response["Content-Disposition"].startswith("attachment; filename")
    assert "no-store" in response["Cache-Control"]
    assert data["cuenta"]["nombre"] == "Lola-ñ" and data["cuenta"]["correo"] == "dolores@quito.ec"
    assert data["correos"] == [{"email": "dolores@quito.ec", "verified": True, "primary": True}]
    assert [row["key"] for row in data["nombres_anteriores"]] == ["dolores"]
    assert [row["ip"] for row in data["sesiones"]] == ["127.0.0.1"]
    assert set(data["sesiones"][0]) == {"created_at", "ip", "user_agent"}  # nobody keeps when they were last seen
    assert "ñ" in response.text
    assert "otro@quito.ec" not in response.text and "forastero" not in response.text
    assert dolores.password not in response.text


def test_other_apps_add_what_they_keep(inside, dolores):
    asked = []

    def add(sender, player, **kwargs):
        asked.append(player)
        return {"partidas": [1, 2]}

    def nothing(sender, **kwargs):
        return None

    with listening(gathering_data, add, nothing):
        data = inside.get(DATA).json()
    assert data["partidas"] == [1, 2] and asked == [dolores]


def test_it_is_only_read_and_only_ones_own(inside, client):
    assert inside.post(DATA).status_code == 405
    assert client.get(DATA)["Location"].startswith("/cuenta/login/")
