"""Pictures of the console for the README: `make screenshots` writes them into docs/images."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import ROOT, Console, build_console, open_browser
from tests.support.stacks import RunningStack

IMAGES = ROOT / "docs/images"
SIZE = 1280, 800
SAMPLE = "http://sample.penstock.localhost/customers"
QUERY = 'SELECT address_country AS country, count(*) AS people FROM "in.c-sample"."customers" GROUP BY 1'


def main() -> None:
    build_console()
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, open_browser() as browser:
        stack = RunningStack(Path(folder) / "data")
        try:
            _fill(stack)
            context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce")
            console = Console(context.new_page(), stack)
            _take(_propose(console.open("extract")), "builder")
            _take(_settled(console.open("storage/in.c-sample/table/customers")), "table")
            _take(_settled(console.open("flows-v2/evening")), "flow")
            _take(_draw(console), "sql")
        finally:
            stack.stop()


def _fill(stack: RunningStack) -> None:
    """A project in which something has run."""
    phases = [{"id": "a", "name": "Extract", "next": [{"id": "n", "goto": "b"}]}, {"id": "b", "name": "Load"}]
    tasks = [_task("a", "Customers", "sample-customers"), _task("b", "Orders", "sample-orders")]
    flow = {"phases": phases, "tasks": tasks}
    body = {"name": "Every evening", "configurationId": "evening", "configuration": flow}
    stack.storage.post("/v2/storage/components/keboola.flow/configs", body)
    stack.run_job("evening", component="keboola.flow")


def _task(phase: str, name: str, config: str) -> dict[str, Any]:
    task = {"type": "job", "componentId": "ex-generic-v2", "configId": config, "mode": "run"}
    return {"id": config, "name": name, "phase": phase, "task": task}


def _take(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


def _settled(page: Page) -> Page:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    return page


def _propose(page: Page) -> Page:
    page.get_by_label("Address, curl command, OpenAPI document or HAR").fill(SAMPLE)
    page.get_by_role("button", name="Propose a configuration").click()
    rows = page.get_by_role("table", name="First rows of customers", exact=True)
    expect(rows).to_be_visible()
    toolbar = page.get_by_role("toolbar", name="Try")
    toolbar.evaluate("each => window.scrollTo(0, each.getBoundingClientRect().top + scrollY - 72)")
    return page


def _draw(console: Console) -> Page:
    page = console.open("sql")
    console.write("SQL", QUERY)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("table", name="Result")).to_be_visible()
    page.get_by_text("Chart", exact=True).click()
    return page


if __name__ == "__main__":
    main()
