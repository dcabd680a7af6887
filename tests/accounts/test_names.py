"""What a player may be called: nothing that looks like another, hides something or belongs to the house."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from cvarenta.accounts import names
from cvarenta.accounts.names import NameRefused, clean_name, name_key, refuse_reserved
from cvarenta.accounts.services import delete_player, name_for, rename_player
from cvarenta.models import Player
from tests.support import make_player

from .asking import errors, sign_up

GOOD = ["Ana", "cariñosa", "Él-ñato.7", "José_María", "007", "a.b", "W" * 20, "Ủy-ban", "ñañ", "--a"]
BAD = [
    ("ab", names.TOO_SHORT), ("", None), ("W" * 21, names.TOO_LONG), ("W" * 150, names.TOO_LONG),
    ("dos palabras", names.WRONG_CHARACTERS), ("аna", names.WRONG_CHARACTERS), ("Αna", names.WRONG_CHARACTERS),
    ("an\u200ba", names.WRONG_CHARACTERS), ("\u200b\u200b\u200b", names.WRONG_CHARACTERS), ("ﬁesta", names.WRONG_CHARACTERS),
    ("\u202eanad", names.WRONG_CHARACTERS), ("Ａｎａ", names.WRONG_CHARACTERS), ("a\u0334na", names.WRONG_CHARACTERS),
    ("an\u0303\u0303\u0303a", names.WRONG_CHARACTERS), ("مرحبا", names.WRONG_CHARACTERS), ("ana😀", names.WRONG_CHARACTERS),
    ("straße", names.WRONG_CHARACTERS), ("ıana", names.WRONG_CHARACTERS), ("٣٣٣", names.WRONG_CHARACTERS), ("²²²", names.WRONG_CHARACTERS),
    ("ana\x00b", None), ("ana\nb", names.WRONG_CHARACTERS), ("a/b/c", names.WRONG_CHARACTERS), ("..-__", names.NO_LETTER),
    ("dolores@quito.ec", names.AN_EMAIL), ("<img src=x>", names.WRONG_CHARACTERS), ("{{7*7}}", names.WRONG_CHARACTERS),
    ('"><svg>', names.WRONG_CHARACTERS), ("</script>", names.WRONG_CHARACTERS), ("ana'--", names.WRONG_CHARACTERS),
]  # fmt: skip
RESERVED = ["admin", "ADMIN", "administrador", "a.d.m.i.n", "Adrnin", "adm1n", "r00t", "Virgen-de-Legarda",
            "VIRGEN_DE_LEGARDA", "San.Miguel", "sanrniguel", "Cantuña", "Manuela-Sáenz", "El-Diablo", "MaestrO", "el_maestro",
            "C.v.a.r.e.n.t.a", "cuarenta", "Juez-de-Aguas", "invitado", "borrado", "Don-Ramón", "Padre_Almeida"]  # fmt: skip
ALIKE = [("dolores", "DOLORES"), ("dolores", "Dólorës"), ("dolores", "d0l0res"), ("lila", "1i1a"), ("cariño", "carino"),
         ("carino", "carin\u0303o"), ("bornia", "bomia"), ("vvalter", "walter"), ("Iliana", "lliana")]  # fmt: skip
DIFFERENT = [("dolores", "dolorez"), ("ana-paz", "anapaz"), ("ana_1", "ana-1"), ("ana2", "ana3")]


@pytest.mark.parametrize("name", GOOD)
def test_a_good_name_stands_as_typed(name):
    assert clean_name(f"  {name} ") == name
    refuse_reserved(name)


@pytest.mark.parametrize("name, reason", BAD)
def test_a_bad_name_is_refused_with_what_to_do_instead(client, db, name, reason):
    response = sign_up(client, name)

    assert response.status_code == 200
    assert not Player.objects.exists()
    assert (reason or "") in errors(response)
    assert errors(response).count(".") + errors(response).count(":") >= 1
    assert response.text.count("<svg>") == 0 and "<img src=x>" not in response.text


@pytest.mark.parametrize("name", RESERVED)
def test_the_houses_names_are_nobodys(client, db, name):
    assert names.RESERVED in errors(sign_up(client, name))
    assert not Player.objects.exists()


@pytest.mark.parametrize("one, other", ALIKE)
def test_names_that_look_alike_are_one(client, db, one, other):
    make_player(one)

    assert names.TAKEN in errors(sign_up(client, other))
    assert Player.objects.count() == 1


@pytest.mark.parametrize("one, other", DIFFERENT)
def test_names_that_differ_are_two(client, db, one, other):
    make_player(one)
    sign_up(client, other)

    assert Player.objects.filter(username=other).exists()


@pytest.mark.parametrize("word", [*GOOD, *(name for pair in ALIKE for name in pair)])
def test_the_key_of_a_key_is_itself(word):
    assert name_key(name_key(word)) == name_key(word)


def test_accents_typed_apart_are_kept_in_one_piece(client, db):
    sign_up(client, "carin\u0303osa")

    assert Player.objects.get().username == "cari\u00f1osa"


def test_twenty_letters_typed_with_loose_accents_are_not_too_many(client, db):
    sign_up(client, "n\u0303" * 20)

    assert Player.objects.get().username == "ñ" * 20


def test_the_database_itself_keeps_look_alikes_apart(db):
    make_player("dolores")
    for again in ("Dolores", "d0l0rés"):
        with pytest.raises(IntegrityError), transaction.atomic():
            make_player(again)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.bulk_create([Player(username="DOLORES")])


def test_a_name_is_free_for_nobody_else_when_its_player_renames_or_leaves(player):
    rename_player(player=player, name="Lola", at=timezone.now())
    assert name_for("Dolores", player=player) == "Dolores"
    for taken in ("Dolores", "Lola"):
        with pytest.raises(NameRefused, match=names.TAKEN):
            name_for(taken)

    delete_player(player=player, at=timezone.now())
    for asks in (None, Player(), make_player("lila")):
        for taken in ("Dolores", "Lola"):
            with pytest.raises(NameRefused, match=names.TAKEN):
                name_for(taken, player=asks)


def test_staff_may_be_called_as_the_house(db):
    admin = Player.objects.create_superuser("admin", password="x")

    assert admin.name_key == name_key("ADMIN")


def test_every_refusal_is_one_sentence_of_its_own():
    texts = [
        names.TOO_SHORT,
        names.TOO_LONG,
        names.WRONG_CHARACTERS,
        names.NO_LETTER,
        names.AN_EMAIL,
        names.TAKEN,
        names.RESERVED,
    ]

    assert len(set(texts)) == len(texts)
    assert all(text.endswith(".") and len(text) < 90 for text in texts)


def test_clean_name_raises_the_refusal_itself():
    with pytest.raises(NameRefused, match="corto"):
        clean_name("ñ")


@pytest.mark.django_db(transaction=True)
def test_names_from_before_get_keys_and_nobody_is_lost():
    """An old database may hold long names and look-alikes."""
    executor = MigrationExecutor(connection)
    executor.migrate([("cvarenta", "0001_initial")])
    old = executor.loader.project_state([("cvarenta", "0001_initial")]).apps.get_model("cvarenta", "Player")
    long = "W" * 150
    try:
        for name in ("dolores", "Dolores", "d0lores", long, long[:-1], "dolores-2"):
            old.objects.create(username=name)
        MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes("cvarenta"))
        found = list(Player.objects.order_by("pk").values_list("username", flat=True))

        assert found[0] == "dolores" and found[3] == "W" * 20
        assert len(found) == len({name_key(name) for name in found}) == 6
        assert all(len(name) <= 20 for name in found)
        assert set(Player.objects.values_list("name_key", flat=True)) == {name_key(name) for name in found}
    finally:
        MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())
