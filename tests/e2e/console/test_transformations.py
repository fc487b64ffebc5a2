"""Transformations in the console: code, the tables that it reads and writes, and a try that writes nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import Console, find_violations, fits_a_phone, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

SQL, PYTHON = "keboola.duckdb-transformation", "keboola.python-transformation-v2"
TOTALS = 'CREATE TABLE "totals" AS\nSELECT address_country AS country, count(*) AS people FROM "customers" GROUP BY 1'
COUNT = "rows = open('in/tables/customers').readlines()\nprint(len(rows) - 1, 'customers')"


@pytest.fixture(scope="module", autouse=True)
def customers(stack: RunningStack) -> None:
    assert stack.run_job("sample-customers")["status"] == "success"


def make_configuration(stack: RunningStack, component: str, **parameters: object) -> str:
    blocks = [{"name": "Countries", "codes": [{"name": "Totals", "script": []}]}]
    storage = {"input": {"files": [{"tags": ["kept"]}]}}
    body = {"name": "Of people", "configuration": {"parameters": {"blocks": blocks, **parameters}, "storage": storage}}
    response = stack.storage.post(f"/v2/storage/components/{component}/configs", body)
    assert response.status == 201, response.text
    return response.json["id"]


def read_configuration(stack: RunningStack, component: str, config: str) -> dict[str, object]:
    return stack.storage.get(f"/v2/storage/components/{component}/configs/{config}").json["configuration"]


def test_sql_is_written_tried_and_run_without_json(console: Console, stack: RunningStack) -> None:
    config = make_configuration(stack, SQL)
    page = console.open(f"components/{SQL}/{config}")

    page.get_by_role("button", name="Add table to read").click()
    page.get_by_role("combobox", name="Table 1 to read").fill("in.c-sample.customers")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Name in the code of table 1")).to_have_value("customers")
    console.write("Code of Totals", TOTALS)
    page.get_by_role("button", name="Add table to write").click()
    page.get_by_label("Name in the code of output 1").fill("totals")
    page.get_by_role("combobox", name="Table 1 to write").fill("out.c-people.countries")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Try Totals").click()

    expect(page.get_by_role("table", name="Statement 2")).to_contain_text("people")
    assert not find_violations(page, "transformation")
    page.get_by_role("button", name="Save and run").click()
    expect(page.get_by_text("success", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="out.c-people.countries")).to_be_visible()
    assert read_configuration(stack, SQL, config) == {
        "parameters": {"blocks": [{"name": "Countries", "codes": [{"name": "Totals", "script": [TOTALS]}]}]},
        "storage": {
            "input": {
                "files": [{"tags": ["kept"]}],
                "tables": [{"source": "in.c-sample.customers", "destination": "customers"}],
            },
            "output": {"tables": [{"source": "totals", "destination": "out.c-people.countries"}]},
        },
    }


def test_an_error_of_a_try_says_where_it_is_and_the_next_try_begins_anew(console: Console, stack: RunningStack) -> None:
    config = make_configuration(stack, SQL)
    page = console.open(f"components/{SQL}/{config}")

    console.write("Code of Totals", "CREATE TABLE t AS SELECT 1 AS n;\n\nSELECT missing FROM t")
    page.get_by_role("button", name="Try Totals").click()
    expect(page.get_by_role("alert")).to_contain_text("missing")
    console.write("Code of Totals", "CREATE TABLE t AS SELECT 1 AS n;\n\nSELECT n + 41 AS answer FROM t")
    page.get_by_role("button", name="Try Totals").click()

    expect(page.get_by_role("table", name="Statement 2")).to_contain_text("42")


def test_python_is_tried_in_a_job_that_writes_nothing(console: Console, stack: RunningStack) -> None:
    config = make_configuration(stack, PYTHON, packages=[])
    page = console.open(f"components/{PYTHON}/{config}")

    page.get_by_role("button", name="Add table to read").click()
    page.get_by_role("combobox", name="Table 1 to read").fill("in.c-sample.customers")
    page.keyboard.press("Escape")
    console.write("Code of Totals", COUNT)
    page.get_by_role("button", name="Try Totals").click()

    expect(page.get_by_role("log")).to_contain_text("250 customers")
    console.write("Code of Totals", "x = 1\nx / 0")
    page.get_by_role("button", name="Try Totals").click()
    expect(page.get_by_role("log")).to_contain_text('In block "Try", code "Totals", line 2.')
    assert fits_a_phone(page, "transformation")


def test_code_and_json_are_the_same_draft(console: Console, stack: RunningStack) -> None:
    config = make_configuration(stack, SQL)
    page = console.open(f"components/{SQL}/{config}")

    console.write("Code of Totals", "SELECT 1;\n-- the end")
    page.get_by_role("button", name="Add block").click()
    page.get_by_role("button", name="Move Block 2 up").click()
    page.get_by_text("JSON", exact=True).click()
    expect(page.get_by_label("Configuration as JSON")).to_contain_text('"SELECT 1;\\n-- the end"')
    page.reload()

    expect(page.get_by_label("Name of block 1")).to_have_value("Block 2")
    expect(page.get_by_label("Code of Totals")).to_contain_text("-- the end")


def test_a_selection_runs_alone(console: Console) -> None:
    page = console.open("sql")
    console.write("SQL", "SELECT 41 AS first;\nSELECT 42 AS second")

    page.keyboard.press("Shift+Home")
    page.get_by_role("button", name="Run the selection").click()

    expect(page.get_by_role("table", name="Result")).to_contain_text("42")
