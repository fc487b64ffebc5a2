"""Edits that are not saved, and two people who edit the same."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack, wait_for

pytestmark = needs_chromium

TESTER = "keboola.runner-config-test"
CONFIGS = f"/v2/storage/components/{TESTER}/configs"
ASKED = "There are changes that are not saved"


def store(stack: RunningStack, name: str, document: dict[str, Any], component: str = TESTER) -> None:
    body = {"name": name, "configurationId": name, "configuration": document}
    assert stack.storage.post(f"/v2/storage/components/{component}/configs", body).status == 201


def stored(stack: RunningStack, name: str) -> Any:
    return stack.storage.get(f"{CONFIGS}/{name}").json["configuration"]


def edit(console: Console, message: str) -> None:
    console.write("Configuration as JSON", json.dumps({"parameters": {"operation": "whoami", "note": message}}))


def open_edited(console: Console, stack: RunningStack, name: str) -> Page:
    store(stack, name, {"parameters": {"operation": "whoami"}})
    page = console.open(f"components/{TESTER}/{name}")
    edit(console, "mine")
    return page


def test_leaving_asks_and_what_is_kept_is_still_there(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "left")

    page.get_by_role("link", name="Jobs").first.click()
    expect(page.get_by_role("dialog", name=ASKED)).to_contain_text("left")
    page.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_label("Configuration as JSON")).to_contain_text("mine")
    page.get_by_role("tab", name="Versions").click()
    page.get_by_role("tab", name="Settings").click()
    expect(page.get_by_label("Configuration as JSON")).to_contain_text("mine")

    page.get_by_role("link", name="Jobs").first.click()
    page.get_by_role("button", name="Save and leave").click()
    expect(page).to_have_url(re.compile(r"/queue$"))
    assert stored(stack, "left")["parameters"]["note"] == "mine"


def test_an_edit_that_is_discarded_is_gone_and_does_not_ask_again(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "discarded")

    page.get_by_role("link", name="Jobs").first.click()
    page.get_by_role("button", name="Discard the changes").click()
    expect(page).to_have_url(re.compile(r"/queue$"))
    page.get_by_role("link", name="Storage").first.click()
    expect(page).to_have_url(re.compile(r"/storage$"))
    assert stored(stack, "discarded") == {"parameters": {"operation": "whoami"}}


def test_running_saves_what_is_edited_first(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "run")

    page.get_by_role("button", name="Save and run").click()
    expect(page).to_have_url(re.compile(r"/queue/\d+"))
    assert stored(stack, "run")["parameters"]["note"] == "mine"


def test_a_reload_keeps_what_is_edited(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "reloaded")

    page.reload()
    expect(page.get_by_label("Configuration as JSON")).to_contain_text("mine")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Configuration as JSON")).not_to_contain_text("mine")
    page.reload()
    expect(page.get_by_label("Configuration as JSON")).not_to_contain_text("mine")


def test_a_flow_is_saved_before_it_runs_and_its_draft_survives_a_reload(console: Console, stack: RunningStack) -> None:
    store(stack, "flow-draft", {"phases": [], "tasks": []}, "keboola.flow")
    page = console.open("flows-v2/flow-draft")
    page.get_by_role("button", name="Add phase").click()
    page.get_by_role("combobox", name="Add a task to Phase 1").press("Enter")
    page.keyboard.type("Sample: customers")
    expect(page.get_by_role("option", name="Sample: customers")).to_be_visible()  # once the configurations are loaded
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Phase Phase 1").get_by_text("Sample: customers")).to_be_visible()
    page.reload()

    expect(page.get_by_role("region", name="Phase Phase 1").get_by_text("Sample: customers")).to_be_visible()
    page.get_by_role("button", name="Save and run").click()
    expect(page.get_by_role("button", name=re.compile("Open job"))).to_be_visible()
    flow = stack.storage.get("/v2/storage/components/keboola.flow/configs/flow-draft").json
    assert len(flow["configuration"]["tasks"]) == 1


def test_a_proposal_survives_a_reload_and_is_not_left_unasked(console: Console, stack: RunningStack) -> None:
    page = console.open("extract")
    page.get_by_label("Address, curl command").fill("http://sample.penstock.localhost/customers")
    page.get_by_role("button", name="Propose a configuration").click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    page.get_by_role("textbox", name="Name", exact=True).fill("Kept")
    page.reload()

    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Kept")
    page.get_by_role("link", name="Jobs").first.click()
    expect(page.get_by_role("dialog", name=ASKED)).to_be_visible()
    page.get_by_role("button", name="Save and leave").click()
    expect(page).to_have_url(re.compile(r"/queue$"))
    names = [each["name"] for each in stack.storage.get("/v2/storage/components/ex-generic-v2/configs").json]
    assert "Kept" in names


def test_a_schedule_that_was_changed_is_not_closed_unasked(console: Console) -> None:
    page = console.open("automation")
    page.get_by_role("button", name="New schedule").click()
    page.get_by_label("Cron").fill("5 5 * * *")
    page.get_by_role("button", name="Close").click()

    page.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_label("Cron")).to_have_value("5 5 * * *")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Discard the changes").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_two_people_who_edit_see_both_versions_and_nothing_is_lost(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "shared")
    theirs = {"parameters": {"operation": "whoami", "other": "theirs"}}
    assert stack.storage.put(f"{CONFIGS}/shared", {"configuration": theirs}).status == 200

    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="shared was changed meanwhile")
    expect(dialog).to_contain_text("theirs")
    expect(dialog).to_contain_text("mine")
    assert stored(stack, "shared") == theirs
    dialog.get_by_role("button", name="Save this text").click()
    expect(dialog).to_have_count(0)
    wait_for(lambda: stored(stack, "shared")["parameters"].get("note") == "mine")
    console.errors.clear()  # the browser logs the 409


def test_a_new_name_is_no_conflict_with_the_text_that_is_edited(console: Console, stack: RunningStack) -> None:
    page = open_edited(console, stack, "renamed")
    assert stack.storage.put(f"{CONFIGS}/renamed", {"name": "Another name"}).status == 200

    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="Another name")).to_be_visible()
    assert stored(stack, "renamed")["parameters"]["note"] == "mine"
    console.errors.clear()  # the browser logs the 409


def test_a_full_load_of_what_is_new_is_warned_about_before_it_runs(console: Console, stack: RunningStack) -> None:
    job = {"endpoint": "customers", "params": {"since": {"time": "previousStart"}}}
    api = {"baseUrl": "http://sample.penstock.localhost/"}
    stack.configure({"api": api, "config": {"jobs": [job]}}, "emptied")
    page = console.open("components/ex-generic-v2/emptied")

    expect(page.get_by_role("alert").filter(has_text="config.jobs[0].params.since")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    dialog = page.get_by_role("dialog", name="This run may empty the table")
    expect(dialog).to_contain_text("incrementalOutput")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("emptied$"))
