"""A browser for the pages; what it must never do is checked after every test."""

import shutil
from typing import NamedTuple

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    """Return a running Chromium; tests without one are skipped."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install --group browser"
    )
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"there is no Chromium ({', '.join(NAMES)}): apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened(NamedTuple):
    """A page in the browser, with all that it asked for, said and complained of."""

    view: object
    requests: list[str]
    dialogs: list[str]
    complaints: list[str]


@pytest.fixture
def opened(chromium, tmp_path):
    """Open a page; in the end no page may have asked for anything, alerted or complained."""
    kept = []

    def open_(html, **options):
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        browsing = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        browsing.set_default_timeout(10_000)
        view = browsing.new_page()
        found = Opened(view, [], [], [])
        browsing.on("request", lambda request: found.requests.append(request.url))
        view.on("dialog", lambda dialog: (found.dialogs.append(dialog.message), dialog.dismiss()))
        view.on("console", lambda message: found.complaints.append(message.text))
        view.on("pageerror", lambda error: found.complaints.append(str(error)))
        kept.append((browsing, found, file.as_uri()))
        view.goto(file.as_uri())
        view.wait_for_selector("table.items tbody tr")
        return view

    yield open_
    for browsing, found, address in kept:
        browsing.close()
        assert {url for url in found.requests if not url.startswith("data:")} == {address}
        assert found.dialogs == []
        assert found.complaints == []
