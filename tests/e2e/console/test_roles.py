"""What a role or a token may not do is hidden, or disabled with the reason: on every screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.console.people import PeopleStack, add_person
from tests.e2e.console.test_screens import FLOW, SCREENS, settle
from tests.support.browser import Console, needs_chromium, new_page
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

CONTROLS = """() => [...document.querySelectorAll(
    "main button, main [role=switch], main input[type=checkbox], main input[type=file], [role=menuitem]")]
  .filter((each) => each.checkVisibility() && !each.matches(":disabled, [role=tab], [role=radio]")
    && each.getAttribute("aria-disabled") !== "true")
  .map((each) => (each.getAttribute("aria-label")
    || each.closest("label, .mantine-Switch-root, .mantine-Checkbox-root")?.innerText
    || each.innerText || each.name || "").trim().replace(/\\s+/g, " "))"""
READING = re.compile(
    r"Export CSV|Query in SQL|Compute the profile"
    r"|Refresh|Compare|Sent|Trash|More|Show more.*|History|Run \(Ctrl-Enter\)|Export as CSV|Download.*"
    r"|Headers and POST|Choose a file|Start again|Open job \d+|Use .* colours|\S+ in\.c-\S+|Compact rows|Close"
    r"|after each edit|Try by itself after each edit|Toggle.*|zoom .*|fit view|Zoom .*|Fit View"
)
"""Controls that change nothing of a project. Every other one has to be disabled."""
OTHERS = {
    "authorizations": "secrets?tab=authorizations",
    "trigger": "automation?tab=triggers",
    "builder": "extract/sample-customers",
}
PATHS = {**SCREENS, **OTHERS}


@pytest.fixture(scope="module")
def job(new_people_stack: PeopleStack) -> str:
    """Of a project that has something on every screen."""
    stack = new_people_stack.stack
    body = {"name": "Every evening", "configurationId": "evening", "configuration": FLOW}
    stack.storage.post("/v2/storage/components/keboola.flow/configs", body)
    return stack.run_job("sample-customers")["id"]


def list_writing(page: Page, paths: Iterable[tuple[str, str]], console: Console) -> dict[str, list[str]]:
    """Enabled controls that are not known to change nothing, by screen."""
    found: dict[str, list[str]] = {}
    for name, path in paths:
        console.go(path)
        settle(page)
        expect(page.get_by_test_id("project")).to_have_text("My project")  # with it come the rights
        writing = [each for each in page.evaluate(CONTROLS) if not READING.fullmatch(each)]
        if writing:
            found[name] = sorted(set(writing))
    return found


@pytest.mark.parametrize("role", ["guest", "readOnly"])
def test_a_role_that_reads_finds_no_enabled_control_that_writes(
    browser: Browser, people: PeopleStack, job: str, role: str
) -> None:
    console = add_person(browser, people, f"{role.lower()}@example.com", role)
    page = console.page

    assert list_writing(page, ((name, path.format(job=job)) for name, path in PATHS.items()), console) == {}
    console.go("components/ex-generic-v2/sample-customers")
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_have_attribute("title", re.compile("Your role in this project only reads"))
    page.get_by_role("button", name="Branch: Main").click()
    expect(page.get_by_role("menuitem", name="Main")).to_be_visible()
    expect(page.get_by_role("menuitem", name="New branch…")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("role", ["share", "admin"])
def test_a_role_that_writes_finds_the_controls_enabled(
    browser: Browser, people: PeopleStack, job: str, role: str
) -> None:
    console = add_person(browser, people, f"{role}@example.com", role)
    writing = list_writing(console.page, [("jobs", f"queue/{job}"), ("storage", "storage")], console)

    assert "Run again" in writing["jobs"]
    assert "Upload CSV" in writing["storage"]
    console.page.context.close()


TOKENS: dict[str, tuple[dict[str, Any], dict[str, list[str]]]] = {
    "nothing": ({}, {}),
    "one bucket": (
        {"bucketPermissions": {"in.c-sample": "write"}},
        {
            "table": ["Delete", "Upload rows"],
            "bucket": ["New table", "Upload CSV"],
            "table-columns": ["Add column", "Change primary key"],
            "table-snapshots": ["Create snapshot", "Restore an earlier time"],
        },
    ),
    "one component": (
        {"componentAccess": ["keboola.flow"]},
        {"flow": ["Run"], "flows": ["New flow"], "configurations": ["New configuration"]},
    ),
}


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_finds_enabled_what_it_may_do(browser: Browser, stack: RunningStack, name: str) -> None:
    rights, enabled = TOKENS[name]
    body = {"name": "Every evening", "configurationId": "evening", "configuration": FLOW}
    stack.storage.post("/v2/storage/components/keboola.flow/configs", body)
    job = stack.run_job("sample-customers")["id"]
    made = stack.storage.post("/v2/storage/tokens", {"description": name, **rights}).json
    page = new_page(browser)
    page.add_init_script(f"sessionStorage.setItem('penstock.token', '{made['token']}')")
    console = Console(page, stack)
    asked = ["jobs", "configurations", "flows", "storage", "automation", "notifications", "secrets"]
    if "bucketPermissions" in rights:
        asked += ["table", "bucket", "table-columns", "table-snapshots"]
    if "componentAccess" in rights:
        asked += ["flow"]

    writing = list_writing(page, ((each, PATHS[each].format(job=job)) for each in asked), console)
    for screen, expected in enabled.items():
        assert set(expected) <= set(writing.pop(screen)), screen
    assert {screen: found for screen, found in writing.items() if found} == {}
    page.context.close()
