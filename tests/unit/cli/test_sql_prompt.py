"""The prompt of `penstock sql`, in a pseudo-terminal."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.client import connect
from tests.support.http import Http
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for
from tests.unit.cli.terminal import CTRL_D, TAB, Terminal

FIRST, NEXT = "sql> ", "  -> "
ENDLESS = "select count(*) from range(100000000000) a, range(100000) b;"


@pytest.fixture
def open_prompt(stack: RunningStack, tmp_path: Path) -> Callable[[], Terminal]:
    with connect(stack.greeting["storageUrl"], stack.greeting["token"]) as client:
        client.tables.load("in.c-prompt.visits", io.BytesIO(b"visitor\nAda\n"))
    environment = {**clean_environment(), "HOME": str(tmp_path), "TERM": "dumb", "COLUMNS": "200"}
    return lambda: Terminal([*PENSTOCK, "sql", "--data-dir", str(stack.folder)], environment)


@pytest.fixture
def prompt(open_prompt: Callable[[], Terminal]) -> Generator[Terminal]:
    with open_prompt() as terminal:
        terminal.read(FIRST)
        yield terminal


def test_a_statement_may_have_two_lines_and_ctrl_d_ends(prompt: Terminal) -> None:
    prompt.type("select 1 as a,\n", NEXT)
    shown = prompt.type("2 as b;\n", FIRST)
    prompt.type(CTRL_D, "\n")

    assert "a  b\r\n1  2\r\n1 row\r\n" in shown
    assert prompt.wait() == 0


def test_an_error_is_shown_once_and_the_prompt_comes_back(prompt: Terminal) -> None:
    shown = prompt.type("selec 1;\n", FIRST)

    assert shown.count("syntax error") == 1
    assert "Traceback" not in shown
    assert "a\r\n7\r\n" in prompt.type("select 7 as a;\n", FIRST)


def test_ctrl_c_cancels_the_statement_and_drops_what_is_typed(prompt: Terminal, stack: RunningStack) -> None:
    prompt.type(f"{ENDLESS}\n", "\n")
    wait_for(lambda: find_statement(stack, ENDLESS)["status"] == "processing")
    shown = prompt.interrupt(FIRST)
    prompt.type("select 'half", "half")
    prompt.interrupt(FIRST)

    assert "Canceled." in shown
    wait_for(lambda: find_statement(stack, ENDLESS)["status"] == "canceled")
    assert "a\r\n7\r\n" in prompt.type("select 7 as a;\n", FIRST)


def find_statement(stack: RunningStack, text: str) -> dict[str, Any]:
    """Of the history of the project's workspaces."""
    branches = stack.storage.get("/v2/storage/dev-branches").json
    branch = next(each["id"] for each in branches if each["isDefault"])
    found = stack.storage.get("/v2/storage/workspaces").json
    query = Http(stack.greeting["storageUrl"].replace("/_svc/storage", "/_svc/query"), stack.greeting["token"])
    paths = [f"/api/v1/branches/{branch}/workspaces/{each['id']}/queries" for each in found]
    listed = [each for path in paths for each in query.get(path).json["statements"]]
    return next((each for each in listed if each["query"] == text.rstrip(";")), {"status": "unknown"})


def test_tab_completes_keywords_tables_and_columns(prompt: Terminal) -> None:
    prompt.type(f"selec{TAB}", "select")
    prompt.type(f" visito{TAB}", "visitor")
    prompt.type(f" from in.c-prom{TAB}", '"in.c-prompt".visits')

    assert "visitor\r\nAda\r\n1 row\r\n" in prompt.type(";\n", FIRST)


def test_statements_are_in_a_history_that_only_the_user_reads(
    prompt: Terminal, open_prompt: Callable[[], Terminal], tmp_path: Path
) -> None:
    history = tmp_path / ".penstock_sql_history"
    prompt.type("select 41 + 1 as answer;\n", FIRST)
    with open_prompt() as second:
        second.read(FIRST)
        again = second.type("\x10\n", f"s\r\n{FIRST}")  # Ctrl-P: the line before
        second.type("select 5 as five;\n", FIRST)
    prompt.type("select 2 as two;\n", FIRST)

    assert "answer\r\n    42\r\n" in again
    assert history.read_text().splitlines() == [
        "select 41 + 1 as answer;",
        "select 5 as five;",
        "select 2 as two;",
    ]
    assert history.stat().st_mode & 0o077 == 0


def test_the_prompt_lists_tables_explains_itself_and_ends_with_exit(prompt: Terminal) -> None:
    assert "in.c-prompt.visits" in prompt.type("tables\n", FIRST)
    assert "Ctrl-C cancels" in prompt.type("help\n", FIRST)
    prompt.type("exit\n", "\n")

    assert prompt.wait() == 0
