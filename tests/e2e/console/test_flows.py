"""Flows in the console: made from nothing, edited by drag, as a list and as JSON, run and retried."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import Console, find_violations, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium


def job_task(number: int, phase: int, component: str, config: str) -> dict[str, Any]:
    task = {"componentId": component, "configId": config, "mode": "run"}
    return {"id": number, "name": config, "phase": phase, "task": task}


def store_flow(stack: RunningStack, name: str, document: dict[str, Any], component: str = "keboola.flow") -> None:
    body = {"name": name, "configurationId": name, "configuration": document}
    assert stack.storage.post(f"/v2/storage/components/{component}/configs", body).status == 201


def read_flow(stack: RunningStack, name: str, component: str = "keboola.flow") -> dict[str, Any]:
    return stack.storage.get(f"/v2/storage/components/{component}/configs/{name}").json["configuration"]


def add_task(page: Page, phase: str, name: str) -> None:
    page.get_by_role("combobox", name=f"Add a task to {phase}").click()
    page.get_by_role("option", name=name).click()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("There are changes that are not saved.")).to_have_count(0)


def test_a_flow_is_made_from_nothing_with_the_keyboard_alone_and_run(console: Console) -> None:
    page = console.open("flows")
    page.get_by_role("button", name="New flow").click()
    page.get_by_label("Name").fill("From nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This flow has no phases yet")).to_be_visible()

    for number in (1, 2):
        page.get_by_role("button", name="Add phase").press("Enter")
        page.get_by_role("combobox", name=f"Add a task to Phase {number}").press("Enter")
        name = "Sample: " + ("customers" if number == 1 else "orders")
        page.keyboard.type(name)
        expect(page.get_by_role("option", name=name)).to_be_visible()  # once the configurations are loaded
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Followed by").first).to_have_value("Phase 2")
    save(page)
    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_label("Graph of 2 phases").get_by_text("success")).to_have_count(2)


def test_phases_are_connected_and_tasks_moved_by_dragging_them(console: Console, stack: RunningStack) -> None:
    phases = [{"id": 1, "name": "First", "dependsOn": []}, {"id": 2, "name": "Second", "dependsOn": [], "note": "kept"}]
    tasks = [job_task(7, 1, "ex-generic-v2", "sample-customers"), job_task(8, 1, "ex-generic-v2", "sample-orders")]
    store_flow(stack, "dragged", {"phases": phases, "tasks": tasks, "other": True}, "keboola.orchestrator")
    page = console.open("flows/dragged")
    first, second = page.get_by_test_id("phase 1"), page.get_by_test_id("phase 2")

    first.locator(".task").first.drag_to(second)
    expect(second.locator(".task")).to_have_count(1)
    first.locator(".react-flow__handle-right").drag_to(second.locator(".react-flow__handle-left"))
    expect(page.get_by_role("region", name="Phase Second").get_by_text("First")).to_be_visible()
    save(page)

    stored = read_flow(stack, "dragged", "keboola.orchestrator")
    assert stored["phases"][1] == {"id": 2, "name": "Second", "dependsOn": [1], "note": "kept"}
    assert [task["phase"] for task in stored["tasks"]] == [2, 1]
    assert stored["other"] is True


def test_the_graph_and_the_json_agree(console: Console, stack: RunningStack) -> None:
    store_flow(stack, "agreed", {"phases": [{"id": "one", "name": "One"}], "tasks": []})
    page = console.open("flows-v2/agreed")

    page.get_by_role("button", name="Add phase").click()
    page.get_by_role("tab", name="JSON").click()
    expect(page.get_by_label("Flow as JSON")).to_contain_text('"goto": "phase-2"')
    console.write("Flow as JSON", json.dumps({"phases": [{"id": "x", "name": "Only this"}], "tasks": []}))
    page.get_by_role("tab", name="Graph").click()
    expect(page.get_by_label("Graph of 1 phases")).to_contain_text("Only this")

    page.get_by_role("tab", name="JSON").click()
    console.write("Flow as JSON", "{oops")
    expect(page.get_by_text("This is not valid JSON, so it cannot be saved.")).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("tab", name="Graph").click()
    page.get_by_role("button", name="Remove phase").click()
    save(page)
    assert read_flow(stack, "agreed") == {"phases": [], "tasks": []}


def test_what_did_not_succeed_in_a_flow_is_retried(console: Console, stack: RunningStack) -> None:
    failing = {
        "name": "fails",
        "configurationId": "fails",
        "configuration": {"parameters": {"operation": "user-error"}},
    }
    stack.storage.post("/v2/storage/components/keboola.runner-config-test/configs", failing)
    phases = [{"id": 1, "name": "Both", "dependsOn": []}]
    tasks = [
        job_task(1, 1, "ex-generic-v2", "sample-customers"),
        job_task(2, 1, "keboola.runner-config-test", "fails"),
    ]
    store_flow(stack, "retried", {"phases": phases, "tasks": tasks}, "keboola.orchestrator")
    flow = {"component": "keboola.orchestrator", "config": "retried", "mode": "run"}
    ran = stack.queue.post("/jobs", flow).json["id"]
    assert stack.finish_job(ran)["status"] == "error"
    repaired = {"parameters": {"operation": "unsafe-dump-config"}}
    path = "/v2/storage/components/keboola.runner-config-test/configs/fails"
    assert stack.storage.put(path, {"configuration": repaired}).status == 200
    page = console.open(f"queue/{ran}")

    expect(page.get_by_role("region", name="Phase Both").get_by_role("row")).to_have_count(3)
    page.get_by_role("button", name="Retry what did not succeed").click()

    expect(page.get_by_role("heading", name=f"Job {ran}")).to_have_count(0)
    expect(page.get_by_text("success", exact=True).first).to_be_visible()


def test_the_log_of_a_flow_has_its_tasks_and_a_task_its_own(console: Console, stack: RunningStack) -> None:
    task = {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-customers", "mode": "run"}
    document = {
        "phases": [{"id": "a", "name": "Read"}],
        "tasks": [{"id": "t", "name": "Customers", "phase": "a", "task": task}],
    }
    store_flow(stack, "logged", document)
    flow = stack.run_job("logged", component="keboola.flow")
    page = console.open(f"queue/{flow['id']}?tab=log")

    line = page.get_by_role("log").locator(".log-line").filter(has_text="Sample: customers").first
    line.get_by_role("link", name="Sample: customers").click()
    expect(page).to_have_url(re.compile(rf"queue/{flow['result']['tasks'][0]['jobId']}$"))
    expect(page.get_by_role("log").locator(".log-line").filter(has_text="250")).not_to_have_count(0)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).click()


def test_a_condition_and_retries_are_chosen_and_decide_what_runs(console: Console, stack: RunningStack) -> None:
    failing = {
        "name": "wrong",
        "configurationId": "wrong",
        "configuration": {"parameters": {"operation": "user-error"}},
    }
    stack.storage.post("/v2/storage/components/keboola.runner-config-test/configs", failing)
    read = {"type": "job", "componentId": "keboola.runner-config-test", "configId": "wrong", "mode": "run"}
    repair = {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-orders", "mode": "run"}
    document = {
        "phases": [{"id": "read", "name": "Read"}, {"id": "repair", "name": "Repair"}],
        "tasks": [
            {"id": "r", "name": "Customers", "phase": "read", "task": read},
            {"id": "s", "name": "Orders", "phase": "repair", "task": repair},
        ],
    }
    store_flow(stack, "decided", document)
    page = console.open("flows-v2/decided")
    expect(page.get_by_role("alert")).to_contain_text("Nothing leads to “Repair”")

    page.get_by_role("group", name="Conditions of Read").get_by_role("button", name="Add condition").click()
    choose(page, "Where condition 1 of Read leads to", "Repair")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="If it fails: Customers").click()
    page.get_by_label("How often it is tried again").fill("1")
    page.get_by_label("Seconds between two tries").fill("0")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Graph of 2 phases")).to_contain_text('a task of "Read" its result is error')
    page.get_by_role("button", name="Save and run").click()

    graph = page.get_by_label("Graph of 2 phases")
    expect(graph.get_by_text("error", exact=True)).to_have_count(1)
    expect(graph.get_by_text("success", exact=True)).to_have_count(1)
    stored = read_flow(stack, "decided")
    assert stored["phases"][0]["next"][0]["goto"] == "repair"
    assert stored["tasks"][0]["task"]["retry"]["strategyParams"] == {"maxRetries": 1, "delay": 0}


def test_the_timeline_shows_when_each_task_waited_and_ran(console: Console, stack: RunningStack) -> None:
    phases = [{"id": 1, "name": "First", "dependsOn": []}, {"id": 2, "name": "Second", "dependsOn": [1]}]
    tasks = [job_task(1, 1, "ex-generic-v2", "sample-customers"), job_task(2, 2, "ex-generic-v2", "sample-orders")]
    store_flow(stack, "timed", {"phases": phases, "tasks": tasks}, "keboola.orchestrator")
    job = stack.run_job("timed", component="keboola.orchestrator")
    assert job["status"] == "success", job

    page = console.open(f"queue/{job['id']}?tab=timeline")

    rows = page.get_by_role("table", name="Timeline").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Sample: customers")
    expect(rows.nth(2)).to_contain_text("Sample: orders")
    first, second = (rows.nth(number).locator(".time-ran").bounding_box() for number in (1, 2))
    assert first
    assert second
    assert second["x"] >= first["x"] + first["width"] - 2
    assert find_violations(page, "timeline") == []
