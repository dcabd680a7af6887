"""Tables to sit at: one match under way, begun by a guest who plays through a program."""

import pytest
from django.test import Client

from campaign.models import Match
from tests.support import client_of

from .playing import JSON, Program, Visitor


@pytest.fixture
def guest(db):
    """A program whose person has no account; it must show its CSRF token as a browser must."""
    return Program(Client(enforce_csrf_checks=True))


@pytest.fixture
def member(player):
    """A program whose person has an account and is logged in."""
    return Program(client_of(player))


@pytest.fixture
def table(guest):
    """A match of the house game at the guest's turn, after a bot has played, as JSON; the only match there is."""
    while True:
        table = guest.sit(ruleset="quito", rival="greedy", nonce="quito-1534")
        if table["ply"]:
            return table
        Match.objects.all().delete()


@pytest.fixture
def mesa(guest):
    """A match of the mesa of two, where captures may be left: the widest choice of plays."""
    return guest.sit(ruleset="tradicional-2", rival="greedy")


@pytest.fixture
def visit(live_server):
    """Makes browsers that reach the site over real HTTP; all are closed in the end."""
    visitors = []

    def make():
        visitors.append(Visitor(live_server.url))
        visitors[-1].get("/healthz")  # connected before any crowd: the live server's queue is short
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.close()


@pytest.fixture
def tab_of(visit):
    """Makes browsers in which a player is logged in, each on a connection and with a session of its own."""

    def make(player):
        browser = visit()
        browser.cookies["sessionid"] = client_of(player).cookies["sessionid"].value
        program = Program(browser)
        browser.get("/practica/", headers=JSON)
        return program

    return make
