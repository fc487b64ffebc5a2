"""Screens: accessible, in light and dark, on a desk and on a phone; names and log lines stay text.

`make test` looks at every third screen, `make test-browser` at all.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import DESK, PHONE, Console, find_violations, fits_a_phone, needs_chromium, new_page
from tests.support.examples import part_of
from tests.support.stacks import RunningStack, wait_for

pytestmark = needs_chromium

EVIL = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}",
    '"><svg onload=alert(1)>',
]
SCREENS = {
    "overview": "",
    "extract": "extract",
    "jobs": "queue",
    "job": "queue/{job}",
    "configurations": "components/configurations",
    "configuration": "components/ex-generic-v2/sample-customers",
    "storage": "storage",
    "bucket": "storage/in.c-sample",
    "table": "storage/in.c-sample/table/customers",
    "table-rows": "storage/in.c-sample/table/customers?tab=rows",
    "table-snapshots": "storage/in.c-sample/table/customers?tab=snapshots",
    "table-columns": "storage/in.c-sample/table/customers?tab=columns",
    "job-report": "queue/{job}?tab=report",
    "sql": "sql",
    "components": "components",
    "component": "components/ex-generic-v2",
    "flows": "flows",
    "flow": "flows-v2/evening",
    "flow-json": "flows-v2/evening?tab=json",
    "automation": "automation",
    "notifications": "automation?tab=notifications",
    "secrets": "secrets",
    "people": "people",
    "usage": "usage",
    "settings": "settings",
}
FLOW = {
    "phases": [
        {"id": "extract", "name": "Extract", "next": [{"id": "then", "goto": "load"}]},
        {"id": "load", "name": "Load"},
    ],
    "tasks": [
        {
            "id": "a",
            "name": "Customers",
            "phase": "extract",
            "task": {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-customers", "mode": "run"},
        },
        {
            "id": "b",
            "name": "Orders",
            "phase": "load",
            "task": {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-orders", "mode": "run"},
        },
    ],
}


@pytest.fixture(scope="module")
def job(stack: RunningStack) -> str:
    """Of a project that has something on every screen."""
    body = {"name": "Every evening", "configurationId": "evening", "configuration": FLOW}
    stack.storage.post("/v2/storage/components/keboola.flow/configs", body)
    return stack.run_job("sample-customers")["id"]


def test_screens_are_accessible_and_fit_a_phone(browser: Browser, stack: RunningStack, job: str) -> None:
    page = new_page(browser)
    console = Console(page, stack)
    console.go("")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    found = {"sign-in": find_violations(page, "sign-in")}
    console.sign_in()
    for name, path in part_of([*SCREENS.items()], 0):
        found[name] = look(console, name, path.format(job=job))

    assert {name: problems for name, problems in found.items() if problems} == {}
    assert [error for error in console.errors if "404" not in error] == []  # of a service without a health check
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Navigation").click()
    page.get_by_role("link", name="Jobs", exact=True).click()
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    page.context.close()


def test_nothing_moves_for_who_asks_for_less_motion(console: Console) -> None:
    """What a stack takes long to respond is awaited without a spinner that turns."""
    page = console.open()
    page.route("**/search/jobs*", lambda _route: None)
    page.get_by_role("link", name="Jobs", exact=True).click()
    expect(page.get_by_label("Loading")).to_be_visible()

    moving = "document.getAnimations().filter((each) => each.playState === 'running').length"
    wait_for(lambda: page.evaluate(moving) == 0)


def test_a_flow_is_drawn_and_shows_the_state_of_its_tasks(console: Console, job: str) -> None:
    page = console.open("flows-v2/evening")
    expect(page.get_by_label("Graph of 2 phases")).to_contain_text("Customers")

    page.get_by_role("button", name="Run", exact=True).click()

    expect(page.get_by_label("Graph of 2 phases").get_by_text("success")).to_have_count(2)


def test_names_and_log_lines_are_shown_as_they_are_written(console: Console, stack: RunningStack) -> None:
    page = console.page
    page.add_init_script("window.alert = () => { window.wasCalled = true; }")
    configs = "/v2/storage/components/keboola.runner-config-test/configs"
    for number, text in enumerate(EVIL):
        parameters = {"operation": "child-user-error", "message": text}
        body = {
            "name": text,
            "description": text,
            "configurationId": f"evil-{number}",
            "configuration": {"parameters": {**parameters, "text": text}},
        }
        assert stack.storage.post(configs, body).status == 201
        stack.storage.post(
            "/v2/storage/events", {"message": text, "component": "evil", "type": "warn", "runId": "evil"}
        )
    stack.storage.post(
        "/v2/storage/buckets", {"stage": "in", "name": "evil", "displayName": "evil", "description": EVIL[0]}
    )
    table = {"name": "evil", "dataString": "a\n" + "\n".join('"' + text.replace('"', '""') + '"' for text in EVIL)}
    stack.storage.post("/v2/storage/buckets/in.c-evil/tables", table)
    stack.storage.post("/v2/storage/tables/in.c-evil.evil/snapshots", {"description": EVIL[0]})
    phases = [{"id": f"p{number}", "name": text} for number, text in enumerate(EVIL)]
    tasks = [
        {
            "id": f"t{number}",
            "name": text,
            "phase": f"p{number}",
            "task": {"type": "variable", "name": "a", "value": "b"},
        }
        for number, text in enumerate(EVIL)
    ]
    flow = {"name": "Evil flow", "configurationId": "evil-flow", "configuration": {"phases": phases, "tasks": tasks}}
    assert stack.storage.post("/v2/storage/components/keboola.flow/configs", flow).status == 201
    ran = stack.queue.post(
        "/jobs", {"component": "keboola.runner-config-test", "mode": "run", "config": "evil-0"}
    ).json["id"]
    stack.finish_job(ran)
    for text in EVIL:
        stack.storage.post("/v2/storage/events", {"message": text, "component": "evil", "type": "warn", "runId": ran})

    console.open("components/configurations")
    for text in EVIL:
        expect(page.get_by_role("link", name=text, exact=True)).to_be_visible()
    console.go(f"queue/{ran}")
    for text in EVIL:
        expect(page.get_by_role("log")).to_contain_text(text)
    console.go("components/keboola.runner-config-test/evil-0")
    expect(page.get_by_role("heading", name=EVIL[0])).to_be_visible()
    console.go("storage/in.c-evil/table/evil")
    for text in EVIL:
        expect(page.get_by_role("cell", name=text, exact=True)).to_be_visible()
    console.go("storage/in.c-evil/table/evil?tab=snapshots")
    expect(page.get_by_role("cell", name=EVIL[0], exact=True)).to_be_visible()
    console.go("flows-v2/evil-flow")
    for number, text in enumerate(EVIL):
        expect(page.get_by_test_id(f"phase p{number}").get_by_text(text)).to_have_count(2)

    assert page.evaluate("window.wasCalled") is None
    assert page.locator("#root img, #root script").count() == 0


def settle(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)


def look(console: Console, name: str, path: str) -> list[str]:
    """What is wrong with a screen, as a phone loads it and then on a desk."""
    page = console.page
    page.set_viewport_size(PHONE)
    console.go(path)
    settle(page)
    problems = [] if fits_a_phone(page, name) else ["It is wider than a phone."]
    page.set_viewport_size(DESK)
    settle(page)
    return problems + find_violations(page, name)
