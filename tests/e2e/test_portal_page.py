"""The portal's page in a real browser: the list, and a token tried."""

from __future__ import annotations

import shutil
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from penstock.app import list_services
from tests.support.stacks import RunningStack, ServicesOnly

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="No Chromium is installed: install the package chromium.")


@pytest.fixture
def page() -> Generator[Page]:
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET) as browser:
        yield browser.new_page()


def try_token(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Try").click()


def test_the_page_lists_the_services_that_are_there(stack: RunningStack, page: Page) -> None:
    page.goto(stack.greeting["portalUrl"] + "/")

    listed = [service for service in list_services() if service.listing.is_documented]
    expect(page.get_by_role("row")).to_have_count(len(listed) + 1)  # with the header
    for link in page.get_by_role("link").all():
        assert page.request.get(link.get_attribute("href") or "").ok


def test_a_token_of_this_stack_shows_its_project(stack: RunningStack, page: Page) -> None:
    page.goto(stack.greeting["portalUrl"] + "/")

    try_token(page, stack.greeting["token"])

    expect(page.get_by_role("status")).to_contain_text("My project")


def test_a_token_of_another_stack_shows_that_it_is_invalid(
    stack: RunningStack, page: Page, services: ServicesOnly
) -> None:
    page.goto(stack.greeting["portalUrl"] + "/")

    try_token(page, services.project.token)

    expect(page.get_by_role("status")).to_have_text("Invalid access token")


def test_the_page_works_by_host_name_too(stack: RunningStack, page: Page) -> None:
    port = stack.greeting["portalUrl"].split(":")[2].partition("/")[0]
    page.goto(f"http://api.penstock.localhost:{port}/")

    try_token(page, stack.greeting["token"])

    expect(page.get_by_role("link", name=f"http://queue.penstock.localhost:{port}")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("My project")
