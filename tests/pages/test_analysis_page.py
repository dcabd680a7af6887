"""The analysis on the page of its match: asked for by a button, followed as it goes, shown without leaving the page."""

import pytest

from campaign.models import Analysis
from campaign.tasks import analyse
from cvarenta.game.bots import analysis as game_analysis

from .tables import begin, play_out
from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)
WORKING, FINISHED = '#analysis[data-state="working"]', '#analysis[data-state="finished"]'


def test_it_comes_without_leaving_the_page_whatever_the_connection_does(page, live_server, monkeypatch):
    monkeypatch.setattr(game_analysis, "WORLDS", 32)
    monkeypatch.setattr(game_analysis, "DEALS", 2)
    begin(page, live_server, ruleset="mano-a-mano")
    match = play_out(page)
    page.reload()
    page.evaluate("window.isSamePage = true")
    button = page.get_by_role("button", name="Analizar la partida")

    page.route("**/analisis/", lambda route: route.abort())
    button.press("Enter")
    page.get_by_text("No llegó el pedido").wait_for()
    page.unroute("**/analisis/")
    button.press("Enter")
    page.wait_for_selector(WORKING)
    Analysis.objects.update(done=5, total=10)
    page.get_by_text("va por el 50 %").wait_for()
    assert violations(page) == []

    analyse(match.pk)
    page.wait_for_selector(FINISHED)
    assert page.evaluate("window.isSamePage")
    for summary in page.locator("#analysis summary").all():
        summary.click()
    page.set_viewport_size({"width": 320, "height": 844})
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert violations(page) == []
