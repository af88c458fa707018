"""What members do on the pages, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.memory.writing import remember

EVIL = "<img src=x onerror=alert(1)> </script><script>alert(1)</script> {{7*7}} \u202egnp.exe"


def test_a_fact_is_remembered_found_forgotten_and_brought_back(ada):
    page = ada.go("/remember/")
    page.get_by_label("The fact").fill("Staging is deployed with make; password: Winter757nALx!")
    page.get_by_label("Fact key").fill("deploy.staging")
    page.locator("#content").get_by_role("button", name="Remember").click()
    assert page.get_by_text("Taken out before it was stored: password × 1.").is_visible()
    assert "Winter757" not in page.content()

    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search").fill("staging")
    page.get_by_text("1 record, best first").wait_for()
    page.get_by_role("link", name="Staging is deployed with make").click()
    assert page.locator("dd", has_text="deploy.staging").is_visible()

    page.get_by_text("Forget this record").click()
    page.get_by_label("Why (optional)").fill("out of date")
    page.get_by_role("button", name="Forget").click()
    assert page.get_by_text("out of date").is_visible()
    assert "Staging is deployed" not in page.content()

    page.get_by_role("button", name="Bring it back").click()
    assert page.get_by_text("Staging is deployed with make").is_visible()


def test_versions_that_contradict_each_other_say_so_in_words(ada, committed_cast, now):
    caller = committed_cast.ada.signed_in(now=now)
    for content in ("Staging is deployed with make", "Staging is deployed by the pipeline"):
        remember(caller, content, now=now, fact_key="deploy.staging")
    page = ada.go("/?q=pipeline")
    assert page.get_by_text("1 other version of this fact says something else").is_visible()
    page.get_by_role("link", name="Staging is deployed by the pipeline").click()
    assert page.get_by_text("ask a person which is right").is_visible()
    assert page.get_by_role("link", name="Staging is deployed with make").is_visible()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["desk", "phone"])
def test_fc62_what_an_agent_wrote_is_text_on_every_page(visitor, committed_cast, now, viewport):
    caller = committed_cast.ada.signed_in(now=now)
    fields = {"fact_key": "evil.key<b>", "workspace": "evil<script>", "source_id": "javascript:alert(1)"}
    record = remember(caller, EVIL, now=now, **fields)
    other = remember(caller, f"another {EVIL}", now=now, **fields | {"source_id": "https://example.org/x"})
    ada = visitor(viewport).sign_in(committed_cast.ada)
    for path in ("/", "/?q=another+%3Cb%3E", f"/records/{record.id}/", f"/records/{other.id}/"):
        page = ada.go(path)
        assert "<script>alert(1)</script> {{7*7}} [U+202E]gnp.exe" in page.locator("#content").inner_text()
        assert page.locator("#content img, #content script, #content b").count() == 0
        assert page.locator("a[href^='javascript:']").count() == 0
    assert page.get_by_role("link", name="https://example.org/x").get_attribute("rel") == "noopener noreferrer nofollow"


def test_a_key_is_shown_once_and_ends_when_it_is_revoked(visitor, committed_cast):
    oz = visitor().sign_in(committed_cast.oz)
    page = oz.go("/keys/new/")
    page.get_by_label("Name").fill("Laptop of Oz")
    page.get_by_role("button", name="Create the key").click()
    token = page.get_by_label("The key").input_value()
    headers = {"Authorization": f"Bearer {token}"}
    ask = page.context.request
    assert ask.post(oz.address + "/v1/search", data={"query": "anything"}, headers=headers).status == 200

    page.get_by_role("button", name="I have kept it").or_(page.get_by_role("link", name="I have kept it")).click()
    assert token not in page.content()
    card = page.locator("#content div.rounded-default", has_text="Laptop of Oz")
    card.get_by_text("Revoke", exact=True).click()
    card.get_by_role("button", name="Revoke this key").click()
    assert page.get_by_text("1 key was revoked.").is_visible()
    assert ask.post(oz.address + "/v1/search", data={"query": "anything"}, headers=headers).status == 401


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(visitor, committed_cast, now, scheme):
    caller = committed_cast.oz.signed_in(now=now)
    record = remember(caller, "word " * 300 + "x" * 3000, now=now, fact_key="k" * 190, source_id="s" * 900)
    oz = visitor(PHONE, color_scheme=scheme).sign_in(committed_cast.oz)
    for path in (
        "/",
        "/?q=word",
        f"/records/{record.id}/",
        "/remember/",
        "/places/",
        "/keys/",
        "/keys/new/",
        "/password_change/",
        "/nowhere/",
    ):
        page = oz.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_the_keyboard_alone_reaches_a_record(ada, committed_cast, now):
    record = remember(committed_cast.ada.signed_in(now=now), "The keyboard is enough", now=now)
    page = ada.go("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("keyboard")
    page.get_by_text("1 record, best first").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="The keyboard is enough").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(str(record.id)))


def test_signing_out_ends_the_session_and_leaves_no_record_in_the_browser(ada, committed_cast, now):
    remember(committed_cast.ada.signed_in(now=now), "The vault is behind the mirror", now=now)
    page = ada.go("/")
    for query in ("vault", "mirror"):
        page.get_by_label("Search").fill(query)
        page.wait_for_url(f"**/?q={query}*")
    page.get_by_text(re.compile("@example.org")).click()
    page.get_by_role("button", name="Log out").click()
    ada.go("/")
    assert "/login/" in page.url
    assert "mirror" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_whose_session_has_ended_is_asked_to_sign_in_while_searching(ada, committed_cast):
    page = ada.go("/")
    page.context.clear_cookies()
    page.get_by_label("Search").fill("anything")
    page.wait_for_url(re.compile("/login/"))


def test_light_dark_sidebar_and_language_are_kept_from_page_to_page(ada):
    page = ada.go("/")
    sidebar = page.locator("#nav-sidebar")
    page.get_by_text(re.compile("@example.org")).click()
    page.get_by_text("Dark", exact=True).click()
    ada.go("/places/")
    assert page.locator("html").get_attribute("class") == "dark"
    page.get_by_text(re.compile("@example.org")).click()
    page.get_by_role("button", name="Русский").click()
    assert page.get_by_role("link", name="Где работать").is_visible()
    page.locator("span:text('dock_to_right') >> visible=true").click()
    sidebar.wait_for(state="hidden")
    ada.go("/")
    assert not sidebar.is_visible()


def test_the_menu_opens_on_a_phone(visitor, committed_cast):
    ada = visitor(PHONE).sign_in(committed_cast.ada)
    link = ada.page.get_by_role("link", name="Where to work")
    assert not link.is_visible()
    ada.page.locator("span:text('dock_to_right') >> visible=true").click()
    link.click()
    ada.page.wait_for_url("**/places/")
