"""A forgotten password is made new by mail, even if a scanner opens the link first or strangers guess meanwhile."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from cvarenta.accounts.forms import ResetForm
from tests.support import PASSWORD, client_of, make_player

from .asking import NEW_PASSWORD, RESET, errors, give_email, is_inside, link_of, log_in

pytestmark = pytest.mark.django_db


def ask(browser, email="dolores@quito.ec"):
    response = browser.post(RESET, {"email": email})
    assert response["Location"] == "/cuenta/password/reset/done/"
    return response


def follow(browser, message):
    """Open the link of a mail; the path of its form."""
    response = browser.get(link_of(message, "/key/"), follow=True)
    assert response.status_code == 200
    return response.redirect_chain[-1][0]


def set_password(browser, path, password=NEW_PASSWORD, **fields):
    return browser.post(path, {"password1": password, **fields})


def test_the_link_of_the_mail_makes_a_new_password_and_lets_in(client, dolores, mailoutbox):
    ask(client)
    assert "Mira tu correo" in client.get("/cuenta/password/reset/done/").text
    assert mailoutbox[0].to == ["dolores@quito.ec"] and "dolores" in mailoutbox[0].body

    assert set_password(client, follow(client, mailoutbox[0])).status_code == 302
    dolores.refresh_from_db()
    assert dolores.check_password(NEW_PASSWORD)
    assert is_inside(client)


def test_a_scanner_that_opens_the_link_first_spends_nothing(client, dolores, mailoutbox):
    ask(client)
    scanner, link = Client(), link_of(mailoutbox[0], "/key/")
    for _ in range(2):
        scanner.head(link, follow=True)
        scanner.get(link, follow=True)

    assert set_password(client, follow(client, mailoutbox[0])).status_code == 302
    assert is_inside(client)


def test_a_used_link_says_so_and_offers_another(client, dolores, mailoutbox):
    ask(client)
    set_password(client, follow(client, mailoutbox[0]))
    again = Client().get(link_of(mailoutbox[0], "/key/"), follow=True)

    assert "Este enlace ya no sirve" in again.text and f'href="{RESET}"' in again.text


def test_the_key_is_not_in_the_address_of_the_form(client, dolores, mailoutbox):
    ask(client)

    assert follow(client, mailoutbox[0]).endswith("-set-password/")


@pytest.mark.parametrize("link", ["1-abc", "zz-abc", "1-set-password", "0-0", "zzzzzzzzzzzzzzzzzzzz-a"])
def test_an_invented_link_opens_nothing(client, dolores, link):
    assert "Este enlace ya no sirve" in client.get(f"/cuenta/password/reset/key/{link}/").text
    assert client.post(f"/cuenta/password/reset/key/{link}/", {"password1": NEW_PASSWORD}).status_code == 200
    dolores.refresh_from_db()
    assert dolores.check_password(PASSWORD)


def test_a_link_for_one_account_changes_no_other(client, dolores, stranger, mailoutbox):
    ask(client)
    key = link_of(mailoutbox[0], "/key/").split("-", 1)[1]
    forged = f"/cuenta/password/reset/key/{_base36(stranger.pk)}-{key}"

    assert "Este enlace ya no sirve" in client.get(forged, follow=True).text


def _base36(number):
    from django.utils.http import int_to_base36

    return int_to_base36(number)


def test_whoever_else_is_inside_is_out_then(client, dolores, elsewhere, mailoutbox):
    ask(client)
    set_password(client, follow(client, mailoutbox[0]))

    assert not is_inside(elsewhere)


def test_in_anothers_browser_the_link_leaves_their_account(dolores, stranger, mailoutbox):
    browser = client_of(stranger)
    ask(Client())
    set_password(browser, follow(browser, mailoutbox[0]))
    stranger.refresh_from_db()

    assert stranger.check_password(PASSWORD)
    assert browser.get("/cuenta/").context["user"] == dolores


def test_a_weak_new_password_is_refused(client, dolores, mailoutbox):
    ask(client)

    assert "muy corta" in errors(set_password(client, follow(client, mailoutbox[0]), "x"))


def test_a_change_of_password_spends_the_link(client, dolores, mailoutbox):
    ask(client)
    dolores.set_password("otra-cosa-mariposa")
    dolores.save()

    assert "Este enlace ya no sirve" in client.get(link_of(mailoutbox[0], "/key/"), follow=True).text


def test_who_is_locked_out_by_anothers_guesses_comes_in_by_mail(client, dolores, limited, mailoutbox):
    guesser = Client()
    for _ in range(12):
        log_in(guesser, "Dolores", "adivino")
    assert "Van muchos intentos" in errors(log_in(client, "dolores"))

    ask(client)
    set_password(client, follow(client, mailoutbox[0]))
    assert is_inside(client)
    client.post("/cuenta/logout/")
    assert log_in(client, "dolores", NEW_PASSWORD).status_code == 302  # and the guesses no longer count


# Addresses that nobody confirmed


def test_only_whose_address_it_is_gets_the_link(client, dolores, stranger, mailoutbox):
    give_email(stranger, "dolores@quito.ec", confirmed=False)
    ask(client)

    assert len(mailoutbox) == 1
    set_password(client, follow(client, mailoutbox[0]))
    stranger.refresh_from_db()
    assert stranger.check_password(PASSWORD)


def test_at_an_unconfirmed_address_the_name_is_asked_and_not_told(client, player, mailoutbox):
    give_email(player, "equivocado@quito.ec", confirmed=False)
    ask(client, "equivocado@quito.ec")
    assert "dolores" not in mailoutbox[0].body and "nombre de tu cuenta" in mailoutbox[0].body

    path = follow(client, mailoutbox[0])
    assert "dolores" not in client.get(path).text
    assert "Falta esto" in errors(set_password(client, path))
    assert "no es el nombre" in errors(set_password(client, path, username="ladron"))
    player.refresh_from_db()
    assert player.check_password(PASSWORD)

    assert set_password(client, path, username="Dólores").status_code == 302
    assert is_inside(client)


def test_at_an_unconfirmed_address_the_name_cannot_be_guessed_for_long(client, player, limited, mailoutbox):
    give_email(player, "equivocado@quito.ec", confirmed=False)
    ask(client, "equivocado@quito.ec")
    path = follow(client, mailoutbox[0])
    for n in range(5):
        set_password(client, path, username=f"ladron-{n}")

    assert "Van muchos intentos" in errors(set_password(client, path, username="dolores"))
    player.refresh_from_db()
    assert player.check_password(PASSWORD)


def test_an_address_one_is_only_changing_to_opens_nothing(client, dolores, mailoutbox):
    EmailAddress.objects.create(user=dolores, email="nuevo@quito.ec")
    ask(client, "nuevo@quito.ec")

    assert "no hay ninguna cuenta" in mailoutbox[-1].body
    assert "/key/" not in mailoutbox[-1].body


def test_an_unconfirmed_address_that_several_accounts_carry_opens_none(client, player, stranger, mailoutbox):
    for account in (player, stranger):
        give_email(account, "dos@quito.ec", confirmed=False)
    ask(client, "Dos@quito.ec")

    assert ["/key/" in message.body for message in mailoutbox] == [False]
    assert "no hay ninguna cuenta" in mailoutbox[0].body


def test_a_closed_account_gets_no_link(client, dolores, mailoutbox):
    dolores.is_active = False
    dolores.save()
    ask(client)

    assert "/key/" not in mailoutbox[0].body


def test_whose_address_it_is_costs_the_same_few_queries_however_many_carry_it(dolores, django_assert_max_num_queries):
    EmailAddress.objects.bulk_create(
        EmailAddress(user=make_player(f"lola-{n}x"), email="dolores@quito.ec") for n in range(5)
    )
    for email in ("dolores@quito.ec", "nadie@quito.ec"):
        with django_assert_max_num_queries(3):
            ResetForm({"email": email}).is_valid()
