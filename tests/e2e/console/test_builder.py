"""The builder: from an address, a curl command, an OpenAPI document or a HAR to rows in a table."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.support.api import Api, Response
from tests.support.browser import Console, find_violations, fits_a_phone, needs_chromium
from tests.support.stacks import RunningStack, wait_for

pytestmark = needs_chromium

SAMPLE = "http://sample.penstock.localhost"
PANES = ("Request", "Response", "Records", "Tables")
CANARY = "canary-of-the-builder"
LIST = {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "object"}}}}}
OPENAPI = {
    "openapi": "3.0.0",
    "servers": [{"url": SAMPLE}],
    "paths": {
        "/customers": {"get": {"summary": "All customers", "responses": {"200": LIST}}},
        "/orders": {"get": {"summary": "All orders", "responses": {"200": LIST}}},
    },
}


def propose(page: Page, source: str) -> None:
    page.get_by_label("Address, curl command, OpenAPI document or HAR").fill(source)
    page.get_by_role("button", name="Propose a configuration").click()


def build(console: Console, source: str = f"{SAMPLE}/customers") -> Page:
    """The builder after its first try."""
    page = console.open("extract")
    propose(page, source)
    expect(tables(page)).to_contain_text("Chiara Lovelace")
    return page


def tables(page: Page) -> Locator:
    return page.get_by_role("table", name="First rows of customers", exact=True)


def read_json(page: Page) -> dict[str, Any]:
    """What the editor holds; it shows only the lines in view, so the view must be tall enough."""
    return json.loads(page.get_by_label("Configuration as JSON").inner_text())


def try_again(page: Page) -> None:
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_text("requests, two pages at most.")).to_be_visible()


def look_at(page: Page, finding: str) -> None:
    page.get_by_label("What was found").get_by_role("button", name=finding).click()


def behind(page: Page, finding: str) -> Locator:
    return page.get_by_role("dialog", name=finding)


def test_from_an_address_to_rows_in_a_table(console: Console) -> None:
    page = console.open("extract")
    propose(page, f"{SAMPLE}/customers")

    look_at(page, "pagination offset")
    expect(behind(page, "pagination")).to_contain_text("proven")
    expect(behind(page, "pagination")).to_contain_text("offset is a usual name")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Pagination", exact=True)).to_contain_text("page 2 differs")
    expect(tables(page)).to_contain_text("Chiara Lovelace")
    page.get_by_role("textbox", name="Name", exact=True).fill("My customers")
    page.get_by_role("button", name="Save and run").click()

    expect(page.get_by_text("success", exact=True)).to_be_visible()
    page.get_by_role("link", name=".customers", exact=False).first.click()
    expect(page.get_by_role("table", name="Rows of in.c-")).to_contain_text("Chiara Lovelace")


def test_a_wrong_pagination_is_told_from_a_right_one(console: Console) -> None:
    page = build(console)
    pagination = page.get_by_label("Pagination", exact=True)
    look_at(page, "page 2")
    expect(behind(page, "page 2")).to_contain_text("none of their values of id is on page 1")
    page.keyboard.press("Escape")

    document = read_json(page)
    document["parameters"]["api"]["pagination"] = {"method": "offset", "limit": 20, "offsetParam": "begin"}
    console.write("Configuration as JSON", json.dumps(document))
    expect(page.get_by_text("Changed since the last try.")).to_be_visible()
    expect(page.locator(".panes")).to_have_attribute("data-old", "true")
    try_again(page)
    expect(page.locator(".panes")).not_to_have_attribute("data-old", "true")
    expect(pagination).to_contain_text("page 2 is not the next page")
    look_at(page, "page 2")
    expect(behind(page, "page 2")).to_contain_text("returned the same page again")
    page.keyboard.press("Escape")

    page.get_by_role("textbox", name="Offset Param").fill("offset")
    try_again(page)
    expect(pagination).to_contain_text("page 2 differs")


def test_it_tries_by_itself_after_an_edit_if_that_is_wanted(console: Console) -> None:
    page = build(console)
    page.get_by_label("Try by itself after each edit").check()
    page.get_by_role("textbox", name="Endpoint").fill("nothing")
    expect(page.get_by_label("Request that was sent")).to_contain_text("/nothing")

    page.reload()
    expect(page.get_by_label("Try by itself after each edit")).to_be_checked()
    expect(page.get_by_label("What was found")).to_contain_text("primary key")


def test_a_click_uses_what_was_found_as_the_key_and_keeps_the_child_tables(console: Console) -> None:
    page = build(console)
    look_at(page, "primary key")
    behind(page, "primary key").get_by_role("button", name="Use as key").click()

    expect(behind(page, "primary key")).to_contain_text("The configuration does this.")
    page.keyboard.press("Escape")
    wait_for(lambda: read_json(page)["parameters"]["config"]["jobs"][0].get("primaryKey") == ["id"])
    try_again(page)
    expect(page.get_by_text("key id", exact=False).first).to_be_visible()
    expect(page.get_by_role("table", name="First rows of customers_tags")).to_be_visible()


def test_a_click_loads_only_what_is_new(console: Console) -> None:
    records = [{"id": number, "updated_at": 1_700_000_000 + number} for number in range(7)]
    with Api() as api:
        api.on("/list", lambda seen: Response.json([] if "since" in seen.params else records))
        page = console.open("extract")
        propose(page, f"{api.url}/list")
        look_at(page, "incremental")
        behind(page, "incremental").get_by_role("button", name="Load only what is new").click()
        page.keyboard.press("Escape")

        def job() -> dict[str, Any]:
            return read_json(page)["parameters"]["config"]["jobs"][0]

        wait_for(lambda: job().get("incremental") is True)
        assert job()["primaryKey"] == ["id"]
        assert job()["params"]["since"] == {"time": "previousStart"}
        expect(page.get_by_role("alert")).to_have_count(0)


def test_everything_is_in_view_on_a_small_screen(console: Console) -> None:
    page = build(console)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert all(box["y"] + box["height"] <= 800 for box in [pane(page, name) for name in PANES])
    chips = page.get_by_label("What was found").get_by_role("button").all()
    assert len({left_and_top["y"] for chip in chips if (left_and_top := chip.bounding_box())}) == 1

    page.get_by_label("Configuration as JSON").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Save and run")).to_be_in_viewport()


def test_clicks_on_the_response_map_columns_and_choose_the_records(console: Console) -> None:
    page = build(console)
    tree = page.get_by_role("tree", name="Response")

    tree.get_by_role("button", name="Map id:").first.click()
    tree.get_by_role("button", name="Map address.city:").first.click()
    page.get_by_label("Column of address.city").fill("town")
    page.get_by_label("id is in the primary key", exact=True).check()
    mapping = {
        "id": {"mapping": {"destination": "id", "primaryKey": True}},
        "address.city": {"mapping": {"destination": "town"}},
    }
    wait_for(lambda: read_json(page)["parameters"]["config"].get("mappings") == {"customers": mapping})
    job = read_json(page)["parameters"]["config"]
    try_again(page)
    expect(tables(page).get_by_role("columnheader")).to_have_text(["id", "town"])
    expect(page.get_by_text("key id", exact=False).first).to_be_visible()

    job["jobs"][0]["dataField"] = "nothing"
    whole = read_json(page)
    console.write("Configuration as JSON", json.dumps({**whole, "parameters": {**whole["parameters"], "config": job}}))
    try_again(page)
    expect(page.get_by_role("alert").filter(has_text="Path nothing not found").first).to_be_visible()
    tree.get_by_role("button", name="Read records of customers:").click()
    wait_for(lambda: read_json(page)["parameters"]["config"]["jobs"][0]["dataField"] == "customers")
    try_again(page)
    expect(tables(page).get_by_role("columnheader")).to_have_text(["id", "town"])
    whole = read_json(page)
    town = whole["parameters"]["config"]["mappings"]["customers"].pop("address.city")
    whole["parameters"]["config"]["mappings"]["customers"]["address|city"] = {**town, "delimiter": "|"}
    console.write("Configuration as JSON", json.dumps(whole))
    city = tree.locator(".tree-line").filter(has=page.get_by_role("button", name="Map address.city:")).first
    expect(page.get_by_label("Column of address|city")).to_have_value("town")
    expect(city).to_contain_text("column")


def test_a_secret_of_a_command_is_encrypted_and_not_shown_again(console: Console, stack: RunningStack) -> None:
    seen: list[str] = []
    console.page.on("request", lambda sent: seen.append(f"{sent.url} {sent.post_data or ''}"))
    page = build(console, f"curl {SAMPLE}/customers -H 'X-Api-Key: {CANARY}'")

    expect(page.get_by_label("Configuration as JSON")).to_contain_text('"#x_api_key": "KBC::')
    assert CANARY not in page.content()
    expect(page.get_by_label("Request that was sent")).to_contain_text("X-Api-Key: --HIDDEN--")
    page.get_by_role("textbox", name="Name", exact=True).fill("With a secret")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="With a secret")).to_be_visible()

    assert CANARY not in page.content()
    assert not [each for each in seen if CANARY in each.split(" ")[0]]
    assert not [each for each in seen if CANARY in each and "/configs" in each]
    assert page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})").count(CANARY) == 0
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("success", exact=True)).to_be_visible()


def test_an_endpoint_of_an_openapi_document_is_chosen(console: Console) -> None:
    page = console.open("extract")
    propose(page, json.dumps(OPENAPI))

    expect(page.get_by_role("heading", name="2 endpoints return lists")).to_be_visible()
    assert find_violations(page, "endpoints") == []
    page.get_by_role("button", name="Choose /customers").click()

    expect(tables(page)).to_contain_text("Chiara Lovelace")
    assert read_json(page)["parameters"]["config"]["jobs"][0]["endpoint"] == "customers"


def test_a_har_file_is_read(console: Console, tmp_path: Path) -> None:
    request = {"method": "GET", "url": f"{SAMPLE}/customers", "headers": []}
    body = {"content": {"text": json.dumps({"customers": [{"id": 1}, {"id": 2}]})}}
    file = tmp_path / "recording.har"
    file.write_text(json.dumps({"log": {"version": "1.2", "entries": [{"request": request, "response": body}]}}))
    page = console.open("extract")

    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("HAR file", exact=True)).to_be_visible()
    page.get_by_role("button", name="Propose a configuration").click()

    expect(tables(page)).to_contain_text("Chiara Lovelace")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (f"{SAMPLE}/nothing", "404"),
        ("not an address", "is not a valid address"),
        (f"curl -X DELETE {SAMPLE}/customers", "DELETE"),
        ('{"openapi": "3.0.0"}', "it has no paths"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(console: Console, source: str, sentence: str) -> None:
    page = console.open("extract")
    propose(page, source)

    expect(page.get_by_role("alert")).to_contain_text(sentence)


def test_a_failing_job_is_found_and_fixed_in_the_builder(console: Console, stack: RunningStack) -> None:
    jobs = [{"endpoint": "customers", "dataField": "people"}]
    config = {"api": {"baseUrl": f"{SAMPLE}/"}, "config": {"outputBucket": "built", "jobs": jobs, "note": "kept"}}
    stack.configure(config, "to-build")
    stack.run_job("to-build")
    page = console.open("components/ex-generic-v2/to-build")

    page.get_by_role("link", name="Open in the builder").click()
    expect(page.get_by_role("alert").filter(has_text="Path people not found").first).to_be_visible()
    page.get_by_role("button", name="Read records of customers:").click()
    try_again(page)
    expect(page.get_by_role("table", name="First rows of built.customers", exact=True)).to_contain_text("Lovelace")
    page.get_by_role("button", name="Save and run").click()

    expect(page.get_by_text("success", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="in.c-built.customers", exact=True)).to_be_visible()
    saved = stack.storage.get("/v2/storage/components/ex-generic-v2/configs/to-build").json["configuration"]
    assert saved["parameters"]["config"]["note"] == "kept"


def pane(page: Page, name: str) -> FloatRect:
    box = page.locator(".panes > section").filter(has=page.get_by_role("heading", name=name)).bounding_box()
    assert box
    return box


def left_of(handle: Locator) -> float:
    box = handle.bounding_box()
    assert box
    return box["x"]


def test_the_panes_are_side_by_side_and_their_edges_move(console: Console) -> None:
    page = build(console)
    handle = page.get_by_role("separator", name="Between Records and Tables")
    boxes = [pane(page, name) for name in PANES]
    assert len({box["y"] for box in boxes}) == 1
    assert all(left["x"] + left["width"] < right["x"] for left, right in itertools.pairwise(boxes))

    handle.press("ArrowLeft")
    expect(handle).to_have_attribute("aria-valuenow", "73")
    assert pane(page, "Tables")["width"] > boxes[3]["width"] + 20
    before = left_of(handle)
    page.mouse.move(before + 3, 500)
    page.mouse.down()
    page.mouse.move(1270, 500, steps=3)
    expect(handle).to_have_attribute("aria-valuenow", "81")
    page.mouse.move(before + 13, 500)
    expect(handle).not_to_have_attribute("aria-valuenow", "81")
    assert left_of(handle) == pytest.approx(before + 10, abs=1)
    page.mouse.move(1270, 500, steps=3)
    page.mouse.up()
    page.mouse.move(300, 500)
    expect(handle).to_have_attribute("aria-valuenow", "81")
    assert 150 < pane(page, "Tables")["width"] < boxes[3]["width"] - 40
    assert pane(page, "Request")["width"] == boxes[0]["width"]

    page.set_viewport_size({"width": 1200, "height": 900})
    expect(handle).to_be_hidden()
    assert pane(page, "Tables")["x"] == pane(page, "Response")["x"]


def test_the_builder_is_accessible_and_fits_a_phone(console: Console) -> None:
    page = console.page
    build(console)
    page.get_by_role("tree", name="Response").get_by_role("button", name="Map id:").first.click()
    boxes = [page.locator(".panes > section").nth(at).bounding_box() for at in range(4)]
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 1280 for box in boxes)
    page.locator(".panes").scroll_into_view_if_needed()

    assert find_violations(page, "builder") == []
    assert fits_a_phone(page, "builder")
