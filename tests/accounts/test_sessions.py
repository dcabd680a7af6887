"""Where one is inside: seen, ended elsewhere, ended everywhere."""

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from cvarenta.accounts.browsers import describe_browser
from tests.support import client_of

from .asking import is_inside, log_in

pytestmark = pytest.mark.django_db
SESSIONS, EVERYWHERE = "/cuenta/sessions/", "/cuenta/salir-en-todas-partes/"
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"
IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1"
)


@pytest.fixture
def phone(dolores):
    browser = Client(headers={"user-agent": PHONE})
    log_in(browser, "dolores")
    return browser


@pytest.fixture
def tablet(dolores):
    browser = Client(headers={"user-agent": IPAD})
    log_in(browser, "dolores")
    return browser


def test_both_are_listed_and_this_one_is_marked(phone, tablet):
    page = tablet.get(SESSIONS).text

    assert "Chrome en Android" in page
    assert page.split("Safari en iPad")[1].split("</li>")[0].count("Este") == 1
    assert page.split("Chrome en Android")[1].split("</li>")[0].count("Este") == 0


def test_a_session_begun_before_there_was_a_list_is_on_it(inside):
    assert "Este" in inside.get(SESSIONS).text


def test_the_others_can_be_ended(phone, tablet):
    assert "Saliste de los demás dispositivos" in tablet.post(SESSIONS, follow=True).text

    assert is_inside(tablet) and not is_inside(phone)


def test_everywhere_is_here_too_and_it_says_so(phone, tablet, dolores):
    unlisted = client_of(dolores)
    response = tablet.post(EVERYWHERE, follow=True)

    assert response.redirect_chain == [("/cuenta/login/", 302)]
    assert "Saliste en todas partes, también aquí" in response.text
    assert not any(map(is_inside, (phone, tablet, unlisted)))


def test_one_may_come_back_at_once_and_leave_again(tablet, dolores):
    for _ in range(2):
        tablet.post(EVERYWHERE)
        assert not is_inside(tablet)
        log_in(tablet, "dolores")
        assert is_inside(tablet)


def test_an_ended_session_is_gone_from_the_books(phone, dolores):
    phone.post(EVERYWHERE)

    assert not Session.objects.filter(session_key=phone.session.session_key).exists()


def test_a_get_ends_nothing(phone):
    assert phone.get(EVERYWHERE).status_code == 405
    assert is_inside(phone)


def test_without_the_token_nothing_ends(strict_client, dolores):
    strict_client.force_login(dolores)

    assert strict_client.post(EVERYWHERE).status_code == 403
    assert strict_client.post(SESSIONS).status_code == 403
    assert is_inside(strict_client)


def test_outside_it_leads_to_the_door(client):
    assert client.post(EVERYWHERE)["Location"].startswith("/cuenta/login/")
    assert client.post(SESSIONS)["Location"].startswith("/cuenta/login/")


def test_others_are_untouched(tablet, rival_player):
    other = client_of(rival_player)
    log_in(other, "cantuña")
    tablet.post(EVERYWHERE)

    assert is_inside(other)
    assert "Safari en iPad" not in other.get(SESSIONS).text


@pytest.mark.parametrize("says, words", [(PHONE, "Chrome en Android"), (IPAD, "Safari en iPad"), ("", "Un navegador"),
                                         ("curl/8", "Un navegador"), ("<script>", "Un navegador")])  # fmt: skip
def test_a_browser_in_words(says, words):
    assert describe_browser(says) == words
