"""The examples of the portal as code: what is shown there runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from penstock.app import list_services
from penstock.client import connect
from tests.support.browser import DESK, ROOT, build_console, needs_chromium, new_page, open_browser
from tests.support.patience import PATIENCE
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

RUNNABLE = {
    "storage#verify_token": "admin@penstock.localhost",
    "storage#list_buckets": "[",
    "vault#create_variable": '"key"',
    "queue#search_jobs": "[",
}
"""Operations that a new stack responds to, and what their response contains."""
PYTHON = (
    *("import#write_table", "import#upload_file", "oauth#authorize", "developer#upload_archive", "encryption#encrypt"),
    *("queue#create_job", "storage#create_configuration", "storage#roll_back", "storage#list_events"),
    *("management#make_access_token", "management#create_project", "storage#prepare_file", "editor#get_ddl"),
)
"""Operations with every kind of body and of credential."""


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    build_console()
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Generator[Page]:
    page = new_page(browser, DESK)
    yield page
    page.context.close()


def show(page: Page, stack: RunningStack, operation: str, language: str) -> str:
    page.goto(f"{stack.greeting['portalUrl']}/?service={operation}")
    expect(page.get_by_label("Request of the example")).to_be_visible()
    page.get_by_label("Language of the example").get_by_text(language, exact=True).click()
    marks = {"Python": "connect(", "httpx": "httpx.request(", "JavaScript": "fetch("}
    code = page.get_by_label("Request of the example")
    expect(code).to_contain_text(marks[language])
    return code.inner_text()


@pytest.mark.parametrize("language", ["Python", "httpx"])
def test_examples_in_python_run(stack: RunningStack, page: Page, language: str) -> None:
    for operation, part in RUNNABLE.items():
        code = show(page, stack, operation, language).replace('"TOKEN"', repr(stack.greeting["token"]))
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
        )

        assert (run.returncode, part in run.stdout) == (0, True), f"{operation}: {run.stderr or run.stdout}\n{code}"


def test_examples_in_javascript_run(stack: RunningStack, page: Page) -> None:
    for operation, part in RUNNABLE.items():
        code = show(page, stack, operation, "JavaScript").replace('"TOKEN"', repr(stack.greeting["token"]))
        text = page.evaluate(
            f"async () => {{ let said = ''; const console = {{ log: (t) => said = t }};\n{code}\nreturn said; }}"
        )

        assert part in text, f"{operation}: {text}"


def test_examples_with_every_kind_of_body_are_valid_python(stack: RunningStack, page: Page) -> None:
    for operation in PYTHON:
        for language in ("Python", "httpx"):
            code = show(page, stack, operation, language)
            compile(code, operation, "exec")


def test_calls_of_the_client_are_there_and_send_operations_that_are_there(stack: RunningStack) -> None:
    source = (ROOT / "console/src/portal/clientCalls.ts").read_text()
    known = {f"{service.id}#{row.handler.__name__}" for service in list_services() for row in service.routes}

    operations, calls = re.findall(r'^  "([\w#-]+)":', source, re.MULTILINE), re.findall(r"stack\.([a-z_.]+)\(", source)
    assert len(operations) > 30
    assert sorted(set(operations) - known) == []
    with connect(stack.greeting["portalUrl"].replace("/portal", "/storage"), stack.greeting["token"]) as client:
        for call in calls:
            found = client
            for name in call.split("."):
                found = getattr(found, name)
            assert callable(found), call
