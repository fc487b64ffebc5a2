from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable

import pytest

from penstock.extractor.base.http import Request
from penstock.extractor.requests.parallel import Ahead

PAGES = [Request("users", {"page": number}) for number in range(5)]


class Desk:
    """Receives the requests for pages; responds when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.gone: list[int] = []
        self.is_open = asyncio.Event()

    async def ask(self, number: int, request: Request) -> str:
        self.asked.append(number)
        try:
            await self.is_open.wait()
        except asyncio.CancelledError:
            self.gone.append(number)
            raise
        if request.params["page"] == 4:
            raise ValueError("There is no page 4.")
        return f"page {request.params['page']}"


def at_desk(story: Callable[[Desk, Ahead[str]], Awaitable[None]]) -> None:
    async def run() -> None:
        desk = Desk()
        await asyncio.wait_for(story(desk, Ahead(desk.ask)), 5)

    asyncio.run(run())


def test_what_was_started_is_on_its_way_before_it_is_taken_and_asked_for_once():
    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        for number in (0, 1, 0):
            ahead.start(number, PAGES[number])
        assert len(ahead) == 2
        await ahead.let_go()
        assert desk.asked == [0, 1]

        desk.is_open.set()
        assert [await ahead.take(number, PAGES[number]) for number in (1, 0)] == ["page 1", "page 0"]
        assert desk.asked == [0, 1]
        assert len(ahead) == 0

    at_desk(story)


def test_what_was_not_started_is_asked_for_when_it_is_taken():
    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        desk.is_open.set()

        assert await ahead.take(3, PAGES[3]) == "page 3"
        assert desk.asked == [3]

    at_desk(story)


def test_a_wrong_guess_is_dropped_and_asked_for_again():
    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        ahead.start(1, PAGES[1])
        await ahead.let_go()
        asyncio.get_running_loop().call_soon(desk.is_open.set)

        assert await ahead.take(1, PAGES[2]) == "page 2"
        assert desk.asked == [1, 1]
        assert desk.gone == [1]

    at_desk(story)


def test_a_failure_is_told_when_the_page_is_taken_and_not_before():
    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        desk.is_open.set()
        for number in (3, 4):
            ahead.start(number, PAGES[number])
        await ahead.let_go()

        assert await ahead.take(3, PAGES[3]) == "page 3"
        with pytest.raises(ValueError, match=r"There is no page 4\."):
            await ahead.take(4, PAGES[4])

    at_desk(story)


def test_what_nobody_wants_is_stopped_and_its_failure_of_no_interest():
    complaints: list[object] = []

    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))
        ahead.start(1, PAGES[1])
        await ahead.let_go()
        desk.is_open.set()
        ahead.start(4, PAGES[4])
        await ahead.let_go()
        desk.is_open.clear()
        ahead.start(2, PAGES[2])
        await ahead.let_go()

        await ahead.drop()

        assert len(ahead) == 0
        assert desk.gone == [2]
        assert len(asyncio.all_tasks()) == 2  # this one, and who waits for it

    at_desk(story)
    gc.collect()
    assert complaints == []


def test_whoever_stops_waiting_for_a_page_stops_it():
    async def story(desk: Desk, ahead: Ahead[str]) -> None:
        ahead.start(1, PAGES[1])
        waiting = asyncio.create_task(ahead.take(1, PAGES[1]))
        await ahead.let_go()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

        assert desk.gone == [1]

    at_desk(story)
