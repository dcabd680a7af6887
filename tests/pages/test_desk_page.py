"""The review desk in a browser: nothing is refused by our own policy, it fits a phone, and the replay keeps to its run."""

import pytest

from campaign.models import Run
from tests.campaign.ended_matches import save_ended
from tests.support import client_of
from tests.tournament.books import MONDAY, score
from tests.tournament.reviewing import LIST, page_of, reviewer_called
from tournament import review

from .test_accessible import violations

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_reviewer_finds_a_run_steps_through_its_match_and_annuls_it(page, live_server, season, player, clock):
    run = score(player, 2)
    Run.objects.create(pk=run, player=player, is_scored=True, outcome="lost", started_at=MONDAY, ended_at=MONDAY)
    match = save_ended(player, 1, run_id=run, chapter=1, rival="almeida")
    review.flag(
        run_id=run,
        finding=review.Finding("pace", "Muy rápido", "", match.pk, f"?partida={match.pk}&jugada=7#repaso"),
        at=MONDAY,
    )
    cookie = client_of(reviewer_called("mariana")).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    refused = []
    page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(live_server.url + LIST)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_role("link", name="dolores").click()
        page.wait_for_url("**/change/")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Míralo").click()
    page.locator("#repaso").press("ArrowRight")
    page.wait_for_url(f"**{page_of(run)}?partida={match.pk}&jugada=8#repaso")
    assert refused == []  # by the content security policy, before axe puts its own script in
    assert violations(page) == []
    page.get_by_label("Motivo").fill("Jugó otra mano")
    page.get_by_role("button", name="Anular").click()
    page.get_by_text("«Jugó otra mano»").wait_for()
    page.goto(f"{live_server.url}{LIST}?estado=anuladas")
    assert violations(page) == []
