from __future__ import annotations

import asyncio

from penstock.extractor.heartbeat import heartbeat


def test_it_beats_while_the_block_waits_and_not_after():
    beats: list[int] = []
    waited = asyncio.Event()

    def beat() -> None:
        beats.append(len(beats))
        if len(beats) == 3:
            waited.set()

    async def run() -> int:
        async with heartbeat(beat, 0.001):
            await asyncio.wait_for(waited.wait(), 10)
        counted = len(beats)
        await asyncio.sleep(0.02)
        return len(beats) - counted

    assert asyncio.run(run()) == 0


def test_a_log_that_nobody_reads_does_not_fail_the_block():
    def beat() -> None:
        raise BrokenPipeError

    async def run() -> str:
        async with heartbeat(beat, 0.001):
            await asyncio.sleep(0.02)
        return "done"

    assert asyncio.run(run()) == "done"
