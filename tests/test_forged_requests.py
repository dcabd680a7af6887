"""Requests that no browser sends: each gets one of our answers, and none an error."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from tests.support import client_of

pytestmark = pytest.mark.django_db
PAGE, JSON = {"accept": "text/html"}, {"accept": "application/json"}


@pytest.mark.parametrize("key", ["\x00" + "a" * 32, "a" * 20 + "\x00", "é" * 32, "../" * 12, "x" * 5000])
def test_a_session_key_that_can_be_none_is_nobodys(key):
    browser = Client()
    browser.cookies["sessionid"] = key
    for path in ("/", "/campana/", "/practica/", "/cuenta/login/"):
        assert browser.get(path).status_code == 200


def test_a_charset_that_is_none_of_text_is_not_looked_up():
    """Asked of the application itself: it happens before any middleware."""
    code = """
import io, django.test
from cvarenta.wsgi import application
for charset in ("rot13", "base64", "undefined", "idna", "punycode"):
    said = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/healthz", "QUERY_STRING": "a=%ff", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
               "CONTENT_TYPE": f"text/html; charset={charset}", "wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http"}
    application(environ, lambda status, headers: said.append(status))
    print(charset, said[0])
"""
    env = os.environ | {"DJANGO_DEBUG": "1", "DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "cvarenta.settings"}
    result = subprocess.run([sys.executable, "-c", code], env=env, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60)
    assert [line.split()[1] for line in result.stdout.split("\n") if line] == ["200"] * 5, result.stderr


@pytest.mark.parametrize("path", ["/guia/", "/cuenta/salir-en-todas-partes/", "/jugadores/dolores/"])
def test_a_wrong_method_is_answered_in_our_words(player, path):
    browser, method = client_of(player), "get" if "salir" in path else "post"
    page = getattr(browser, method)(path, headers=PAGE)
    assert page.status_code == 405 and "Por aquí no se entra así" in page.text and page["Allow"]
    assert getattr(browser, method)(path, headers=JSON).json()["error"]


@override_settings(DEBUG=True)
@pytest.mark.parametrize("path", ["/no-hay/", "/jugadores/nadie-asi/", "/mesa/222222222222/"])
def test_on_ones_own_machine_a_missing_page_is_ours_too(path):
    answer = Client().get(path, headers=PAGE)
    assert answer.status_code == 404 and "Por aquí no hay mesa" in answer.text


def test_who_is_not_logged_in_is_shown_the_way_in_to_what_may_be_theirs(player):
    for path in ("/mesa/222222222222/", "/partida/222222222222/", "/campana/222222222222/"):
        text = Client().get(path, headers=PAGE).text
        assert f"/cuenta/login/?next={path.replace('/', '%2F')}" in text
        assert "/cuenta/login/?next" not in client_of(player).get(path, headers=PAGE).text
    assert "/cuenta/login/?next" not in Client().get("/no-hay/", headers=PAGE).text


def test_a_file_is_not_kept_anywhere(tmp_path):
    assert settings.FILE_UPLOAD_MAX_MEMORY_SIZE <= 64 * 1024
    assert all("Temporary" not in handler for handler in settings.FILE_UPLOAD_HANDLERS)
    big = SimpleUploadedFile("big.bin", b"x" * 300_000)
    assert Client().post("/practica/", {"ruleset": "quito", "big": big}).status_code in (302, 400)
