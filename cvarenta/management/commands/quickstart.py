"""From a fresh copy to a site to play on, with one command that may be repeated."""

import secrets
import socket

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection
from django.db.models import Q

from cvarenta.accounts.names import name_key

ADMIN_NAME = "admin"


class Command(BaseCommand):
    help = "Sets up the site on this machine (database, an admin account) and serves it."

    def add_arguments(self, parser):
        parser.add_argument(
            "addrport", nargs="?", default="127.0.0.1:8000", help="A port, or address:port (%(default)s)."
        )
        parser.add_argument("--no-serve", action="store_true", help="Set up only.")
        parser.add_argument("--force", action="store_true", help="Even with DEBUG off or not on SQLite.")

    def handle(self, *, addrport: str, no_serve: bool, force: bool, **options):
        if not force:
            refuse_other_places()
        host, port = parse_addrport(addrport)
        if not no_serve:
            refuse_taken_port(host, port)

        self.stdout.write("Setting up the database...")
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        password = create_admin()

        site = f"http://{host}:{port}/"
        self.stdout.write(f"\nCvarenta de Qvito is ready.\n  Play here:  {site}\n  Admin:      {site}admin/")
        if password:
            self.stdout.write(f"  Log in as:  {ADMIN_NAME}, password {password} (shown only this once)")
        if no_serve:
            return
        self.stdout.write("Stop it with Ctrl+C; the same command starts it again.\n")
        self.stdout.flush()  # the server writes elsewhere, and only stops when told
        # No reloader: whoever changes the code uses runserver.
        call_command("runserver", f"{host}:{port}", use_reloader=False)


def refuse_other_places() -> None:
    if not settings.DEBUG:
        raise CommandError("quickstart is for your own machine, and DEBUG is off. Use --force if you mean it.")
    if connection.vendor != "sqlite":
        raise CommandError(f"quickstart is for SQLite, not {connection.vendor}. Use --force if you mean it.")


def parse_addrport(addrport: str) -> tuple[str, int]:
    """The host (an IPv6 one in brackets) and the port of "8001" or "0.0.0.0:8001"."""
    host, _, port = addrport.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CommandError(f"{addrport!r} is not a port or an address:port.")
    return host or "127.0.0.1", int(port)


def refuse_taken_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            advice = f"Try another: manage.py quickstart {port + 1}"
            raise CommandError(f"Cannot serve on {host}:{port} ({error.strerror}). {advice}") from error


def create_admin() -> str | None:
    """The password of a new admin account, or None if there was one."""
    players = get_user_model().objects
    if players.filter(Q(is_superuser=True) | Q(name_key=name_key(ADMIN_NAME))).exists():
        return None
    password = secrets.token_urlsafe(12)
    players.create_superuser(ADMIN_NAME, password=password)
    return password
