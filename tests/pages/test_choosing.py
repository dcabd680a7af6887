"""Choosing a card: only what is shown as chosen is ever played, and it is played once."""

import pytest

from campaign.models import Match

from .tables import READY, SETTLED, arrange, begin, match_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(page, live_server):
    begin(page, live_server)
    arrange(page, hand="5DKD7DJD3D", table="2H3H5C", others=("2C3C4C5S6C", "2S3S4S6D6S", "AS7SJSQSKS"))
    return page


def plays_of(page):
    return match_of(page).plays.split()


def shown(page):
    return page.locator(".choice:visible").all_inner_texts()


def test_a_card_shows_each_capture_before_anything_is_sent(table):
    before = plays_of(table)
    table.click("label[for=card-1]")
    assert [" ".join(text.split()) for text in shown(table)] == ["Recoger 5 caída +2", "Recoger 2 y 3"]
    assert table.locator(".laid .would-take").count() == 1
    table.keyboard.press("ArrowDown")
    assert table.locator(".laid .would-take").count() == 2
    assert plays_of(table) == before


def test_the_second_tap_plays_what_is_shown(table):
    before = plays_of(table)
    table.click("label[for=card-1]")
    table.keyboard.press("ArrowDown")
    table.click("label[for=card-1]")
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert plays_of(table)[len(before)] == "5Dx2H3H"


def test_a_tap_on_a_table_card_chooses_the_capture_that_takes_it(table):
    table.click("label[for=card-1]")
    table.click(".laid li[data-card='3H']")
    assert table.locator(".choice.chosen").inner_text() == "Recoger 2 y 3"


def test_escape_takes_the_choice_back_and_another_card_is_played(table):
    before = plays_of(table)
    table.keyboard.press("1")
    table.keyboard.press("Escape")
    assert shown(table) == []
    table.keyboard.press("Enter")
    assert plays_of(table) == before
    table.click("label[for=card-2]")
    table.keyboard.press("Enter")
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert plays_of(table)[len(before)] == "KD"


def test_the_keyboard_and_the_mouse_share_one_choice(table):
    before = plays_of(table)
    table.keyboard.press("1")
    table.click("label[for=card-4]")
    table.locator(".choice:visible").click()
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert plays_of(table)[len(before)] == "JD"


def test_a_reload_forgets_the_choice(table):
    before = plays_of(table)
    table.keyboard.press("1")
    table.reload()
    table.wait_for_selector(READY)
    table.keyboard.press("Enter")
    table.wait_for_timeout(150)
    assert plays_of(table) == before and shown(table) == []


def test_two_quick_clicks_play_once(table):
    ply = match_of(table).ply
    table.click("label[for=card-2]")
    table.locator(".choice:visible").dblclick()
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    match = match_of(table)
    assert len(match.think_times.split()) == 1 and match.ply > ply
    assert table.locator(".notice").count() == 0


def test_nothing_is_played_while_the_others_play(page, live_server):
    begin(page, live_server, pace="slow")
    page.click("label[for=card-1]")
    page.locator(".choice:visible").first.click()
    page.wait_for_selector("#room.busy")
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(SETTLED, timeout=60_000)
    assert len(match_of(page).think_times.split()) == 1


def test_an_old_tab_is_told_and_shown_the_true_table(table):
    other = table.context.new_page()
    other.goto(table.url)
    other.keyboard.press("2")
    other.keyboard.press("Enter")
    other.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    after = plays_of(table)
    table.bring_to_front()
    if table.locator(".held-card").count() == 5:  # it has not looked again by itself yet
        table.click("label[for=card-1]")
        table.locator(".choice:visible").first.click()
        table.wait_for_selector(".notice")
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert table.locator(".held-card").count() == 4
    assert plays_of(table) == after


def test_a_lost_connection_is_said_and_the_play_can_be_made_again(table):
    before = plays_of(table)
    table.context.set_offline(True)
    table.click("label[for=card-2]")
    table.locator(".choice:visible").click()
    table.wait_for_selector(".notice >> text=Se cortó la conexión")
    assert table.locator(".held-card").count() == 5
    table.context.set_offline(False)
    table.keyboard.press("Enter")
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert plays_of(table)[len(before)] == "KD"


def test_an_answer_that_was_lost_on_its_way_is_not_played_twice(table):
    def lose(route):
        route.fetch()
        route.abort()

    table.route("**/mesa/**", lambda route: lose(route) if route.request.method == "POST" else route.continue_())
    table.click("label[for=card-2]")
    table.locator(".choice:visible").click()
    table.wait_for_selector(".notice >> text=Se cortó la conexión")
    after = plays_of(table)
    table.unroute("**/mesa/**")
    table.keyboard.press("Enter")
    table.wait_for_selector(".notice >> text=La mesa ya avanzó")
    assert plays_of(table) == after
    assert table.locator(".held-card").count() == 4


def test_a_browser_without_its_cookies_is_told_and_loses_nothing(table):
    before, address = plays_of(table), table.url
    cookies = table.context.cookies()
    table.context.clear_cookies()
    table.click("label[for=card-2]")
    table.locator(".choice:visible").click()
    table.wait_for_selector(".notice")
    assert table.locator("form").count() >= 1 and "csrf" not in table.locator(".notice").inner_text().lower()
    table.context.add_cookies(cookies)
    table.goto(address)
    assert plays_of(table) == before and table.locator(".held-card").count() == 5


def test_n_asks_before_it_leaves_and_the_match_stays(table):
    address = table.url
    table.keyboard.press("n")
    table.wait_for_selector("#sure[open]")
    table.keyboard.press("Enter")  # the default is to stay
    table.wait_for_timeout(100)
    assert table.url == address
    table.keyboard.press("n")
    table.click("#sure >> text=Otra partida >> nth=1")
    table.wait_for_url(lambda url: url != address)
    table.goto(table.url.rpartition("/mesa/")[0] + "/practica/")
    assert table.locator(f"a[href='{'/mesa/' + address.rstrip('/').rpartition('/')[2]}/']").count() == 1


def test_nothing_is_played_behind_the_open_help(table):
    before = plays_of(table)
    table.keyboard.press("?")
    table.wait_for_selector("#help[open]")
    table.keyboard.press("1")
    table.keyboard.press("Enter")
    table.wait_for_timeout(200)
    assert plays_of(table) == before


def test_the_focus_stays_in_the_hand_after_a_play_by_key(table):
    table.keyboard.press("2")
    table.keyboard.press("Enter")
    table.wait_for_selector(SETTLED + " .held-card:nth-of-type(4)")
    assert table.evaluate("document.activeElement.closest('.hand') !== null")


def test_an_arrow_never_changes_the_card(table):
    table.keyboard.press("2")
    table.keyboard.press("ArrowDown")
    assert table.locator(".hand input:checked").get_attribute("id") == "card-2"


def test_many_taps_on_a_start_begin_one_match(page, live_server):
    page.goto(live_server.url)
    before = set(Match.objects.values_list("pk", flat=True))
    page.evaluate(
        """() => { const button = [...document.querySelectorAll('button')].find((b) => b.textContent.includes('Jugar ahora'));
                   for (let i = 0; i < 5; i++) button.click(); }"""
    )
    page.wait_for_selector("#table")
    assert len(set(Match.objects.values_list("pk", flat=True)) - before) == 1
