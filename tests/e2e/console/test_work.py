"""The console as people use it: from the first start to rows in a table, from a failed job to one that succeeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

SAMPLE = {"baseUrl": "http://sample.penstock.localhost/"}


def wrong_job(endpoint: str) -> dict[str, object]:
    return {
        "api": SAMPLE,
        "config": {"outputBucket": "fixed", "jobs": [{"endpoint": endpoint, "dataField": "customers"}]},
    }


def test_a_newcomer_runs_the_sample_and_sees_its_rows(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stack = RunningStack(tmp_path_factory.mktemp("first") / "data")
    page = browser.new_page()
    page.goto(stack.greeting["storageUrl"])
    Console(page, stack).sign_in()

    page.get_by_role("button", name="Run “Sample: customers”").click()
    expect(page.get_by_role("heading", name="Job ", level=1)).to_be_visible()
    expect(page.get_by_role("log")).to_contain_text("Records written: 250")
    expect(page.get_by_text("success", exact=True)).to_be_visible()
    page.get_by_role("link", name="in.c-sample.customers", exact=True).click()

    expect(page.get_by_role("table", name="Rows of in.c-sample.customers")).to_contain_text("Chiara Lovelace")
    expect(page.get_by_role("status").filter(has_text="250 rows")).to_be_visible()
    page.close()
    stack.stop()


def test_a_failing_job_is_found_and_fixed(console: Console, stack: RunningStack) -> None:
    stack.configure(wrong_job("nowhere"), "to-fix")
    assert stack.run_job("to-fix")["status"] == "error"
    page = console.open()

    page.locator("section", has_text="Failing now").get_by_role("link", name="to-fix").click()
    console.write("Configuration as JSON", json.dumps({"parameters": wrong_job("customers")}))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_role("heading", name="Job ", level=1)).to_be_visible()
    expect(page.get_by_text("success", exact=True)).to_be_visible()
    page.go_back()
    page.get_by_role("tab", name="Versions").click()
    page.get_by_role("button", name="Compare").first.click()
    expect(page.get_by_label("Differences")).to_contain_text("nowhere")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Roll back").first.click()
    expect(page.get_by_text("current")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(4)


def test_json_that_is_not_valid_is_not_saved_and_a_wrong_value_is_named(console: Console) -> None:
    page = console.open("components/ex-generic-v2/sample-orders")

    console.write("Configuration as JSON", "{oops")
    expect(page.get_by_role("alert")).to_contain_text("This is not valid JSON")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()

    console.write("Configuration as JSON", '{"parameters": {"api": {"baseUrl": 5}}}')
    expect(page.get_by_role("alert")).to_contain_text("parameters.api.baseUrl must be string")


def test_sql_is_completed_run_and_shown(console: Console, stack: RunningStack) -> None:
    stack.run_job("sample-customers")
    page = console.open("sql")

    console.write(
        "SQL", 'SELECT name, email FROM "in.c-sample"."customers" WHERE id = \'2\'; SELECT range FROM range(10000)'
    )
    page.keyboard.press("Control+Enter")

    expect(page.get_by_role("table", name="Statement 1")).to_contain_text("customer2@shop.example")
    numbers = page.get_by_role("table", name="Statement 2")
    expect(numbers).to_contain_text("0")
    assert numbers.get_by_role("row").count() < 100  # only the rows in view are in the document
    numbers.evaluate("table => table.scrollTo(0, table.scrollHeight)")
    expect(numbers).to_contain_text("9999")

    console.write("SQL", "SELEC 1")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("SELEC")
    page.get_by_role("button", name="customers in.c-sample", exact=True).click()
    expect(page.get_by_label("SQL", exact=True)).to_contain_text('"in.c-sample"."customers"')


def test_a_csv_file_becomes_a_table_and_comes_back(console: Console, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text('id,name\n1,Ann\n2,"Bob, the second"\n')
    page = console.open("storage")

    page.get_by_role("button", name="Upload CSV").click()
    page.locator("input[type=file]").set_input_files(file)
    bucket = page.get_by_label("Name of the bucket")
    if not bucket.is_visible():
        page.get_by_role("combobox", name="Bucket").click()
        page.get_by_role("option", name="a new bucket").click()
    page.get_by_role("button", name="Upload", exact=True).click()

    expect(page.get_by_role("table", name="Rows of in.c-uploads.people")).to_contain_text("Bob, the second")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    assert sorted(download.value.path().read_text().split("\n")) == [
        "",
        '"1","Ann"',
        '"2","Bob, the second"',
        '"id","name"',
    ]


def test_a_preview_is_filtered_by_the_server(console: Console, stack: RunningStack) -> None:
    stack.run_job("sample-customers")
    page = console.open("storage/in.c-sample/table/customers")

    page.get_by_role("combobox", name="Column of the filter").click()
    page.get_by_role("option", name="email").click()
    page.get_by_role("textbox", name="Value of the filter").fill("customer7@shop.example")

    expect(page.get_by_role("status").filter(has_text="1 rows")).to_be_visible()


def test_a_running_job_is_followed_and_terminated(console: Console, stack: RunningStack) -> None:
    body = {
        "component": "keboola.runner-config-test",
        "mode": "run",
        "configData": {"parameters": {"operation": "sleep", "timeout": 60}},
    }
    job = stack.queue.post("/jobs", body).json["id"]
    page = console.open(f"queue/{job}")

    expect(page.get_by_text("processing", exact=True)).to_be_visible()
    page.get_by_role("button", name="Terminate").click()

    expect(page.get_by_text("terminated", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Retry")).to_be_visible()


def test_a_new_token_is_shown_once_and_works(console: Console, stack: RunningStack) -> None:
    page = console.open("secrets")

    page.get_by_role("tab", name="Tokens").click()
    page.get_by_role("button", name="New token").click()
    page.get_by_label("Description").fill("for a script")
    page.get_by_role("button", name="Create").click()
    token = page.get_by_test_id("new-token").inner_text()
    page.get_by_role("button", name="Done").click()

    expect(page.get_by_role("row", name="for a script")).to_be_visible()
    assert token not in page.content()
    assert stack.storage.get("/v2/storage/tokens/verify", headers={"X-StorageApi-Token": token}).status == 200


def test_a_schedule_is_made_and_shows_its_next_runs(console: Console) -> None:
    page = console.open("automation")

    page.get_by_role("button", name="New schedule").click()
    page.get_by_role("combobox", name="Configuration").click()
    page.get_by_role("option", name="Sample: orders").click()
    page.get_by_role("combobox", name="Time zone").fill("UTC")
    page.get_by_label("Cron").fill("61 3 * * *")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("out of range")).to_be_visible()
    page.get_by_label("Cron").fill("0 3 * * *")
    page.get_by_role("button", name="Create").click()

    expect(page.get_by_role("row", name="Sample: orders")).to_contain_text("03:00:00 UTC")
    console.errors.clear()  # the refused schedule
    page.get_by_role("row", name="Sample: orders").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete the schedule").click()
    expect(page.get_by_text("Nothing is scheduled")).to_be_visible()
