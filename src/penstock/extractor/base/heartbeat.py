"""Calls a function at an interval while a run waits for an API that may not respond for minutes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def heartbeat(beat: Callable[[], None], seconds: float) -> AsyncGenerator[None]:
    """Calls `beat` at this interval until the block ends.

    An OSError of `beat` stops the calls, not the block: the next write to a broken log raises it again.
    """
    task = asyncio.create_task(_repeat(beat, seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, OSError):
            await task


async def _repeat(beat: Callable[[], None], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        beat()
