from __future__ import annotations

import asyncio

from penstock.extractor.base.heartbeat import heartbeat


def test_it_beats_while_the_block_waits_and_not_after():
    beats: list[int] = []
    waited = asyncio.Event()

    def beat() -> None:
        beats.append(len(beats))
        if len(beats) == 3:
            waited.set()

    async def run() -> int:
        """How many tasks are left."""
        async with heartbeat(beat, 0.001):
            await asyncio.wait_for(waited.wait(), 10)
        return len(asyncio.all_tasks())

    assert asyncio.run(run()) == 1


def test_a_log_that_nobody_reads_does_not_fail_the_block():
    has_failed = asyncio.Event()

    def beat() -> None:
        has_failed.set()
        raise BrokenPipeError

    async def run() -> str:
        async with heartbeat(beat, 0.001):
            await asyncio.wait_for(has_failed.wait(), 10)
        return "done"

    assert asyncio.run(run()) == "done"
