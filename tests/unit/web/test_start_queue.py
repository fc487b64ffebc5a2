"""Requests start in turn from every client, however many one of them has sent."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable

from penstock.web.fair_threads import TooBusy
from penstock.web.start_queue import MAX_NOT_STARTED, STARTS_PER_ITERATION, StartQueue

FLOOD = 1000


class Requests:
    def __init__(self) -> None:
        self.starts = StartQueue()
        self.started: list[str] = []
        self.refused: list[str] = []

    async def send(self, client: str) -> None:
        try:
            await self.starts.enter(client)
            self.started.append(client)
        except TooBusy:
            self.refused.append(client)


def run(scenario: Callable[[Requests], Awaitable[None]]) -> Requests:
    requests = Requests()
    asyncio.run(_run(scenario, requests))
    return requests


async def _run(scenario: Callable[[Requests], Awaitable[None]], requests: Requests) -> None:
    await scenario(requests)


def test_one_request_does_not_wait_for_the_thousand_before_it() -> None:
    async def scenario(requests: Requests) -> None:
        await asyncio.gather(*(requests.send("greedy") for _ in range(FLOOD)), requests.send("modest"))

    requests = run(scenario)

    assert len(requests.started) == FLOOD + 1
    assert requests.started.index("modest") <= 3 * STARTS_PER_ITERATION
    assert requests.starts.waiting == 0


def test_others_are_served_while_a_flood_starts() -> None:
    iterations: list[int] = []

    async def watch(requests: Requests) -> None:
        while requests.starts.waiting or not iterations:
            iterations.append(len(requests.started))
            await asyncio.sleep(0)

    async def scenario(requests: Requests) -> None:
        await asyncio.gather(*(requests.send("greedy") for _ in range(FLOOD)), watch(requests))

    run(scenario)

    steps = [after - before for before, after in itertools.pairwise(iterations)]
    assert max(steps) <= STARTS_PER_ITERATION


def test_a_client_that_fills_the_queue_is_refused_and_others_are_not() -> None:
    more = 10

    async def scenario(requests: Requests) -> None:
        flood = [requests.send("greedy") for _ in range(STARTS_PER_ITERATION + MAX_NOT_STARTED + more)]
        await asyncio.gather(*flood, requests.send("modest"))

    requests = run(scenario)

    assert requests.refused == ["greedy"] * more
    assert requests.started.count("modest") == 1


def test_a_request_that_is_cancelled_takes_no_turn() -> None:
    async def scenario(requests: Requests) -> None:
        tasks = [asyncio.ensure_future(requests.send("greedy")) for _ in range(20)]
        await asyncio.sleep(0)
        for task in tasks[10:]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    requests = run(scenario)

    assert requests.starts.waiting == 0
    assert 10 <= len(requests.started) < 20
