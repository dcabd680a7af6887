"""Bytes on the wire, of a first visit of the table and of a play (`python -m tests.bench.wire` prints the table)."""

import pytest

from tests.bench.wire import measure

FIRST_VISIT = 200_000
PLAY = 8_000


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    return measure(tmp_path_factory.mktemp("wire"))


def test_a_first_visit_of_the_table_stays_within_200_kilobytes(wire):
    visit, _, _ = wire
    sizes = {one.path: one.total for one in visit}

    assert {".css", ".js", ".svg", ".woff2"} <= {f".{path.rpartition('.')[2]}" for path in sizes}
    assert sum(sizes.values()) <= FIRST_VISIT, sizes


@pytest.mark.parametrize("way", ["json", "fragment"])
def test_a_play_stays_within_8_kilobytes(wire, way):
    sent = wire[1 if way == "json" else 2]

    assert len(sent) > 5
    assert max(one.total for one in sent) <= PLAY


def test_what_is_static_is_kept_for_good_and_compressed(wire):
    for one in wire[0][1:]:
        assert one.body < one.unpacked or one.path.endswith(".woff2"), one
