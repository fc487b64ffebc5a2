"""There is one way to wait for a change in the database: `foundation/jobs/waiting.py` and `worker.py`.

A handler or an operation that sleeps holds a thread, and forty of them stall every other request.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "penstock"
ALLOWED = {
    "services/oauth/operations/refreshing.py": "called in the thread of a job or of an action, never of a request"
}


def sleeps(source: str) -> list[str]:
    """Calls of any library's sleep() that hold a thread: those that are not awaited."""
    if "sleep" not in source:
        return []
    nodes = list(ast.walk(ast.parse(source)))
    awaited = [node.value for node in nodes if isinstance(node, ast.Await)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and node not in awaited]
    return [ast.unparse(call) for call in calls if ast.unparse(call.func).rpartition(".")[2] == "sleep"]


@pytest.mark.parametrize("folder", ["services", "web"])
def test_neither_services_nor_web_hold_a_thread_to_sleep(folder: str) -> None:
    files = [file for file in (SOURCE / folder).rglob("*.py") if str(file.relative_to(SOURCE)) not in ALLOWED]

    assert len(files) > 10
    assert {str(file): found for file in files if (found := sleeps(file.read_text()))} == {}


def test_a_sleep_that_holds_a_thread_is_found() -> None:
    assert sleeps("time.sleep(1)\nsleep(pause)") == ["time.sleep(1)", "sleep(pause)"]
    assert sleeps("async def wait():\n    await asyncio.sleep(1)") == []
