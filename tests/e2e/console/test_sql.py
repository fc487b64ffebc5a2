"""SQL in the console: charts and files of results, several statements, cancellation, history, transformations."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

TOTALS = 'SELECT address_country AS country, count(*) AS people FROM "in.c-sample"."customers" GROUP BY 1 ORDER BY 1'


@pytest.fixture(scope="module", autouse=True)
def customers(stack: RunningStack) -> None:
    assert stack.run_job("sample-customers")["status"] == "success"


def test_a_result_is_drawn_and_downloaded(console: Console) -> None:
    page = console.open("sql")
    console.write("SQL", TOTALS)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("table", name="Result")).to_be_visible()

    with page.expect_download() as csv:
        page.get_by_role("button", name="Download Result as CSV").click()
    with page.expect_download() as parquet:
        page.get_by_role("button", name="Download Result as Parquet").click()
    lines = csv.value.path().read_text().splitlines()
    assert lines[0].replace('"', "") == "country,people"
    assert sum(int(line.rsplit(",")[-1].strip('"')) for line in lines[1:]) == 250
    assert parquet.value.path().read_bytes()[:4] == b"PAR1"

    page.get_by_text("Chart", exact=True).click()
    numbers = page.get_by_role("table", name="Numbers of: Chart of Result")
    expect(numbers.get_by_role("row")).to_have_count(len(lines))
    page.get_by_text("Lines", exact=True).click()
    expect(page.locator(".chart path")).to_have_count(1)


def test_a_long_query_is_cancelled(console: Console) -> None:
    page = console.open("sql")
    console.write("SQL", "SELECT count(*) FROM range(100000000000) a")
    page.keyboard.press("Control+Enter")

    page.get_by_role("button", name="Cancel").click()

    expect(page.get_by_text("The query was canceled.")).to_be_visible()


def test_an_earlier_query_is_used_again(console: Console) -> None:
    page = console.open("sql")
    console.write("SQL", "SELECT 1 AS first_of_all; SELECT 2 AS second")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("table", name="Statement 2")).to_be_visible()
    console.write("SQL", "SELECT 3")

    page.get_by_role("button", name="History").click()
    page.get_by_label("Search the history").fill("first_of_all")
    page.get_by_role("button", name="Use", exact=True).first.click()

    expect(page.get_by_label("SQL", exact=True)).to_have_text("SELECT 1 AS first_of_all")


def test_a_query_is_saved_as_a_transformation_that_runs(console: Console, stack: RunningStack) -> None:
    page = console.open("sql")
    console.write("SQL", TOTALS)

    page.get_by_role("button", name="Save as transformation").click()
    expect(page.get_by_role("dialog")).to_contain_text("It reads in.c-sample.customers.")
    page.get_by_label("Name").fill("People by country")
    page.get_by_label("Table for the rows of the last query").fill("out.c-saved.countries")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="People by country")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_text("success", exact=True)).to_be_visible()
    page.get_by_role("link", name="out.c-saved.countries").click()
    expect(page.get_by_role("table", name="Rows of out.c-saved.countries")).to_contain_text("country")


def test_tables_and_their_columns_are_completed(console: Console) -> None:
    page = console.open("sql")
    expect(page.get_by_role("button", name="customers in.c-sample", exact=True)).to_be_visible()
    page.get_by_label("SQL", exact=True).click()
    suggested = page.locator(".cm-tooltip-autocomplete")

    page.keyboard.type("SELECT * FROM customers_")
    expect(suggested).to_contain_text("customers_tags")
    page.keyboard.press("Backspace")
    suggested.get_by_role("option", name="customersin.c-sample", exact=True).click()
    expect(page.get_by_label("SQL", exact=True)).to_have_text('SELECT * FROM "in.c-sample"."customers"')
    page.keyboard.type(" WHERE address_coun")

    suggested.get_by_role("option", name="address_country").click()
    expect(page.get_by_label("SQL", exact=True)).to_contain_text("WHERE address_country")
