"""Who plays in these tests: a program that speaks JSON and a reader of pages, over Django's test client or real HTTP."""

import http.client
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from threading import Barrier
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

JSON = {"accept": "application/json"}
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FRAGMENT = {"accept": "text/html", "x-fragment": "table"}


def at_once(*calls):
    """The answers of calls that set off together."""
    gate = Barrier(len(calls))

    def go(call):
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(go, calls))


# Over real HTTP


class Answer(NamedTuple):
    """What came back, read as Django's responses are."""

    status_code: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def text(self):
        return self.content.decode()

    def json(self):
        return json.loads(self.content)

    def __getitem__(self, name):
        return self.headers[name]


class Visitor:
    """A browser on a connection that stays open; it keeps cookies and follows nothing by itself. Asked as Django's Client is."""

    def __init__(self, url, timeout=60):
        self.address, self.timeout, self.cookies = urlsplit(url).netloc, timeout, SimpleCookie()
        self.connection = None

    def request(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address, timeout=self.timeout)
        try:
            self.connection.request(method, path, body, headers)
            if hasattr(socket, "TCP_QUICKACK"):  # else Nagle's algorithm at the live server waits 40 ms for our ACK
                self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        except BaseException:
            self.close()
            raise
        for cookie in answer.headers.get_all("Set-Cookie", ()):
            self.cookies.load(cookie)
        return answer

    def get(self, path, headers=None):
        return self.request("GET", path, headers=headers)

    def post(self, path, data=None, content_type="application/x-www-form-urlencoded", headers=None):
        if not isinstance(data, bytes | str):
            data = json.dumps(data) if content_type == "application/json" else urlencode(data or {})
        return self.request("POST", path, data, {"Content-Type": content_type, **(headers or {})})

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


# A program


class Program:
    """Plays by JSON; `browser` is a Visitor or Django's Client."""

    def __init__(self, browser):
        self.browser = browser

    def post(self, path, fields, **more):
        if "csrftoken" not in self.browser.cookies:
            self.browser.get("/practica/", headers=JSON)
        headers = JSON | {"x-csrftoken": self.browser.cookies["csrftoken"].value} | more
        return self.browser.post(path, fields, content_type="application/json", headers=headers)

    def start(self, **fields):
        """Start a match; returns its id."""
        response = self.post("/practica/", fields)
        assert response.status_code == 201, response.text
        return response.json()["id"]

    def sit(self, **fields):
        """Start a match in which the person has a turn (a doble ronda may win at once); returns its table."""
        table = self.look(self.start(**fields))
        while table["over"]:
            table = self.look(self.start(**fields))
        return table

    def go_on(self, kind="free", status=None):
        """Start a run of the story or its next match; returns the answer."""
        response = self.post("/campana/", {"kind": kind})
        assert response.status_code in ((200, 201) if status is None else (status,)), response.text
        return response.json()

    def look(self, match_id, since=None):
        query = "" if since is None else f"?since={since}"
        response = self.browser.get(f"/mesa/{match_id}/{query}", headers=JSON)
        assert response.status_code == 200, response.text
        return response.json()

    def play(self, match_id, play, ply):
        return self.post(f"/mesa/{match_id}/", {"play": play, "ply": ply})

    def record(self, match_id):
        response = self.browser.get(f"/partida/{match_id}/", headers=JSON)
        assert response.status_code == 200, response.text
        return response.text

    def play_on(self, match_id, rng, plays=None):
        """Random legal plays until the match is over (or so many); returns the table and every event told so far."""
        table = self.look(match_id)
        events = table["events"]
        while not table["over"] and plays != 0:
            assert table["to_play"] == 0 and table["legal"]
            response = self.play(match_id, rng.choice(table["legal"]), table["ply"])
            assert response.status_code == 200, response.text
            answer = response.json()
            assert answer["ply"] > table["ply"]
            table, plays = answer, None if plays is None else plays - 1
            events += table["events"]
        return table, events


# A reader of pages


class Form(NamedTuple):
    """A form as a browser without script has it: hidden fields, radios by name, buttons as (name, value)."""

    action: str
    method: str
    fields: list
    radios: dict
    buttons: list


class Page(HTMLParser):
    """A page's forms, links, table (ply, whether it is over) and log lines."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links, self.table, self.log, self._lines = [], [], None, [], False
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        given = dict(pairs)
        form = self.forms[-1] if self.forms else None
        if tag == "form":
            self.forms.append(Form(given["action"], given["method"], [], {}, []))
        elif tag == "input" and form:
            if given["type"] == "radio":
                form.radios.setdefault(given["name"], []).append(given["value"])
            elif given["type"] == "hidden":
                form.fields.append((given["name"], given["value"]))
        elif tag == "button" and form and given.get("type") == "submit" and "disabled" not in given:
            form.buttons.append((given.get("name"), given.get("value")))
        elif tag == "a":
            self.links.append(given["href"])
        elif tag == "div" and given.get("id") == "table":
            self.table = given
        elif tag == "ol":
            self._lines = given.get("id") == "log"
        elif tag == "li" and self._lines:
            self.log.append(given)

    def handle_endtag(self, tag):
        if tag == "ol":
            self._lines = False

    def form_to(self, path):
        return next(form for form in self.forms if form.action == path)


class Reader:
    """Plays by the pages' forms, without script; `browser` is a Visitor or Django's Client."""

    def __init__(self, browser):
        self.browser = browser

    def open(self, path):
        """The address where the link or form led in the end, and the page there."""
        response = self.browser.get(path, headers=PAGE)
        if response.status_code == 302:
            return self.open(response["Location"])
        assert response.status_code == 200, response.status_code
        return path, Page(response.text)

    def submit(self, form, fields):
        """Send a form with what was chosen in it; returns as `open` does."""
        assert form.method == "post"
        response = self.browser.post(form.action, urlencode(form.fields + fields), headers=PAGE,
                                     content_type="application/x-www-form-urlencoded")  # fmt: skip
        assert response.status_code == 302, (response.status_code, fields)
        return self.open(response["Location"])

    def start(self, ruleset, rival):
        """Choose a table and a rival at the practice page; returns the address and page of the table."""
        _, page = self.open("/practica/")
        form = next(form for form in page.forms if form.radios)
        assert ruleset in form.radios["ruleset"] and rival in form.radios["rival"]
        return self.submit(form, [("ruleset", ruleset), ("rival", rival)])

    def play_on(self, path, page, rng):
        """Random buttons of the table until the match is over; returns the last address and page, and every table seen."""
        seen = [page] if page.table is not None else []
        while page.table is not None:
            form = page.form_to(path)
            button = rng.choice(form.buttons)
            fields = [("card", button[1][:2])] if rng.random() < 0.5 else []
            path, page = self.submit(form, [*fields, button])
            if page.table is not None:
                seen.append(page)
        return path, page, seen
