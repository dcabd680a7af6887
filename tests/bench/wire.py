"""Bytes on the wire: a first visit of the table with all it links to, and each play of a match, as JSON and as the page's fragment.

Run: python -m tests.bench.wire
The site runs as on a server (gunicorn, static files collected, compressed by WhiteNoise, DEBUG off). What is followed: the page's
styles, scripts, pictures and fonts, the url() of styles and the imports of scripts. Bytes are those of bodies and headers as sent.
"""

import re
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from tests.campaign.playing import FRAGMENT, JSON, PAGE, Program, Visitor
from tests.campaign.serving import Server, manage, production

BROWSER = {"accept-encoding": "gzip, deflate, br, zstd"}
_IN_PAGE = re.compile(r'(?:href|src)="([^"]+\.(?:css|js|svg|png|webp|jpg|woff2|ico)(?:#[^"]*)?)"')
_IN_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
_IN_SCRIPT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+\.js)["']""")


class Sent(NamedTuple):
    """One answer: where, bytes of its headers, of its body as sent, and of the body unpacked."""

    path: str
    headers: int
    body: int
    unpacked: int

    @property
    def total(self):
        return self.headers + self.body


def fetch(browser, path, headers):
    """(Sent, the text) of an address."""
    answer = browser.get(path, headers=headers | BROWSER)
    assert answer.status_code == 200, (path, answer.status_code)
    text = unpack(answer)
    return Sent(path, header_bytes(answer), len(answer.content), len(text)), text.decode("utf-8", "replace")


def unpack(answer):
    match answer.headers.get("Content-Encoding"):
        case "br":
            import brotli

            return brotli.decompress(answer.content)
        case "gzip":
            import gzip

            return gzip.decompress(answer.content)
    return answer.content


def header_bytes(answer):
    return len("HTTP/1.1 200 OK\r\n\r\n") + sum(len(name) + len(value) + 4 for name, value in answer.headers.items())


def first_visit(browser, path):
    """What a browser that was never here gets on opening this page: the page, then all that it and its files link to."""
    page, text = fetch(browser, path, PAGE)
    sent, waiting, seen = [page], [(path, link) for link in _IN_PAGE.findall(text)], set()
    while waiting:
        base, link = waiting.pop(0)
        address = urlsplit(urljoin(base, link)).path
        if link.startswith("data:") or address in seen:
            continue
        seen.add(address)
        one, text = fetch(browser, address, {"accept": "*/*"})
        sent.append(one)
        found = {".css": _IN_STYLE, ".js": _IN_SCRIPT}.get(Path(address).suffix)
        for groups in found.findall(text) if found else ():
            waiting.append((address, groups if isinstance(groups, str) else next(filter(None, groups))))
    return sent


def plays(browser, headers, ruleset="quito", nonce="bytes"):
    """The bytes of each play's answer during one match, the first legal play each time."""
    program = Program(browser)
    table, sent = program.look(program.start(ruleset=ruleset, rival="greedy", nonce=nonce)), []
    while not table["over"] and len(sent) < 120:
        path = f"/mesa/{table['id']}/"
        fields = {"play": table["legal"][0], "ply": table["ply"]}
        more = headers | BROWSER | {"x-csrftoken": browser.cookies["csrftoken"].value}
        answer = browser.post(path, fields, headers=more)
        assert answer.status_code == 200
        sent.append(Sent(path, header_bytes(answer), len(answer.content), len(unpack(answer))))
        table = program.look(table["id"], since=10**6)
    return sent


def measure(folder):
    """(first visit, plays as JSON, plays as fragments) on a site of its own in a folder."""
    environment = production(f"sqlite:///{folder / 'db.sqlite3'}", folder / "static")
    manage(environment, "collectstatic", "--no-input")
    manage(environment, "migrate")
    with Server(environment) as server:
        browser = Visitor(server.url)
        match_id = Program(browser).start(ruleset="quito", rival="greedy")
        return first_visit(browser, f"/mesa/{match_id}/"), plays(browser, JSON), plays(browser, FRAGMENT)


def main():
    with tempfile.TemporaryDirectory() as folder:
        visit, as_json, as_fragment = measure(Path(folder))
    print(f"{'first visit of the table':<56}{'unpacked':>10}{'body':>9}{'headers':>9}{'total':>9}")
    for one in sorted(visit, key=lambda one: -one.total):
        print(f"  {one.path[-52:]:<54}{one.unpacked:>10,}{one.body:>9,}{one.headers:>9,}{one.total:>9,}")
    print(f"  {len(visit)} answers{sum(one.unpacked for one in visit):>{54}_}".replace("_", ",")
          + f"{sum(one.body for one in visit):>9,}{sum(one.headers for one in visit):>9,}{sum(one.total for one in visit):>9,}")
    for what, sent in (("JSON", as_json), ("fragment", as_fragment)):
        totals = sorted(one.total for one in sent)
        print(f"a play as {what}: {len(sent)} plays, median {statistics.median(totals):,.0f} bytes, largest {totals[-1]:,} "
              f"(unpacked {max(one.unpacked for one in sent):,})")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
