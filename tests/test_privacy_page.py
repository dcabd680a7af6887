"""The privacy page names all that is kept: every model, cookie and key of the browser's memory, and for how long."""

import re
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.utils.html import strip_tags

from campaign.owners import COOKIE_SECONDS
from campaign.pledges import REMEMBERED
from campaign.services import GUESTS_KEPT
from cvarenta import settings as site
from tests.support import client_of
from tournament.review import TRACES_KEPT

ROOT = Path(settings.BASE_DIR)
OURS = ("cvarenta", "campaign", "tournament")

#: What the page calls what each model keeps; None for what is about nobody.
KEPT = {
    "cvarenta.Player": "Tu nombre",
    "cvarenta.PastName": "tus nombres anteriores",
    "account.EmailAddress": "Tu correo, si lo pones",
    "account.EmailConfirmation": "si lo confirmaste",
    "mfa.Authenticator": "Tu segundo paso",
    "usersessions.UserSession": "dirección IP, navegador y desde cuándo",
    "sessions.Session": "una sesión vale dos semanas",
    "auth.Permission": "tus permisos",
    "auth.Group": "grupos",
    "admin.LogEntry": "lo que haces en la administración",
    "contenttypes.ContentType": None,
    "campaign.Run": "Tus vueltas",
    "campaign.Match": "Tus partidas",
    "campaign.Summary": "cifras",
    "campaign.Analysis": "análisis",
    "campaign.Picture": "imágenes",
    "campaign.SpentPledge": "Los sellos de la baraja",
    "tournament.Season": None,
    "tournament.Standing": "tu puesto",
    "tournament.ScoredRun": "Cupos",
    "tournament.Award": "premios",
    "tournament.Final": "la tabla final",
    "tournament.Flag": "señales",
    "tournament.Decision": "Las decisiones sobre tus vueltas",
    "tournament.SecondLook": "La segunda mirada",
    "tournament.Trace": "Rastros",
    "tournament.Tally": None,
    "tournament.Movement": None,
}


def page_of(browser):
    response = browser.get("/privacidad/")
    assert response.status_code == 200
    return response.text


def words(text):
    return " ".join(strip_tags(text.partition("<main")[2].partition("</main>")[0]).split())


def named(text):
    return set(re.findall("<code>(.*?)</code>", text))


def cookies_in_code():
    """The names of cookies that our code sets, and those of Django and what it brings."""
    names = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"}
    for path in (path for app in OURS for path in (ROOT / app).rglob("*.py")):
        for name in re.findall(r"set(?:_signed)?_cookie\(\s*([^,\s]+)", path.read_text()):
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            names.add(name.strip("\"'") if name[0] in "\"'" else getattr(module, name))
    return names


def keys_in_scripts():
    """The keys that our scripts write into the browser's memory: written out, or those of the sound's switches."""
    keys = set()
    for path in (ROOT / "static/js").glob("*.js"):
        text = path.read_text()
        assert not re.search(r"sessionStorage|document\.cookie|indexedDB|localStorage\[", text), path.name
        for key in re.findall(r"(?<!function )\b(?:setItem|keep)\(([^,)]+)", text):
            if key.startswith('"'):
                keys.add(key.strip('"'))
            else:
                switches = re.search(r"const switches = {(.*?)}", text)
                assert key == "key" and switches, (path.name, key)
                keys.update(re.findall(r"(\w+):", switches[1]))
    return keys


def test_every_cookie_that_is_set_is_named_and_no_other(db):
    cookies, keys = cookies_in_code(), keys_in_scripts()
    assert {"invitado", "pistas", "aparato"} <= cookies and {"ritmo", "sonido", "musica", "volumen"} <= keys
    assert named(page_of(Client())) == cookies | keys


def test_every_model_is_told_of(db):
    text = words(page_of(Client()))
    assert {model._meta.label for model in apps.get_models()} == KEPT.keys()
    for label, phrase in KEPT.items():
        assert phrase is None or phrase in text, label


def test_the_times_it_gives_are_those_that_are_kept(db):
    text = words(page_of(Client()))
    assert timedelta(days=30) == TRACES_KEPT == GUESTS_KEPT and text.count("treinta días") >= 2
    assert timedelta(seconds=settings.SESSION_COOKIE_AGE) == timedelta(days=14) and "Dos semanas" in text
    assert COOKIE_SECONDS == 400 * 24 * 3600 and "Cuatrocientos días" in text
    assert timedelta(days=8) == REMEMBERED and "ocho días" in text
    limits = [*site.ACCOUNT_RATE_LIMITS.values(), *site.MFA_RATE_LIMITS.values()]  # which tests turn off
    periods = {limit.split("/")[1] for limits in limits for limit in limits.split(",")}
    assert periods <= {"m", "10m", "h", "d"} and "un día, lo más largo" in text


def test_it_is_read_with_and_without_account_and_leads_to_what_it_offers(player):
    for browser in (Client(), client_of(player)):
        text = page_of(browser)
        assert "/cuenta/datos/" in text and "/cuenta/borrar/" in text
    assert Client().post("/privacidad/").status_code == 405
    assert 'href="/privacidad/"' in Client().get("/guia/").text  # as from every page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [320, 1280])
def test_it_fits_and_stands_an_accessibility_check(page, live_server, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{live_server.url}/privacidad/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [found["id"] for found in Axe().run(page).response["violations"]] == []
