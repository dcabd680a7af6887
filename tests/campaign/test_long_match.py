"""A match that does not end: held at 38–38 for ten decks, where only a caída scores. Everything stays bounded."""

import pytest

from campaign.models import Match

from .long_matches import save_far_on
from .playing import FRAGMENT, JSON, PAGE, Page
from .truth import assert_whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def early(guest):
    return save_far_on(plies=30, guest=Match.objects.get(pk=guest.start()).guest)


@pytest.fixture
def long(guest):
    """At the person's turn in the eleventh deck or later, 38 to 38."""
    return save_far_on(plies=430, score=(38, 38), guest=Match.objects.get(pk=guest.start()).guest)


def test_it_is_whole_and_at_38_to_38(guest, long):
    table = guest.look(long.pk)

    assert assert_whole(long.pk).load_game().deck_number >= 10
    assert table["score"] == [38, 38]
    assert not table["over"] and table["to_play"] == 0 and table["legal"]


def test_it_goes_on_and_the_dealer_moves_on(guest, long):
    table = guest.look(long.pk, since=long.ply)
    first = table["dealer"]
    decks = []
    while not table["over"] and len(decks) < 3:
        table = guest.play(long.pk, table["legal"][0], table["ply"]).json()
        decks += [event["dealer"] for event in table["events"] if event["event"] == "deal" and event["deal"] == 0]

    assert decks == [(first + 1 + n) % 4 for n in range(len(decks))]
    assert table["over"] is (max(table["score"]) >= 40)
    assert_whole(long.pk)


def test_the_state_and_the_answers_are_no_larger_than_early(guest, early, long):
    """The state holds the plays of its deck only; a play's answer what happened since; the page two decks of log."""
    sizes = {}
    for match in (early, long):
        table = guest.look(match.pk, since=match.ply)
        answer = guest.play(match.pk, table["legal"][0], table["ply"])
        sizes[match.pk] = [
            len(match.state), len(guest.browser.get(f"/mesa/{match.pk}/?since={match.ply}", headers=JSON).content),
            len(answer.content), len(guest.browser.get(f"/mesa/{match.pk}/", headers=PAGE).content),
            len(guest.browser.get(f"/mesa/{match.pk}/", headers=FRAGMENT).content),
        ]  # fmt: skip

    assert max(sizes[long.pk][:3]) < 4000
    assert sizes[long.pk][3] < 80_000
    for before, after in zip(sizes[early.pk], sizes[long.pk], strict=True):
        assert after < 2.5 * before + 600


def test_the_log_holds_two_decks_at_most(guest, long):
    for headers in (PAGE, FRAGMENT):
        page = Page(guest.browser.get(f"/mesa/{long.pk}/", headers=headers).text)
        deck = long.load_game().deck_number
        assert {int(line["data-deck"]) for line in page.log} <= {deck - 1, deck}
        assert len(page.log) < 110


def test_the_page_says_that_a_limpia_no_longer_counts(guest, long):
    text = guest.browser.get(f"/mesa/{long.pk}/", headers=PAGE).text

    assert text.count("only-caida") == 2
    assert "Nosotros: 38 puntos, 3 perros y 4 tantos" in text


def test_a_match_of_a_hundred_decks_is_still_shown_and_played(guest):
    """Nothing in it recurses or runs into a limit."""
    match = save_far_on(plies=4000, score=(38, 38), guest=Match.objects.get(pk=guest.start()).guest, seed=b"a hundred decks")
    table = guest.look(match.pk, since=match.ply)

    assert guest.browser.get(f"/mesa/{match.pk}/", headers=PAGE).status_code == 200
    assert guest.play(match.pk, table["legal"][0], match.ply).status_code == 200
    assert len(guest.look(match.pk)["events"]) > 4000
    assert_whole(match.pk)
