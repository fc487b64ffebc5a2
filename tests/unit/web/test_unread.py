"""Clients that ask for large documents and read nothing: each holds one piece, and too many of them are cut off."""

from __future__ import annotations

import anyio
from starlette.types import Message, Scope

from penstock.web.unread import MAX_UNREAD, PIECE_BYTES, UNREAD, PublicResponse

DOCUMENT = b"0123456789abcdef" * PIECE_BYTES
SCOPE: Scope = {"type": "http", "method": "GET"}


async def receive() -> Message:
    return {"type": "http.disconnect"}


def test_a_client_that_reads_gets_everything() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    anyio.run(PublicResponse(DOCUMENT), SCOPE, receive, send)

    assert b"".join(message.get("body", b"") for message in sent) == DOCUMENT
    assert dict(sent[0]["headers"])[b"content-length"] == str(len(DOCUMENT)).encode()
    assert [message.get("more_body") for message in sent[1:]] == [True] * 15 + [False]
    assert len(UNREAD) == 0


def test_of_too_many_that_read_nothing_those_who_wait_for_longest_are_cut_off() -> None:
    more, taken, ended = 20, list[int](), list[int]()

    async def ask(number: int) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                taken.append(len(message["body"]))
                await anyio.sleep_forever()

        await PublicResponse(DOCUMENT)(SCOPE, receive, send)
        ended.append(number)

    async def scenario() -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(MAX_UNREAD + more):
                tasks.start_soon(ask, number)
            await anyio.wait_all_tasks_blocked()
            assert (len(UNREAD), sorted(ended)) == (MAX_UNREAD, list(range(more)))
            tasks.cancel_scope.cancel()

    anyio.run(scenario)
    assert set(taken) == {PIECE_BYTES}
    assert len(UNREAD) == 0
