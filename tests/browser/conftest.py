"""A real browser, before a real server over real HTTP. Skipped, with the reason, where there is no Chromium."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.test.testcases import LiveServerThread

from memory.redaction import redact
from tests.cast import Cast, Person

PASSWORD = "correct horse battery staple"
SWITCHES = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start the system's Chromium, and end it before the tests of another file: its loop would stand in their way."""
    binary = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if binary is None:
        pytest.skip("no Chromium: install Debian's package chromium, or name one in CHROMIUM")
    from playwright.sync_api import sync_playwright

    # Playwright runs a loop in this thread, for which Django would refuse the tests' own queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=SWITCHES)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def address(committed: None) -> Iterator[str]:
    """Serve the product on a port of its own."""
    redact("the rules are compiled before anybody waits for a page")
    server = LiveServerThread("127.0.0.1", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


@dataclass
class Visitor:
    """A browser window of one person's; whatever a page complains of is kept."""

    page: Any
    address: str
    complaints: list[str]

    def sign_in(self, person: Person) -> "Visitor":
        """Go to the first page and enter."""
        person.user.set_password(PASSWORD)
        person.user.save()
        self.page.goto(self.address + "/")
        self.page.get_by_label("E-mail address").fill(person.user.email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_url(self.address + "/")
        return self

    def refuse(self, dialog: Any) -> None:
        """Close a dialog, which no page of ours opens, and remember that there was one."""
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, path: str) -> Any:
        """Open a page."""
        self.page.goto(self.address + path)
        return self.page


@pytest.fixture
def visitor(chromium: Any, address: str) -> Iterator[Callable[..., Visitor]]:
    """Open windows, which close when the test ends; none may have broken the page's own rules."""
    opened: list[Visitor] = []

    def open_window(viewport: dict[str, int] = WIDE, **options: Any) -> Visitor:
        page = chromium.new_context(viewport=viewport, locale=options.pop("locale", "en"), **options).new_page()
        page.set_default_timeout(15_000)
        one = Visitor(page, address, [])
        page.on("console", lambda said: one.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: one.complaints.append(str(error)))
        page.on("dialog", one.refuse)
        opened.append(one)
        return one

    yield open_window
    complaints = [said for one in opened for said in one.complaints if "404" not in said]
    for one in opened:
        one.page.context.close()
    assert complaints == []


@pytest.fixture
def ada(visitor: Callable[..., Visitor], committed_cast: Cast) -> Visitor:
    """Let ada in, at a desk."""
    return visitor().sign_in(committed_cast.ada)
