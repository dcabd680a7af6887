"""Many hands at one table: the same play five times at once, thirty starts at once, two tabs."""

import random
from http.cookies import SimpleCookie

import pytest

from campaign.models import Match
from cvarenta.game.rulesets import RULESETS

from .playing import FRAGMENT, JSON, PAGE, Page, Program, Reader, at_once
from .truth import assert_whole, row_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def program(visit):
    return Program(visit())


@pytest.fixture
def tab_of(visit):
    """Makes another tab of the same browser: its cookies, a connection of its own."""

    def make(program):
        browser = visit()
        browser.cookies = SimpleCookie({name: morsel.value for name, morsel in program.browser.cookies.items()})
        return Program(browser)

    return make


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_same_play_five_times_at_once_is_applied_once(program, tab_of, ruleset):
    rng = random.Random(ruleset)
    match_id = program.sit(ruleset=ruleset, rival="greedy")["id"]
    tabs = [tab_of(program) for _ in range(5)]
    for _ in range(12):
        table = program.look(match_id)
        if table["over"]:
            break
        play = rng.choice(table["legal"])
        answers = at_once(*[lambda tab=tab: tab.play(match_id, play, table["ply"]) for tab in tabs])

        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
        applied = next(answer.json() for answer in answers if answer.status_code == 200)
        truth = program.look(match_id)
        assert {key: applied[key] for key in applied if key != "events"} == {key: truth[key] for key in truth if key != "events"}
        for answer in answers:
            if answer.status_code == 409:  # the table is the true one, before the winner's play never
                assert answer.json() == truth
        assert_whole(match_id)


def test_five_different_plays_at_once_are_applied_once(program, tab_of):
    rng, match_id = random.Random(5), program.start(ruleset="mano-a-mano", rival="greedy")
    tabs = [tab_of(program) for _ in range(5)]
    for _ in range(12):
        table = program.look(match_id)
        if table["over"]:
            break
        plays = [rng.choice(table["legal"]) for _ in tabs]
        answers = at_once(*[lambda tab=tab, play=play: tab.play(match_id, play, table["ply"])
                            for tab, play in zip(tabs, plays, strict=True)])  # fmt: skip
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
        won = next(play for play, answer in zip(plays, answers, strict=True) if answer.status_code == 200)
        assert assert_whole(match_id).plays.split()[table["ply"]] == won


@pytest.mark.parametrize("headers", [PAGE, FRAGMENT], ids=["page", "fragment"])
def test_two_clicks_on_one_button_are_one_play(program, tab_of, headers):
    match_id = program.start(ruleset="quito", rival="greedy")
    path, tabs = f"/mesa/{match_id}/", [tab_of(program).browser for _ in range(2)]
    for _ in range(8):
        form = Page(program.browser.get(path, headers=PAGE).text).form_to(path)
        body = "&".join(f"{name}={value}" for name, value in [*form.fields, form.buttons[0]])
        answers = at_once(*[lambda tab=tab: tab.post(path, body, headers=headers) for tab in tabs])

        codes = sorted(answer.status_code for answer in answers)
        assert codes == ([302, 409] if headers is PAGE else [200, 409])
        refused = next(answer for answer in answers if answer.status_code == 409)
        match = assert_whole(match_id)
        assert Page(refused.text).table["data-ply"] == str(match.ply)
        if match.is_over:
            break


def test_thirty_starts_at_once_are_thirty_matches(visit):
    programs = [Program(visit()) for _ in range(30)]
    for program in programs:
        program.browser.get("/practica/", headers=JSON)
    ids = at_once(*[lambda program=program, n=n: program.start(ruleset=list(RULESETS)[n % 4], rival="greedy")
                    for n, program in enumerate(programs)])  # fmt: skip

    assert len(set(ids)) == Match.objects.count() == 30
    assert len({bytes(match.seed) for match in Match.objects.all()}) == 30
    assert len({match.guest for match in Match.objects.all()}) == 30
    for program, match_id in zip(programs, ids, strict=True):
        assert_whole(match_id)
        assert program.look(match_id)["id"] == match_id


def test_thirty_starts_at_once_in_one_browser_are_that_browsers(program, tab_of):
    program.start(ruleset="quito", rival="greedy")
    tabs = [tab_of(program) for _ in range(30)]
    ids = at_once(*[lambda tab=tab: tab.start(ruleset="quito", rival="random") for tab in tabs])

    assert len(set(ids)) == 30
    assert len({match.guest for match in Match.objects.all()}) == 1
    assert all(program.look(match_id) for match_id in ids)


def test_an_old_tab_is_shown_the_true_table_and_may_go_on_from_it(program, tab_of):
    match_id = program.start(ruleset="quito", rival="greedy")
    path, other = f"/mesa/{match_id}/", tab_of(program)
    old = Page(program.browser.get(path, headers=PAGE).text).form_to(path)
    table = other.look(match_id)
    assert other.play(match_id, table["legal"][0], table["ply"]).status_code == 200

    before = row_of(match_id)
    body = "&".join(f"{name}={value}" for name, value in [*old.fields, old.buttons[-1]])
    response = program.browser.post(path, body, headers=PAGE)
    assert response.status_code == 409
    assert row_of(match_id) == before
    page = Page(response.text)
    assert page.table["data-ply"] == str(other.look(match_id)["ply"])
    Reader(program.browser).submit(page.form_to(path), [page.form_to(path).buttons[0]])
    assert_whole(match_id)


def test_the_winning_play_posted_again_is_refused_with_the_end(program):
    match_id, rng = program.start(ruleset="quito", rival="random"), random.Random(3)
    table = program.look(match_id)
    while not table["over"]:
        last, ply = rng.choice(table["legal"]), table["ply"]
        table = program.play(match_id, last, ply).json()
    before = row_of(match_id)
    for again in (ply, table["ply"]):
        response = program.play(match_id, last, again)
        assert response.status_code == 409
        assert response.json()["over"] is True and response.json()["winner"] == table["winner"]
    assert row_of(match_id) == before


def test_the_winning_play_five_times_at_once_ends_the_match_once(program, tab_of):
    table, rng = program.sit(ruleset="tradicional-4", rival="random"), random.Random(4)
    match_id, tabs = table["id"], [tab_of(program) for _ in range(5)]
    while not table["over"]:
        play, ply, score = rng.choice(table["legal"]), table["ply"], max(table["score"])
        if score >= 26:
            answers = at_once(*[lambda tab=tab: tab.play(match_id, play, ply) for tab in tabs])
            assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
            table = program.look(match_id)
        else:
            table = program.play(match_id, play, ply).json()
    match = assert_whole(match_id)
    assert match.is_over and match.finished_at == match.played_at


def test_a_play_and_looks_at_once_never_show_half_a_table(program, tab_of):
    """Whoever looks sees the table before the play or after the bots' answers, each whole."""
    match_id, rng = program.start(ruleset="quito", rival="greedy"), random.Random(6)
    tabs = [tab_of(program) for _ in range(4)]
    for _ in range(10):
        before = program.look(match_id)
        if before["over"]:
            break
        play = rng.choice(before["legal"])
        looks = [lambda tab=tab: tab.look(match_id) for tab in tabs[1:]]
        played, *seen = at_once(lambda: tabs[0].play(match_id, play, before["ply"]), *looks)
        after = program.look(match_id)
        assert played.status_code == 200
        assert all(table in (before, after) for table in seen)
