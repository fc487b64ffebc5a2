"""Storage in the console: large uploads, snapshots, rows over time, new buckets and tables, deletions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

MEGABYTE = 1_000_000
LINE = "{:08d},a line of a file that is rather large,2026-01-01\n"


@pytest.fixture(scope="session")
def shop(stack: RunningStack) -> str:
    """A bucket with a table of three rows, which were loaded one after another."""
    storage = stack.storage
    storage.post("/v2/storage/buckets", {"stage": "in", "name": "shop"})
    table = {"name": "people", "primaryKey": "id", "dataString": "id,name,age\n1,Ann,9\n"}
    assert storage.post("/v2/storage/buckets/in.c-shop/tables", table).status == 201
    for row in ("2,Bob,10\n", "3,Cleo,30\n"):
        body = {"dataString": f"id,name,age\n{row}", "incremental": 1}
        assert storage.post("/v2/storage/tables/in.c-shop.people/import", body).status == 200
    return "storage/in.c-shop/table/people"


def slow_down(page: Page, megabytes_per_second: float) -> None:
    conditions = {"offline": False, "latency": 0, "downloadThroughput": -1}
    speed = {"uploadThroughput": megabytes_per_second * MEGABYTE if megabytes_per_second else -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {**conditions, **speed})


@pytest.mark.parametrize("megabytes", [5, pytest.param(50, marks=pytest.mark.faults)])
def test_a_large_file_is_uploaded_with_progress_after_a_first_try_was_cancelled(
    console: Console, stack: RunningStack, tmp_path: Path, megabytes: int
) -> None:
    file, bucket = tmp_path / "large.csv", f"in.c-large{megabytes}"
    lines = megabytes * MEGABYTE // len(LINE.format(0)) + 1
    file.write_text("id,text,day\n" + "".join(LINE.format(number) for number in range(lines)))
    stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": f"large{megabytes}"})
    page = console.open(f"storage/{bucket}")
    page.get_by_role("button", name="Upload CSV").click()
    page.locator("input[type=file]").set_input_files(file)
    dialog = page.get_by_role("dialog")

    slow_down(page, megabytes / 12)
    dialog.get_by_role("button", name="Upload", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("Uploading 1")
    expect(dialog.get_by_role("progressbar", name="Progress of the upload")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog.get_by_role("progressbar")).to_have_count(0)
    assert stack.storage.get(f"/v2/storage/buckets/{bucket}/tables").json == []

    slow_down(page, 0)
    dialog.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("table", name=f"Rows of {bucket}.large")).to_contain_text("00000000")
    expect(page.get_by_role("status").filter(has_text=f"of {lines:,}")).to_be_visible()


def test_the_rows_of_a_table_are_drawn_over_time(console: Console, shop: str) -> None:
    page = console.open(f"{shop}?tab=rows")

    numbers = page.get_by_role("table", name="Numbers of: Rows of in.c-shop.people over time")
    expect(numbers.get_by_role("cell")).to_have_text(["1", "2", "3"])
    page.get_by_role("group", name="Rows of in.c-shop.people over time").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".chart-tip")).to_contain_text("3")


def test_a_snapshot_becomes_another_table_and_is_deleted(console: Console, shop: str) -> None:
    page = console.open(f"{shop}?tab=snapshots")

    page.get_by_role("button", name="Create snapshot").click()
    page.get_by_label("Description").fill("before the move")
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_role("row", name="before the move").get_by_role("button", name="Restore").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore").click()
    expect(page.get_by_role("table", name="Rows of in.c-shop.people_restored")).to_contain_text("Cleo")

    console.go(f"{shop}?tab=snapshots")
    page.get_by_role("row", name="before the move").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("The copy of 3 rows")
    page.get_by_role("button", name="Delete the snapshot").click()
    expect(page.get_by_text("There are no snapshots")).to_be_visible()


def test_filters_are_combined_and_numbers_are_compared_as_numbers(console: Console, shop: str) -> None:
    page = console.open(shop)

    page.get_by_role("combobox", name="Column of the filter").click()
    page.get_by_role("option", name="age").click()
    page.get_by_role("combobox", name="Comparison").click()
    page.get_by_role("option", name="at least").click()
    page.get_by_role("textbox", name="Value of the filter").fill("10")
    expect(page.get_by_role("status").filter(has_text="2 rows")).to_be_visible()
    page.get_by_role("button", name="And…").click()
    page.get_by_role("combobox", name="Column of the filter 2").click()
    page.get_by_role("option", name="name").click()
    page.get_by_role("textbox", name="Value of the filter 2").fill("Bob")

    expect(page.get_by_role("status").filter(has_text="1 rows")).to_be_visible()


def test_a_bucket_and_a_typed_table_are_created_changed_and_deleted(console: Console, stack: RunningStack) -> None:
    console.page.emulate_media(reduced_motion="no-preference")  # dialogs and menus fade, as for most people
    page = console.open("storage")
    page.get_by_role("button", name="New…").click()
    page.get_by_role("menuitem", name="New bucket").click()
    page.get_by_label("Name").fill("made")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="New table").click()
    page.get_by_label("Name of the table").fill("orders")
    page.get_by_label("Name of column 2").fill("paid")
    page.get_by_role("combobox", name="Type of column 2").click()
    page.get_by_role("option", name="BOOLEAN").click()
    page.get_by_role("button", name="Create").click()

    page.get_by_role("tab", name="Columns (2)").click()
    expect(page.get_by_role("row", name="paid")).to_contain_text("BOOLEAN")
    page.get_by_role("button", name="Drop paid").click()
    page.get_by_role("button", name="Drop the column").click()
    expect(page.get_by_role("tab", name="Columns (1)")).to_be_visible()

    console.go("storage/in.c-made")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("1 tables with 0 rows (0 B) are lost: orders.")
    expect(page.get_by_role("button", name="Delete the bucket")).to_be_disabled()
    page.get_by_label("Write in.c-made to go on").fill("in.c-made")
    page.get_by_role("button", name="Delete the bucket").click()
    expect(page.get_by_role("heading", name="Storage")).to_be_visible()
    assert stack.storage.get("/v2/storage/buckets/in.c-made").status == 404


def test_a_column_is_found_by_the_search(console: Console, shop: str) -> None:
    page = console.open("storage")

    page.get_by_label("Search buckets, tables and columns").fill("AGE")

    expect(page.get_by_role("row", name="people").first).to_contain_text("column age")
    page.reload()
    expect(page.get_by_role("link", name="people").first).to_be_visible()
    page.get_by_label("Search buckets, tables and columns").fill("no such thing")
    expect(page.get_by_text("No bucket, table or column has this name")).to_be_visible()


def test_a_primary_key_that_is_refused_leaves_the_one_before(console: Console, stack: RunningStack) -> None:
    stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": "keys"})
    table = {"name": "same", "primaryKey": "id", "dataString": "id,name\n1,Ann\n2,Ann\n"}
    assert stack.storage.post("/v2/storage/buckets/in.c-keys/tables", table).status == 201
    page = console.open("storage/in.c-keys/table/same?tab=columns")
    page.get_by_role("button", name="Change primary key").click()
    columns = page.get_by_role("combobox", name="Columns of the key")

    columns.click()
    columns.press("Backspace")
    page.get_by_role("option", name="name").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.get_by_text("The table keeps its key: id.")).to_be_visible()
    assert stack.storage.get("/v2/storage/tables/in.c-keys.same").json["primaryKey"] == ["id"]


def test_the_columns_of_all_buckets_are_in_one_line(console: Console, stack: RunningStack) -> None:
    for name, columns in {"short": "a", "much-longer-name": "a_column_with_a_long_name,b"}.items():
        stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": name})
        body = {"name": f"{name}-table", "dataString": f"{columns}\n"}
        stack.storage.post(f"/v2/storage/buckets/in.c-{name}/tables", body)
    page = console.open("storage")

    expect(page.get_by_role("link", name="much-longer-name-table")).to_be_visible()
    for column in ("Rows", "Key", "Changed"):
        heads = page.get_by_role("columnheader", name=column)
        edges = {round((heads.nth(at).bounding_box() or {})["x"]) for at in range(heads.count())}
        assert len(edges) == 1, column


def test_rows_of_lists_are_closer_when_that_is_chosen_and_stay_so(console: Console) -> None:
    page = console.open("components/configurations")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Sample: customers"))
    expect(row).to_be_visible()
    before = (row.bounding_box() or {})["height"]

    page.get_by_role("button", name="Compact rows").click()
    expect(page.locator("html")).to_have_attribute("data-density", "compact")
    closer = (row.bounding_box() or {})["height"]
    page.reload()
    expect(row).to_be_visible()

    assert closer < before
    assert (row.bounding_box() or {})["height"] == closer
