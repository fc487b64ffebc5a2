"""`penstock mcp`: what it prints, and how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.agents import INITIALIZE, over_stdio
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PENSTOCK, "mcp", "--data-dir", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )


@pytest.mark.parametrize("ending", ["end of input", "Ctrl-C"])
def test_it_ends_at_once(stack: RunningStack, ending: str) -> None:
    process = start(stack.folder)
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"not JSON\n[]\n{json.dumps(INITIALIZE)}\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "penstock"
    if ending == "Ctrl-C":
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    printed, said = process.communicate(timeout=PATIENCE)

    assert process.returncode == (130 if ending == "Ctrl-C" else 0)
    assert printed == ""
    assert said == ("Interrupted.\n" if ending == "Ctrl-C" else "")


def test_without_a_stack_it_says_so(tmp_path: Path) -> None:
    process = start(tmp_path / "nowhere")
    printed, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, printed) == (1, "")
    assert said.startswith("No stack is running on ")


def test_it_offers_only_tools_that_read_if_told_so(stack: RunningStack) -> None:
    async def look() -> list[bool]:
        async with over_stdio(stack.folder, "--read-only") as agent:
            tools = (await agent.list_tools()).tools
            return [bool(tool.annotations and tool.annotations.read_only_hint) for tool in tools]

    found = asyncio.run(look())

    assert found
    assert all(found)
