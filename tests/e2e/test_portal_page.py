"""The portal's page in a real browser: every API of the stack to read, to search and to try."""

from __future__ import annotations

import re
import shlex
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from playwright.sync_api import Route as PageRoute

from tests.e2e.console.people import set_password
from tests.support.browser import DESK, PHONE, build_console, find_violations, needs_chromium, new_page, open_browser
from tests.support.stacks import ONE_WORKER, RunningStack, ServicesOnly

pytestmark = needs_chromium

EVIL = '<img src=x onerror="window.wasCalled=1">'
VERIFY = "?service=storage#verify_token"
PLACES = {"service": "?service=management", "operation": "?service=vault#create_variable"}


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    build_console()
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Generator[Page]:
    """What the page logs as an error fails the test, as does a request to another host."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    errors, hosts = list[str](), set[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname or ""))
    yield page
    page.context.close()
    assert errors == []
    assert all(host in ("127.0.0.1", "") or host.endswith(".penstock.localhost") for host in hosts)


def go(page: Page, stack: RunningStack, address: str) -> None:
    page.goto(f"{stack.greeting['portalUrl']}/{address}")


def try_it(page: Page, token: str) -> None:
    page.get_by_label("X-StorageApi-Token").fill(token)
    page.get_by_role("button", name="Send").click()


def test_a_deep_link_shows_an_operation_and_survives_a_reload(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=queue#create_job")

    for _ in range(2):
        expect(page.get_by_role("heading", level=1)).to_have_text("Create a job")
        expect(page.get_by_test_id("right")).to_have_text("Needs a token that may create jobs.")
        expect(page.get_by_label("Request of the example")).to_contain_text("-X POST")
        expect(page.get_by_label("Response of the example")).to_contain_text('"component": "ex-generic-v2"')
        expect(page.get_by_role("definition").filter(has_text="The body is larger")).to_be_visible()
        page.reload()
    page.get_by_role("link", name="Vault API").click()
    expect(page).to_have_url(re.compile(r"\?service=vault$"))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Create a job")


def test_a_request_is_tried_with_a_token_that_is_kept_nowhere(stack: RunningStack, page: Page) -> None:
    go(page, stack, VERIFY)
    try_it(page, stack.greeting["token"])

    expect(page.get_by_role("status", name="Response")).to_contain_text("Response 200")
    expect(page.get_by_label("Body of the response")).to_contain_text('"name": "My project"')
    kept = page.evaluate("[{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.title]")
    assert stack.greeting["token"] not in str(kept)
    page.get_by_role("searchbox").fill("list buckets")
    page.locator("a[href$='?service=storage#list_buckets']").click()
    expect(page.get_by_label("X-StorageApi-Token")).to_have_value(stack.greeting["token"])
    page.reload()
    expect(page.get_by_label("X-StorageApi-Token")).to_have_value("")


def test_a_token_of_another_stack_shows_what_the_service_says(stack: RunningStack, page: Page, tmp_path: Path) -> None:
    another = ServicesOnly(tmp_path / "data")
    another.close()
    go(page, stack, VERIFY)
    try_it(page, another.project.token)

    expect(page.get_by_role("status", name="Response")).to_contain_text("Response 401")
    expect(page.get_by_label("Body of the response")).to_contain_text("Invalid access token")


def test_a_body_and_parameters_are_sent(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=vault#create_variable")
    page.get_by_label("Body", exact=True).fill('{"key": "tried", "value": "1"}')
    try_it(page, stack.greeting["token"])
    expect(page.get_by_role("status", name="Response")).to_contain_text("Response 201")

    go(page, stack, "?service=vault#list_variables")
    page.get_by_label("key (query)").fill("tried")
    try_it(page, stack.greeting["token"])
    expect(page.get_by_label("Body of the response")).to_contain_text('"key": "tried"')


def test_the_example_of_a_form_and_of_a_file_is_a_command_that_sends_it(stack: RunningStack, page: Page) -> None:
    for address, part in (
        ("?service=oauth#authorize", "--data-urlencode 'authorizedFor=Ann'"),
        ("?service=developer#upload_archive", "--data-binary '@program.zip'"),
    ):
        go(page, stack, address)
        expect(page.get_by_label("Request of the example")).to_contain_text(part)
        expect(page.get_by_text("It takes a form or a file")).to_be_visible()
        expect(page.get_by_text("This stack refuses")).to_have_count(0)


@pytest.mark.parametrize(
    ("service", "operation", "value", "part"),
    [
        ("oauth", "authorize", "Ann", "authorizedFor=Ann's"),
        ("oauth", "change_consumer", "shop-1", '{"friendlyName":"shop-1\'s"}'),
        ("oauth", "get_credential", "shop-1", "/credentials/ex-generic-v2/shop-1's"),
        ("import", "write_table", "in.c-shop-main.keyless", "tableId=in.c-shop-main.keyless's"),
    ],
    ids=["form", "json", "address", "upload"],
)
def test_a_quote_in_a_value_stays_in_its_word(
    stack: RunningStack, page: Page, service: str, operation: str, value: str, part: str
) -> None:
    def put_quotes(route: PageRoute) -> None:
        text = route.fetch().text()
        assert f'"{value}"' in text
        route.fulfill(body=text.replace(f'"{value}"', f'"{value}\'s"'), content_type="application/json")

    page.route(f"**/specs/{service}.json", put_quotes)
    go(page, stack, f"?service={service}#{operation}")

    words = shlex.split(page.get_by_label("Request of the example").inner_text())
    assert any(word.endswith(part) for word in words)


def test_an_operation_that_the_stack_refuses_says_so(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=editor#get_credentials")

    expect(page.get_by_role("heading", level=1)).to_have_text("Get the credentials of a session")
    expect(page.get_by_text("Refused: only BigQuery workspaces")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This stack refuses this request from every caller")
    expect(page.get_by_label("Response of the example")).to_contain_text("POST /sql/sessions/{id}/reset-credentials")


def test_operations_of_all_services_are_found_with_the_keyboard(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=vault")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vault API")

    page.keyboard.press("/")
    page.keyboard.type("queue kill")
    expect(page.get_by_role("link", name="/jobs/{job_id}/kill")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"\?service=queue#terminate_job$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Stop a job")


def test_the_page_works_by_host_name_too(stack: RunningStack, page: Page) -> None:
    port = stack.greeting["portalUrl"].split(":")[2].partition("/")[0]
    page.goto(f"http://api.penstock.localhost:{port}/{VERIFY}")
    try_it(page, stack.greeting["token"])

    expect(page.get_by_label("Body of the response")).to_contain_text('"name": "My project"')
    curl = page.get_by_label("Request of the example")
    expect(curl).to_contain_text(f"http://connection.penstock.localhost:{port}/v2/storage/tokens/verify")


def test_addresses_and_responses_stay_text(stack: RunningStack, page: Page) -> None:
    go(page, stack, f"?service={quote(EVIL)}#{quote(EVIL)}")
    expect(page.get_by_text("This stack has no service")).to_contain_text(EVIL)
    go(page, stack, f"?service=vault&x#{quote(EVIL)}")
    page.reload()
    expect(page.get_by_text("has no operation")).to_contain_text(EVIL)
    stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": "shown", "description": EVIL})
    go(page, stack, "?service=storage#list_buckets")
    page.reload()
    try_it(page, stack.greeting["token"])
    expect(page.get_by_label("Body of the response")).to_contain_text("<img src=x")

    assert page.evaluate("window.wasCalled") is None
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_is_accessible_and_fits(browser: Browser, stack: RunningStack, size: ViewportSize) -> None:
    page = new_page(browser, size)
    for name, address in PLACES.items():
        page.goto("about:blank")
        go(page, stack, address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert find_violations(page, f"portal-{name}-{size['width']}") == [], name
    if size == PHONE:
        page.get_by_role("button", name="Operations").click()
        page.get_by_role("link", name="Queue API").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Queue API")
    page.context.close()


def test_a_large_document_is_shown_soon(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=storage")
    expect(page.get_by_role("row").nth(180)).to_be_attached()

    assert page.evaluate("performance.now()") < 10_000
    assert page.evaluate("document.querySelectorAll('*').length") < 10_000


@pytest.fixture
def own_stack(tmp_path: Path) -> Generator[RunningStack]:
    """A stack whose first administrator has not signed in yet: the link works once."""
    running = RunningStack(tmp_path / "data", *ONE_WORKER)
    yield running
    running.stop()


def test_who_has_signed_in_to_the_console_tries_requests_without_a_token(own_stack: RunningStack, page: Page) -> None:
    set_password(page, own_stack.greeting["loginUrl"], "Ann")
    page.get_by_test_id("project").wait_for()

    go(page, own_stack, VERIFY)
    expect(page.get_by_text("Empty: you are signed in as Ann")).to_be_visible()
    expect(page.get_by_label("Project", exact=True).locator("option")).to_have_text(["My project"])
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status", name="Response")).to_contain_text("Response 200")
    expect(page.get_by_label("Body of the response")).to_contain_text('"name": "My project"')
    try_it(page, "1-1-wrong")
    expect(page.get_by_role("status", name="Response")).to_contain_text("Response 401")
    kept = page.evaluate("[{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.title]")
    assert "kbc_at_" not in str(kept)
