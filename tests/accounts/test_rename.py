"""A new name; the old one stays one's own."""

import pytest
from django.utils import timezone

from cvarenta.accounts import names
from cvarenta.accounts.services import rename_player
from cvarenta.models import PastName
from tests.support import make_player

from .asking import errors, log_in

pytestmark = pytest.mark.django_db
RENAME = "/cuenta/nombre/"


def rename(browser, name):
    return browser.post(RENAME, {"username": name})


def test_the_new_name_stands_and_the_old_one_is_kept_for_nobody_else(inside, client, dolores):
    assert rename(inside, "Lola")["Location"] == "/cuenta/"
    dolores.refresh_from_db()

    assert (dolores.username, dolores.name_key) == ("Lola", names.name_key("lola"))
    assert list(PastName.objects.values_list("key", "player")) == [(names.name_key("dolores"), dolores.pk)]
    assert "ahora te llamas Lola" in inside.get("/cuenta/").text
    assert log_in(client, "dolores").status_code == 200
    assert log_in(client, "lola").status_code == 302


def test_the_form_shows_the_name_of_now(inside):
    assert 'value="dolores"' in inside.get(RENAME).text


@pytest.mark.parametrize("name, reason", [("ab", names.TOO_SHORT), ("Cantuña", names.RESERVED), ("Forastero", names.TAKEN),
                                          ("f0rastero", names.TAKEN), ("а-б-в", names.WRONG_CHARACTERS), ("", "Falta esto")])  # fmt: skip
def test_what_may_not_be_is_refused(inside, dolores, stranger, name, reason):
    assert reason in errors(rename(inside, name))
    dolores.refresh_from_db()
    assert dolores.username == "dolores" and not PastName.objects.exists()


def test_ones_own_old_name_can_be_taken_back(inside, dolores):
    rename(inside, "Lola")
    rename(inside, "Dolores")
    dolores.refresh_from_db()

    assert dolores.username == "Dolores"
    assert list(PastName.objects.values_list("key", flat=True)) == [names.name_key("lola")]


def test_anothers_old_name_cannot(inside, stranger):
    rename_player(player=stranger, name="Viajero", at=timezone.now())

    assert names.TAKEN in errors(rename(inside, "Forastero"))


def test_only_its_spelling_may_change(inside, dolores):
    assert rename(inside, "DÓLORES").status_code == 302
    dolores.refresh_from_db()
    assert dolores.username == "DÓLORES" and not PastName.objects.exists()


def test_the_same_name_again_changes_nothing(inside):
    assert rename(inside, "dolores").status_code == 302
    assert not PastName.objects.exists()


def test_names_cannot_be_hoarded(inside, dolores, limited):
    for n in range(5):
        assert rename(inside, f"lola-{n}x").status_code == 302
    assert "vuelve mañana" in errors(rename(inside, "lola-otra"))
    assert PastName.objects.count() == 5


def test_refused_names_do_not_use_up_the_day(inside, dolores, stranger, limited):
    for name in ("ab", "Cantuña", "Forastero", "dolores") * 2:
        rename(inside, name)

    assert rename(inside, "Lola")["Location"] == "/cuenta/"


def test_staff_called_as_the_house_may_leave_their_name_as_it_is(client):
    client.force_login(make_player("maestro"))

    assert rename(client, "maestro")["Location"] == "/cuenta/"


def test_it_needs_a_post_a_token_and_an_account(inside, client, strict_client, dolores):
    inside.get(RENAME, {"username": "Lola"})
    assert inside.put(RENAME).status_code == 405
    assert rename(client, "Lola")["Location"].startswith("/cuenta/login/")
    strict_client.force_login(dolores)
    assert rename(strict_client, "Lola").status_code == 403
    dolores.refresh_from_db()
    assert dolores.username == "dolores"


def test_others_are_untouched(inside, stranger, rival_player):
    rename(inside, "Lola")
    for other, name in ((stranger, "forastero"), (rival_player, "cantuña")):
        other.refresh_from_db()
        assert other.username == name
