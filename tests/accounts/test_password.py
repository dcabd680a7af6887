"""Changing the password keeps this browser inside and puts every other one out."""

import pytest

from tests.support import PASSWORD, client_of

from .asking import NEW_PASSWORD, errors, is_inside, log_in, without_password

pytestmark = pytest.mark.django_db
CHANGE = "/cuenta/password/change/"


def change(browser, old=PASSWORD, new=NEW_PASSWORD):
    return browser.post(CHANGE, {"oldpassword": old, "password1": new})


def test_the_new_password_opens_and_the_old_one_does_not(inside, client, dolores):
    assert change(inside).status_code == 302

    assert log_in(client, "dolores").status_code == 200
    assert log_in(client, "dolores", NEW_PASSWORD).status_code == 302


def test_this_browser_stays_and_the_other_is_out(inside, elsewhere):
    change(inside)

    assert is_inside(inside)
    assert not is_inside(elsewhere)
    assert elsewhere.get("/cuenta/email/").status_code == 302


def test_the_confirmed_address_is_told(inside, mailoutbox):
    change(inside)

    assert mailoutbox[0].to == ["dolores@quito.ec"]
    assert "contraseña de tu cuenta cambió" in mailoutbox[0].body


def test_without_the_old_one_nothing_changes(inside, elsewhere, dolores):
    assert "Esa no es tu contraseña actual" in errors(change(inside, old="no"))
    dolores.refresh_from_db()
    assert dolores.check_password(PASSWORD) and is_inside(elsewhere)


def test_a_weak_one_is_refused(inside):
    assert "muy corta" in errors(change(inside, new="x"))


def test_looking_changes_nothing(inside, dolores):
    assert inside.get(CHANGE, {"oldpassword": PASSWORD, "password1": NEW_PASSWORD}).status_code == 200
    dolores.refresh_from_db()
    assert dolores.check_password(PASSWORD)


def test_outside_it_leads_to_the_door(client):
    assert change(client)["Location"] == f"/cuenta/login/?next={CHANGE}"


def test_others_are_untouched(inside, rival_player):
    other = client_of(rival_player)
    change(inside)
    rival_player.refresh_from_db()

    assert is_inside(other) and rival_player.check_password(PASSWORD)


def test_who_has_no_password_sets_one_after_a_code(dolores, client, mailoutbox):
    browser = without_password(dolores)
    assert browser.get(CHANGE)["Location"] == "/cuenta/password/set/"

    assert browser.post("/cuenta/password/set/", {"password1": NEW_PASSWORD}).status_code == 302
    dolores.refresh_from_db()
    assert dolores.check_password(NEW_PASSWORD) and is_inside(browser)
    assert [message.subject for message in mailoutbox] == ["Tu cuenta tiene contraseña"]


def test_without_the_code_nobody_sets_one(player):
    player.set_unusable_password()
    player.save()

    assert client_of(player).post("/cuenta/password/set/", {"password1": NEW_PASSWORD}).status_code == 403
    player.refresh_from_db()
    assert not player.has_usable_password()


def test_the_form_is_right_for_password_managers(inside):
    fields = inside.get(CHANGE).context["form"].fields

    assert list(fields) == ["oldpassword", "password1"]
    assert fields["oldpassword"].widget.attrs["autocomplete"] == "current-password"
    assert fields["password1"].widget.attrs["autocomplete"] == "new-password"
