"""A player's page and a badge's: they stand axe, fit a narrow screen and turn their pages without script."""

import pytest

from campaign.tasks import sum_up
from tests.campaign.ended_matches import save_ended
from tests.support import make_player

from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "W" * 20


@pytest.fixture
def address(live_server):
    """The page of a player with a long name, badges, and more matches than a page holds."""
    player = make_player(NAME)
    for number in range(21):
        save_ended(player, 80 - number, days_ago=number)
    sum_up()
    return f"{live_server.url}/jugadores/{NAME}/"


def test_they_stand_axe_and_nothing_hangs_over_a_narrow_screen(page, address):
    for path in ("", "insignias/sin-un-solo-perro/"):
        for width in (1280, 320):  # 320 is also 640 at 200 %
            page.set_viewport_size({"width": width, "height": 700})
            page.goto(address + path)
            assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (path, width)
            assert violations(page) == []


def test_a_chart_shows_the_share_that_it_says(page, address):
    page.goto(address)
    row = page.locator(".chart.tables tbody tr").first
    won, played = map(int, row.locator("td span").inner_text().split(" de "))
    lengths = [bar.bounding_box()["width"] for bar in row.locator("rect").all()]
    assert abs(lengths[2] / lengths[1] - won / played) < 0.02 and 0 < won < played
    assert abs(lengths[1] - row.locator("svg").bounding_box()["width"]) < 1
    assert page.get_by_role("table", name="Por mesa").get_by_role("row").count() == 2


def test_the_pages_of_matches_turn_without_script(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    first = page.locator(".matches:not(.runs) li").count()
    page.get_by_role("link", name="Más antiguas").click()
    assert (first, page.locator(".matches:not(.runs) li").count()) == (20, 1)
    assert page.get_by_role("link", name="Más nuevas").count() == 1
    context.close()
