"""Where the console is, what leads to it, and what an address alone shows."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

PRINTED = {
    "queue": "Jobs",
    "queue/{job}": "Job {job}",
    "branch/default/queue/{job}": "Job {job}",
    "components/ex-generic-v2/sample-customers": "Sample: customers",
    "extractors/ex-generic-v2/sample-customers": "Sample: customers",
    "components/ex-generic-v2": "Generic",
    "components/configurations": "Configurations",
    "transformations-v2": "Configurations",
    "storage/in.c-sample": "sample",
    "storage/in.c-sample/table/customers": "customers",
    "flows-v2": "Flows",
}


def test_the_bare_address_and_the_storage_lead_browsers_to_the_console(console: Console, stack: RunningStack) -> None:
    for address in (stack.greeting["storageUrl"].partition("/_svc")[0], stack.greeting["storageUrl"]):
        console.page.goto(address + "/")

        expect(console.page.get_by_role("button", name="Sign in")).to_be_visible()
        assert console.page.url.endswith("/admin/")


def test_it_works_by_host_name_too(console: Console, stack: RunningStack) -> None:
    port = stack.greeting["storageUrl"].split(":")[2].partition("/")[0]
    by_host = Console(console.page, stack, f"http://connection.penstock.localhost:{port}/admin")
    page = by_host.open("settings")

    expect(page.get_by_role("row", name="queue")).to_contain_text(f"http://queue.penstock.localhost:{port}")
    expect(page.get_by_role("row", name="queue")).to_contain_text("ok")
    console.errors.clear()  # of a service without a health check


def test_an_address_survives_the_sign_in_and_a_reload_and_holds_no_token(console: Console, stack: RunningStack) -> None:
    page = console.page
    console.go("components/ex-generic-v2/sample-orders")
    console.sign_in()
    expect(page.get_by_role("heading", name="Sample: orders")).to_be_visible()

    page.reload()

    expect(page.get_by_role("heading", name="Sample: orders")).to_be_visible()
    assert stack.greeting["token"] not in page.url
    assert page.evaluate("JSON.stringify(localStorage)").find(stack.greeting["token"]) == -1
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_addresses_that_clients_print_show_the_right_screen(console: Console, stack: RunningStack) -> None:
    job = stack.run_job("sample-customers")["id"]
    page = console.open()

    for path, heading in PRINTED.items():
        console.go(path.format(job=job))
        expect(page.get_by_role("heading", name=heading.format(job=job), exact=True, level=1)).to_be_visible()


def test_an_unknown_address_and_another_project_say_so(console: Console) -> None:
    page = console.open("nothing")
    expect(page.get_by_text("There is no such page")).to_be_visible()

    page.goto(f"{console.base}/projects/77777/queue")
    expect(page.get_by_text("Your token belongs to another project")).to_be_visible()


def test_a_wrong_token_is_refused_with_the_sentence_of_the_server(console: Console) -> None:
    console.go("")
    console.page.get_by_text("Token", exact=True).click()
    console.page.get_by_role("textbox", name="Token").fill("nonsense")
    console.page.get_by_role("button", name="Sign in").click()

    expect(console.page.get_by_role("alert")).to_contain_text("Invalid access token")
    console.errors.clear()


def test_an_error_shows_its_sentence_and_exception_id(console: Console) -> None:
    page = console.open("queue/99999999")

    expect(page.get_by_role("alert")).to_contain_text("99999999")
    expect(page.get_by_role("alert")).to_contain_text("exception-")
    console.errors.clear()


def test_the_palette_finds_screens_and_configurations(console: Console) -> None:
    page = console.open()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()

    page.keyboard.press("Control+k")
    page.get_by_label("Search").fill("Sample: orders")
    expect(page.get_by_role("button", name="Sample: orders")).to_be_visible()  # once the configurations are loaded
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Sample: orders")).to_be_visible()
