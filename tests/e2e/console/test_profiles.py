"""What is in a table: the profile of its columns, and its rows in SQL."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import Console, find_violations, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium


@pytest.fixture(scope="session")
def people(stack: RunningStack) -> str:
    """A table of a hundred rows with two names, ages from 0 to 99, and every tenth town empty."""
    rows = [f"{age},{'Ann' if age % 4 else 'Bob'},{'' if age % 10 == 0 else 'Brno'}" for age in range(100)]
    stack.storage.post("/v2/storage/buckets", {"stage": "in", "name": "profiled"})
    table = {"name": "people", "dataString": "\n".join(["age,name,town", *rows])}
    assert stack.storage.post("/v2/storage/buckets/in.c-profiled/tables", table).status == 201
    return "storage/in.c-profiled/table/people"


def test_a_profile_shows_what_is_in_each_column(console: Console, people: str) -> None:
    page = console.open(people)
    page.get_by_role("tab", name="Profile").click()
    profile = page.get_by_role("table", name="Profile of in.c-profiled.people")

    expect(profile.get_by_role("row", name="town")).to_contain_text("10")
    expect(profile.get_by_role("row", name="age")).to_contain_text("49.5")
    assert not find_violations(page, "profile")
    page.get_by_role("button", name="name", exact=True).click()

    top = page.get_by_role("table", name="Numbers of: Most frequent values of name")
    expect(top.get_by_role("row").nth(1)).to_have_text("Ann75")
    expect(top.get_by_role("row").nth(2)).to_have_text("Bob25")


def test_numbers_are_drawn_as_they_are_spread(console: Console, people: str) -> None:
    page = console.open(f"{people}?tab=profile")
    page.get_by_role("button", name="age", exact=True).click()

    spread = page.get_by_role("table", name="Numbers of: Numbers of age")
    expect(spread.get_by_role("row")).to_have_count(21)
    expect(spread.get_by_role("row").nth(1)).to_contain_text("5")


def test_a_table_is_queried_with_one_click_and_the_earlier_query_comes_back(console: Console, people: str) -> None:
    page = console.open("sql")
    console.write("SQL", "SELECT 1 AS earlier")
    console.go(people)

    page.get_by_role("button", name="Query in SQL").click()

    editor = page.get_by_label("SQL", exact=True)
    expect(editor).to_have_text('SELECT * FROM "in.c-profiled"."people" LIMIT 100')
    editor.click()
    page.keyboard.press("Control+z")
    expect(editor).to_have_text("SELECT 1 AS earlier")
