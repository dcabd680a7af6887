"""The site in processes of its own, as it runs on a server: gunicorn, production settings, static files collected."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from django.db import connection

from tests.services import end_with_parent

ROOT = Path(__file__).parents[2]
SECRET = "for-the-tests-and-nothing-else-" * 2
START_SECONDS = 60


def url_of_the_database():
    """The address of the database this process uses, the test's own."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    host, name = quote(database["HOST"], safe=""), database["NAME"]
    user = quote(database["USER"]) + (f":{quote(database['PASSWORD'])}" if database["PASSWORD"] else "")
    return f"postgresql://{user}@{host}{':' + str(database['PORT']) if database['PORT'] else ''}/{name}"


def production(database_url, static_root=None, **more):
    """The environment of a site without DEBUG, on plain http."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    static = {"DJANGO_STATIC_ROOT": str(static_root)} if static_root else {}
    return kept | static | {
        "DATABASE_URL": database_url, "DJANGO_DEBUG": "0", "DJANGO_SECURE": "0", "DJANGO_SECRET_KEY": SECRET,
        "DJANGO_ALLOWED_HOSTS": "127.0.0.1", "DJANGO_LOG_LEVEL": "ERROR", "PYTHONUNBUFFERED": "1",
    } | more  # fmt: skip


def manage(environment, *command):
    subprocess.run([sys.executable, ROOT / "manage.py", *command], env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


class Process:
    """Something that runs beside the tests, with its children; `with` it, or start, kill and stop it. `command` and
    `environment` are what it is started with; `wait` returns once it is ready."""

    process = None

    def launch(self, output=None, **more):
        self.process = subprocess.Popen(
            self.command, env=self.environment | more, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT if output else None, start_new_session=True, preexec_fn=end_with_parent,
        )  # fmt: skip

    def wait_until(self, is_ready, said=lambda: ""):
        deadline = time.monotonic() + START_SECONDS
        while not is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"it did not start:\n{said()}")
            time.sleep(0.05)

    def kill(self):
        """kill -9, children included: nothing is said goodbye to."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class Server(Process):
    """gunicorn on a port of its own."""

    def __init__(self, environment, *options, application="cvarenta.wsgi"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url, self.environment = f"http://127.0.0.1:{self.port}", environment
        self.command = [sys.executable, "-m", "gunicorn", application, "-b", f"127.0.0.1:{self.port}", "--log-level", "error",
                        *(options or ("--workers", "2"))]  # fmt: skip

    def start(self, **more):
        self.launch(**more)
        self.wait_until(self._answers)
        return self

    def _answers(self):
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False
