from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from penstock.foundation.outbound import call
from penstock.foundation.outbound.loop import BackgroundLoop
from tests.support.patience import PATIENCE


async def give(value: int) -> int:
    await asyncio.sleep(0)
    return value


async def fail() -> None:
    raise LookupError("nothing there")


async def name_thread() -> str:
    return threading.current_thread().name


def test_plain_code_gets_what_a_coroutine_returns_or_raises():
    assert call(give(5)) == 5
    with pytest.raises(LookupError, match="nothing there"):
        call(fail())


def test_many_threads_share_one_loop():
    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(lambda n: call(give(n)), range(500))) == list(range(500))
        assert {call(name_thread()) for _ in range(5)} == {"outbound"}


def test_waiting_for_the_loop_on_the_loop_itself_is_an_error_not_a_deadlock():
    async def call_again() -> None:
        call(give(1))

    with pytest.raises(RuntimeError, match="await it"):
        call(call_again())


def test_a_loop_stops_what_still_runs_and_can_start_again():
    loop = BackgroundLoop()
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def start() -> None:
        tasks.append(asyncio.create_task(wait()))
        await asyncio.sleep(0)

    tasks: list[asyncio.Task[None]] = []
    loop.run(start())
    loop.stop()

    assert ended.is_set()
    assert loop.run(give(3)) == 3
    loop.stop()
    loop.stop()


def test_a_waiting_thread_is_notified_when_the_loop_stops():
    loop = BackgroundLoop()
    with ThreadPoolExecutor(1) as threads:
        loop.run(give(1))
        waiting = threads.submit(lambda: loop.run(asyncio.sleep(60)))
        while len(loop.run(count_tasks())) < 2:
            pass
        loop.stop()
        assert isinstance(waiting.exception(timeout=PATIENCE), CancelledError)


async def count_tasks() -> set[asyncio.Task[object]]:
    return asyncio.all_tasks()


def test_a_process_ends_quietly_while_a_call_is_still_running():
    script = (
        "import asyncio, contextlib, threading\n"
        "from penstock.foundation.outbound import call\n"
        "def wait():\n"
        "    with contextlib.suppress(BaseException):\n"
        "        call(asyncio.sleep(60))\n"
        "threading.Thread(target=wait, daemon=True).start()\n"
        "call(asyncio.sleep(0.05)); print('done')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_starts_a_loop_of_its_own():
    assert call(give(1)) == 1
    child = os.fork()
    if child == 0:
        os._exit(call(give(7)))

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
