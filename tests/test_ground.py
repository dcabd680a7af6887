"""The ground the site stands on: settings, health, headers, errors, set-up, and what the repository holds."""

import fnmatch
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.management import call_command, get_commands
from django.db import OperationalError
from django.test import Client, RequestFactory, override_settings
from django.urls import include, path

from cvarenta import errors, health
from cvarenta.errors import csrf_failure
from cvarenta.urls import handler400, handler403, handler404, handler500  # noqa: F401

ROOT = Path(settings.BASE_DIR)
PROJECT_APPS = ("cvarenta", "campaign", "tournament")
IGNORED = (ROOT / ".gitignore").read_text().split()
TOP_LEVEL = {
    *PROJECT_APPS, "manage.py", "templates", "static", "tests", "requirements.txt", "README.md",
    "pyproject.toml", "LICENSE", "Dockerfile", "compose.yaml",
}  # fmt: skip
PRODUCTION = {
    "DJANGO_SECRET_KEY": "Jx3+q9vN0y2Lw8Zr5Tt7Hk1Mb4Cf6Pd-Sg.Ea,Uo_Wi:Xn;Rz!",
    "DJANGO_ALLOWED_HOSTS": "cvarenta.example",
}


def manage(*args: object, database: Path | None = None, **env: str) -> subprocess.CompletedProcess:
    """manage.py in a process and an environment of its own."""
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    if database:
        clean["DATABASE_URL"] = f"sqlite:///{database}"
    command = [sys.executable, ROOT / "manage.py", *map(str, args)]
    return subprocess.run(command, env=clean | env, cwd=ROOT, capture_output=True, text=True, timeout=120)


def project_files():
    """Every file of the repository that git does not ignore, as far as a name tells."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name != ".git" and not is_ignored(name)]
        yield from (Path(folder, name) for name in names if not is_ignored(name))


def is_ignored(name: str) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in IGNORED)


# Settings


def test_production_refuses_to_start_without_a_secret(tmp_path):
    """A server imports the application; manage.py, by hand on one's own machine, is in DEBUG instead."""
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite:///{tmp_path / 'db'}"}
    server = [sys.executable, "-c", "import cvarenta.wsgi"]
    result = subprocess.run(server, env=env, cwd=ROOT, capture_output=True, text=True)

    assert result.returncode != 0
    assert "ImproperlyConfigured: Set DJANGO_SECRET_KEY" in result.stderr


@pytest.mark.parametrize("secret", ["", "django-insecure-for-development-on-your-own-machine-only"])
def test_production_refuses_a_known_secret(tmp_path, secret):
    result = manage("check", database=tmp_path / "db", DJANGO_SECRET_KEY=secret, DJANGO_DEBUG="0")

    assert "ImproperlyConfigured: Set DJANGO_SECRET_KEY" in result.stderr


def test_a_flag_that_is_no_flag_is_refused(tmp_path):
    result = manage("check", database=tmp_path / "db", DJANGO_DEBUG="perhaps")

    assert "DJANGO_DEBUG must be 1 or 0, not 'perhaps'" in result.stderr


def test_production_passes_djangos_deployment_checks(tmp_path):
    result = manage("check", "--deploy", "--fail-level", "WARNING", database=tmp_path / "db", **PRODUCTION)

    assert result.returncode == 0, result.stderr


def test_static_files_can_be_collected_for_production(tmp_path):
    env = PRODUCTION | {"DJANGO_STATIC_ROOT": str(tmp_path)}
    result = manage("collectstatic", "--no-input", database=tmp_path / "db", **env)

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "staticfiles.json").is_file()


def test_any_sqlite_database_waits_for_its_turn_to_write(tmp_path):
    code = "from django.db import connection as c; c.ensure_connection(); print(c.transaction_mode)"
    result = manage("shell", "--no-imports", "-c", code, database=tmp_path / "db", DJANGO_DEBUG="1")

    assert result.stdout.strip() == "IMMEDIATE", result.stderr


@pytest.mark.django_db
def test_models_have_no_change_without_a_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


# Health


def test_healthz_answers_without_a_database(client):
    response = client.get("/healthz")

    assert (response.status_code, response.content, response["Content-Length"]) == (200, b"ok", "2")


@pytest.mark.django_db
def test_readyz_answers_when_requests_can_be_served(client):
    response = client.get("/readyz")

    assert (response.status_code, response.json()) == (200, {"failed": []})


