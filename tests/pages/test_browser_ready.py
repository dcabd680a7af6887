"""The browser tests have a browser, and it reaches the site."""


def test_a_browser_opens_a_page_of_the_site(page, live_server):
    response = page.goto(f"{live_server.url}/healthz")

    assert response.status == 200
    assert page.locator("body").inner_text() == "ok"
    assert page.evaluate("[innerWidth, navigator.language]") == [390, "es-EC"]
