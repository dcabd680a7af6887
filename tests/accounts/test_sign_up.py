"""Signing up: a name, a password, an e-mail if one likes; two people at once never get one name."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import user_signed_up
from django.db import connections
from django.test import Client
from django.utils import timezone

from cvarenta.accounts.names import TAKEN
from cvarenta.accounts.services import rename_player
from cvarenta.models import PastName, Player
from tests.support import PASSWORD, make_player

from .asking import INSIDE, SIGN_UP, errors, is_inside, listening, sign_up

pytestmark = pytest.mark.django_db


def test_a_name_and_a_password_are_enough(client):
    response = sign_up(client, "Dolores")

    assert (response.status_code, response["Location"]) == (302, INSIDE)
    player = Player.objects.get()
    assert (player.username, player.email, player.is_staff) == ("Dolores", "", False)
    assert player.check_password(PASSWORD)
    assert is_inside(client)


def test_an_email_is_kept_and_asked_to_be_confirmed(client, mailoutbox):
    sign_up(client, "dolores", email="Dolores@Quito.ec")

    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("dolores@quito.ec", False, True)
    assert [message.to for message in mailoutbox] == [["dolores@quito.ec"]]


def test_others_are_told_with_the_request_that_a_player_signed_up(client):
    told = []

    def listen(sender, request, user, **kwargs):
        told.append((request.path, user.username))

    with listening(user_signed_up, listen):
        sign_up(client, "dolores")
    assert told == [(SIGN_UP, "dolores")]


def test_looking_at_the_form_makes_nothing(client):
    assert client.get(SIGN_UP).status_code == 200
    assert client.put(SIGN_UP).status_code == 200  # a form with nothing in it
    assert not Player.objects.exists()


def test_the_session_key_changes(client):
    client.get(SIGN_UP)
    session = client.session
    session["before"] = True
    session.save()
    key = session.session_key
    client.cookies["sessionid"] = key
    sign_up(client, "dolores")

    assert client.session.session_key != key


def test_someone_with_an_account_is_led_inside(client, player):
    client.force_login(player)

    assert sign_up(client, "otra-mas")["Location"] == INSIDE
    assert Player.objects.count() == 1


@pytest.mark.parametrize("password", ["", "corta", "12345678901", "password123", "dolores-dolores"])
def test_a_weak_password_is_refused_in_kind_words(client, password):
    response = sign_up(client, "dolores-dolores", password=password)

    assert not Player.objects.exists()
    assert any(word in errors(response) for word in ("Falta esto", "muy corta", "cualquiera", "se parece"))


def test_an_incomplete_email_is_refused(client):
    assert "nombre@sitio.com" in errors(sign_up(client, "dolores", email="dolores@"))


def test_nothing_else_can_be_set_by_signing_up(client):
    sign_up(client, "dolores", is_staff="on", is_superuser="1", name_key="x", session_round="7", id="99")

    player = Player.objects.get()
    assert (player.is_staff, player.is_superuser, player.session_round) == (False, False, 0)
    assert player.name_key == "dolores"


def test_a_forgotten_name_of_another_is_not_free(client, player):
    rename_player(player=player, name="Lola", at=timezone.now())

    assert TAKEN in errors(sign_up(client, "Dolores"))
    assert Player.objects.count() == 1


def test_the_form_is_right_for_password_managers_and_small_screens(client):
    form = client.get(SIGN_UP).context["form"]
    attrs = {name: field.widget.attrs for name, field in form.fields.items()}

    assert list(attrs) == ["username", "email", "password1"]
    assert attrs["username"]["autocomplete"] == "username"
    assert attrs["email"]["autocomplete"] == "email" and form.fields["email"].widget.input_type == "email"
    assert attrs["password1"]["autocomplete"] == "new-password"
    assert not any("placeholder" in attr for attr in attrs.values())


def test_the_first_mistake_has_the_focus_and_its_reason(client):
    page = sign_up(client, "dolores", email="x@", password="x").text

    assert page.count("autofocus") == 1
    field = page.split('name="email"')[1].split(">")[0]
    assert "autofocus" in field and 'aria-invalid="true"' in field and "id_email_error" in field
    assert 'id="id_email_error"' in page


# At once, on the real server


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("names", [["dolores"] * 6, ["Dolores", "dolores", "DOLORES", "d0lores", "dolorés", "dol0res"]])
def test_six_at_once_get_one_account_and_five_kind_refusals(names):
    gate = Barrier(len(names))

    def go(name):
        browser = Client(raise_request_exception=False)
        gate.wait()
        try:
            return sign_up(browser, name)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(names)) as pool:
        answers = list(pool.map(go, names))

    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [302]
    assert all(TAKEN in errors(answer) for answer in answers if answer.status_code == 200)
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_name_just_given_up_is_not_caught_by_someone_who_waited_for_it():
    """Whoever looked before it was given up, and writes after: the look alone would have let them in."""
    for round in range(8):
        PastName.objects.all().delete()
        Player.objects.all().delete()
        player, gate = make_player("dolores"), Barrier(3)

        def rename(player=player, gate=gate):
            gate.wait()
            try:
                rename_player(player=player, name="lola", at=timezone.now())
            finally:
                connections.close_all()

        def take(name, gate=gate):
            gate.wait()
            try:
                return sign_up(Client(raise_request_exception=False), name)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(3) as pool:
            jobs = [pool.submit(rename), pool.submit(take, "Dolores"), pool.submit(take, "dol0res")]
            _, *answers = [job.result() for job in jobs]
        assert [answer.status_code for answer in answers] == [200, 200], round
        assert [player.username for player in Player.objects.all()] == ["lola"]


def test_the_check_after_the_write_refuses_what_the_look_before_let_pass(client, player, monkeypatch):
    rename_player(player=player, name="Lola", at=timezone.now())
    monkeypatch.setattr("cvarenta.accounts.adapter.name_for", lambda name: name)  # as if looked at before

    response = sign_up(client, "Dolores")

    assert response.status_code == 200 and TAKEN in errors(response)
    assert Player.objects.count() == 1


def test_the_index_refuses_what_the_look_before_let_pass(client, player, monkeypatch):
    monkeypatch.setattr("cvarenta.accounts.adapter.name_for", lambda name: name)

    response = sign_up(client, "D0lores")

    assert response.status_code == 200 and TAKEN in errors(response)
    assert Player.objects.count() == 1