@pytest.mark.django_db
def test_readyz_names_what_failed(client, monkeypatch):
    def check_migrations():
        raise RuntimeError("There are migrations to run.")

    monkeypatch.setitem(health.CHECKS, "migrations", check_migrations)
    response = client.get("/readyz")

    assert (response.status_code, response.json()) == (503, {"failed": ["migrations"]})


def test_a_new_database_is_not_ready(tmp_path):
    code = "from django.test import Client; r = Client().get('/readyz'); print(r.status_code, r.json())"
    result = manage("shell", "--no-imports", "-c", code, database=tmp_path / "db", DJANGO_DEBUG="1",
                    DJANGO_ALLOWED_HOSTS="testserver")  # fmt: skip

    assert result.stdout.strip() == "503 {'failed': ['migrations', 'cache']}", result.stderr


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_health_is_only_read(client, address):
    assert client.post(address).status_code == 405


@override_settings(SECURE_SSL_REDIRECT=True)
def test_health_is_asked_without_https_by_the_machine_itself(client):
    assert client.get("/healthz").status_code == 200
    assert client.get("/nada/").status_code == 301


@override_settings(ALLOWED_HOSTS=["cvarenta.example"])
def test_health_is_asked_by_any_name_and_nothing_else_is():
    """So that a mail's link never leads to the reader's own machine."""
    browser = Client(headers={"host": "localhost:6666"})
    assert browser.get("/healthz").status_code == 200
    assert browser.get("/cuenta/password/reset/").status_code == 400


def test_production_knows_no_host_but_its_own(tmp_path):
    code = "from django.conf import settings; print(settings.ALLOWED_HOSTS)"
    result = manage("shell", "--no-imports", "-c", code, database=tmp_path / "db", **PRODUCTION)
    assert result.stdout.strip() == "['cvarenta.example']", result.stderr


# Headers


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/healthz", "/no-existe/", "/admin/login/"])
def test_every_answer_carries_a_strict_content_security_policy(client, address):
    policy = client.get(address).headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


# Errors

ACCEPTS_A_PAGE = [
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",  # browsers
    "*/*",
    "application/json;q=0.5, text/html",
    "image/png",
    "x;;=,",
    "text/html; a*=nonsense''%ff",
    None,
]
ERRORS = [
    ("/mal/", 400, "No entendimos el pedido", "prueba otra vez"),
    ("/prohibido/", 403, "Esta puerta está cerrada", "inicia sesión"),
    ("/no-existe/", 404, "Por aquí no hay mesa", "vuelve a la portada"),
    ("/roto/", 500, "Se nos cayeron las cartas", "vuelve a cargar la página"),
    ("/sin-base/", 503, "Las cartas ya vuelven", "vuelve a cargar la página"),
]


def failing_view(error):
    def view(request):
        raise error

    return view


urlpatterns = [
    path("mal/", failing_view(BadRequest("inner words"))),
    path("prohibido/", failing_view(PermissionDenied("inner words"))),
    path("roto/", failing_view(RuntimeError("inner words"))),
    path("sin-base/", failing_view(OperationalError("inner words"))),
    path("", include("cvarenta.urls")),
]


@pytest.fixture
def visitor():
    """A client that gets the page of an error, not the exception, and must show its CSRF token."""
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.mark.urls(__name__)
@pytest.mark.django_db
@pytest.mark.parametrize("accept", ACCEPTS_A_PAGE)
@pytest.mark.parametrize("address, status, title, advice", ERRORS)
def test_an_error_is_a_page_in_spanish_that_says_what_to_do(visitor, address, status, title, advice, accept):
    response = visitor.get(address, headers={"accept": accept} if accept else {})

    assert response.status_code == status
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert title in response.text
    assert advice in response.text
    assert "inner words" not in response.text


@pytest.mark.urls(__name__)
@pytest.mark.django_db
@pytest.mark.parametrize("address, status, title, advice", ERRORS)
def test_a_program_gets_an_error_as_json(visitor, address, status, title, advice):
    response = visitor.get(address, headers={"accept": "application/json"})

    assert response.status_code == status
    assert list(response.json()) == ["error"]
    assert advice in response.json()["error"]
    assert "Accept" in response.headers["Vary"]


