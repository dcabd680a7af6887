"""The site on a server whose Redis goes, or hangs, and comes back: nobody who plays notices, and who watches is told."""

import random
import time
from statistics import median

import pytest
from django.core.cache import caches
from redis import Redis

from tests.support import PASSWORD
from tests.worker import QUEUE, until

from ..campaign.playing import PAGE, Program, Visitor
from ..campaign.serving import Server, production, url_of_the_database

pytestmark = pytest.mark.django_db(transaction=True)

ANSWER_SECONDS = 20  #: a busy machine needs less; who waits for Redis until it is back, more
WAIT_SECONDS = 0.4  #: less than whoever asks a Redis that hangs waits for it


@pytest.fixture(scope="module")
def site(own_redis, django_db_setup):
    environment = production(url_of_the_database(), REDIS_URL=own_redis.url)
    with Server(environment, "--workers", "2", "--threads", "4", application="tests.tasks.sending") as server:
        yield server


@pytest.fixture(autouse=True)
def no_counts_left():
    """What was counted in the database's table meanwhile is no transaction's either."""
    yield
    caches["database"].clear()


class Person(Visitor):
    """A visitor who notes how long every answer took, and takes no error of the site's."""

    def __init__(self, url):
        super().__init__(url)
        self.seconds = []

    def request(self, method, path, *args, **more):
        self.close()  # the server ends connections that nobody used for two seconds
        began = time.monotonic()
        answer = super().request(method, path, *args, **more)
        self.seconds.append(time.monotonic() - began)
        assert path == "/readyz" or answer.status_code < 500, (path, answer.text[:2000])
        assert self.seconds[-1] < ANSWER_SECONDS, (path, self.seconds[-1])
        return answer

    def send(self, path, **fields):
        self.get(path, headers=PAGE)
        return self.post(path, fields | {"csrfmiddlewaretoken": self.cookies["csrftoken"].value}, headers=PAGE)

    def sign_up(self, name):
        return self.send("/cuenta/signup/", username=name, password1=PASSWORD)

    def log_in(self, name, password=PASSWORD):
        return self.send("/cuenta/login/", login=name, password=password)

    def is_inside(self):
        return self.get("/cuenta/", headers=PAGE).status_code == 200


@pytest.fixture
def person(site):
    people = []

    def make():
        people.append(Person(site.url))
        return people[-1]

    yield make
    for each in people:
        each.close()


@pytest.fixture
def dolores(person):
    """Signed up while there is a Redis."""
    dolores = person()
    assert dolores.sign_up("dolores").status_code == 302
    until(lambda: dolores.get("/readyz").json() == {"failed": []})
    return dolores


def everything_goes(dolores, newcomer):
    """Cover, guide, sign-up, log-in, practice and plays, for who was inside and for who comes."""
    for path in ("/", "/guia/", "/practica/", "/campana/"):
        assert dolores.get(path, headers=PAGE).status_code == newcomer.get(path, headers=PAGE).status_code == 200
    assert dolores.is_inside()
    assert newcomer.sign_up("carmela").status_code == 302
    assert newcomer.is_inside()
    newcomer.send("/cuenta/logout/")
    assert not newcomer.is_inside()
    assert newcomer.log_in("carmela").status_code == 302
    for each in (dolores, newcomer):
        program = Program(each)
        program.play_on(program.sit(ruleset="quito", rival="greedy")["id"], random.Random(4), plays=3)


def comes_back(redis, *people):
    """The site is ready again by itself, tasks are sent again, and nobody has to log in again."""
    until(lambda: people[0].get("/readyz").status_code == 200)
    with Redis.from_url(redis.url) as broker:
        broker.delete(QUEUE)  # what a Redis that hung has heard only now
        until(lambda: people[0].get("/avisa/") and broker.exists(QUEUE))
    assert all(each.is_inside() for each in people)


def test_redis_stops_and_starts_again(own_redis, dolores, person):
    newcomer = person()
    own_redis.stop()
    everything_goes(dolores, newcomer)
    answer = dolores.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"failed": ["redis"]})
    assert dolores.get("/healthz").status_code == 200

    guesser = person()
    said = [guesser.log_in("dolores", "no").text for _ in range(11)]
    assert ["Espera diez minutos" in text for text in said] == [False] * 10 + [True]

    own_redis.come()
    comes_back(own_redis, dolores, newcomer)


def test_redis_hangs_and_goes_on(own_redis, dolores, person):
    newcomer = person()
    own_redis.hang()
    everything_goes(dolores, newcomer)
    answer = dolores.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"failed": ["redis"]})
    before = len(dolores.seconds)
    for _ in range(20):
        dolores.get("/avisa/")
    assert median(dolores.seconds[before:]) < WAIT_SECONDS  # one in a while waits for it, the others do not

    own_redis.go_on()
    comes_back(own_redis, dolores, newcomer)
