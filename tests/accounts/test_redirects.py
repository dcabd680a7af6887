"""Where one is led after logging in, signing up or leaving: within the site only; mails link to it only."""

import pytest

from .asking import INSIDE, LOG_IN, LOG_OUT, RESET, SIGN_UP, log_in, sign_up

pytestmark = pytest.mark.django_db
FOREIGN = ["//evil.tld", "/\\evil.tld", "https:evil.tld", "https://evil.tld/", "%2F%2Fevil.tld", "javascript:alert(1)",
           "\\\\evil.tld", "///evil.tld", "http:///evil.tld", "/\t/evil.tld", " //evil.tld", "data:text/html,x"]  # fmt: skip


@pytest.mark.parametrize("target", FOREIGN)
def test_another_site_is_ignored_after_logging_in(client, dolores, target):
    assert log_in(client, "dolores", next=target)["Location"] == INSIDE
    assert client.get(LOG_IN, {"next": target})["Location"] == INSIDE


@pytest.mark.parametrize("target", FOREIGN)
def test_another_site_is_ignored_after_signing_up(client, target):
    assert sign_up(client, "dolores", next=target)["Location"] == INSIDE


@pytest.mark.parametrize("target", FOREIGN)
def test_another_site_is_ignored_after_leaving(inside, target):
    assert inside.post(LOG_OUT, {"next": target})["Location"] == "/"


@pytest.mark.parametrize("path", [LOG_IN, SIGN_UP])
def test_a_place_of_the_site_is_where_one_goes(client, dolores, path):
    assert 'value="/practica/"' in client.get(path, {"next": "/practica/"}).text
    assert log_in(client, "dolores", next="/practica/")["Location"] == "/practica/"


@pytest.mark.parametrize("path", [LOG_IN, SIGN_UP, RESET])
@pytest.mark.parametrize("headers", [{"host": "evil.tld"}, {"host": "testserver.evil.tld"}])
def test_another_host_is_refused(client, dolores, mailoutbox, path, headers):
    assert client.get(path, headers=headers).status_code == 400
    assert client.post(path, {"email": "dolores@quito.ec"}, headers=headers).status_code == 400
    assert mailoutbox == []


def test_a_forwarded_host_changes_no_link(client, dolores, mailoutbox):
    client.post(RESET, {"email": "dolores@quito.ec"}, headers={"x-forwarded-host": "evil.tld"})

    assert "evil.tld" not in mailoutbox[0].body and "http://testserver/" in mailoutbox[0].body