@pytest.mark.django_db
def test_a_page_left_open_too_long_leads_back_to_itself(visitor):
    response = visitor.post("/admin/login/?next=/admin/&a=1")

    assert response.status_code == 403
    assert "La página se quedó abierta mucho tiempo" in response.text
    assert 'href="/admin/login/?next=/admin/&amp;a=1"' in response.text


@pytest.mark.django_db
def test_a_way_back_never_leads_to_another_site(visitor):
    response = csrf_failure(RequestFactory().post("/", PATH_INFO="//otro.example/"))

    assert 'href="/%2Fotro.example/"' in response.text


@pytest.mark.django_db
def test_an_unknown_host_is_refused_with_a_page(visitor):
    response = visitor.get("/admin/login/", headers={"host": "otro.example"})

    assert response.status_code == 400
    assert "No entendimos el pedido" in response.text
    assert "Content-Security-Policy" in response.headers


@pytest.mark.urls(__name__)
def test_a_broken_site_still_says_it_is_sorry(visitor, monkeypatch):
    """Without a database (this test has none) and without templates."""
    monkeypatch.setattr(errors, "render_to_string", failing_view(OSError("no templates")))
    response = visitor.get("/roto/")

    assert response.status_code == 500
    assert "El error es nuestro" in response.text


# Quickstart


def quickstart(*args: str, database: Path, **env: str) -> subprocess.CompletedProcess:
    return manage("quickstart", *args, database=database, **env)


def test_quickstart_sets_up_once_and_may_be_repeated(tmp_path):
    first = quickstart("--no-serve", database=tmp_path / "db")
    again = quickstart("--no-serve", database=tmp_path / "db")

    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    assert "http://127.0.0.1:8000/" in first.stdout
    assert re.search(r"Log in as:  admin, password \S{16} ", first.stdout)
    assert "http://127.0.0.1:8000/" in again.stdout
    assert "password" not in again.stdout


def test_the_password_quickstart_shows_opens_the_admin(tmp_path):
    shown = quickstart("--no-serve", database=tmp_path / "db").stdout
    password = re.search(r"password (\S+)", shown)[1]
    code = f"from django.test import Client; print(Client().login(username='admin', password={password!r}))"
    result = manage("shell", "--no-imports", "-c", code, database=tmp_path / "db", DJANGO_DEBUG="1")

    assert result.stdout.strip() == "True", result.stderr


def test_quickstart_is_not_for_production(tmp_path):
    result = quickstart("--no-serve", database=tmp_path / "db", DJANGO_DEBUG="0", **PRODUCTION)

    assert result.returncode == 1
    assert "DEBUG is off" in result.stderr
    assert not (tmp_path / "db").exists()


def test_quickstart_is_not_for_a_shared_database():
    result = manage("quickstart", "--no-serve", DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")

    assert result.returncode == 1
    assert "quickstart is for SQLite, not postgresql" in result.stderr


def test_quickstart_says_in_one_line_that_a_port_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = quickstart(str(port), database=tmp_path / "db")

    assert result.returncode == 1
    assert result.stderr.startswith(f"CommandError: Cannot serve on 127.0.0.1:{port} ")
    assert result.stderr.count("\n") == 1


def test_quickstart_refuses_an_address_it_cannot_read(tmp_path):
    assert "is not a port" in quickstart("aquí", database=tmp_path / "db").stderr


# The repository


def test_readme_names_every_command():
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = [name for name, app in get_commands().items() if app in PROJECT_APPS]

    assert "quickstart" in commands
    assert [name for name in commands if f"manage.py {name}" not in readme] == []


def test_the_top_level_holds_only_what_it_should():
    names = {path.name for path in ROOT.iterdir() if not is_ignored(path.name)}

    assert {name for name in names - TOP_LEVEL if not name.startswith(".")} == set()


def test_no_file_names_a_registry_or_a_machine():
    # Brackets keep this line from finding itself.
    host = r"https?://[a-z0-9.-]*(p[y]pi|p[y]thonhosted|n[p]mjs|d[e]b\.debian)"
    place = r"/w[o]rk/(main|shared|steering|\.library)|/t[m]p/bash_jobs|/f[a]rm/"
    unwanted = re.compile(f"{host}|{place}".encode())
    found = [str(file.relative_to(ROOT)) for file in project_files() if unwanted.search(file.read_bytes())]

    assert found == []
