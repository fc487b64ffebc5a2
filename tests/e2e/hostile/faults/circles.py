"""H16: pagination that leads in circles, stops too early, or lies about what there is.

An API that says there is nothing more cannot be contradicted, except by its own count: where a scenario ends too early,
`expectedCount` makes an error of it. Circles are found by `loopGuard`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.model import table
from tests.e2e.hostile.paging import token_of
from tests.e2e.hostile.scenario import ALWAYS, Fault, Outcome, Scenario, Variant, disagrees, fails, same, warned

TOKENS, COUNTED = ("response.url", "response.param", "link"), ("offset", "pagenum")
GUARD = {"pagination": {"loopGuard": True}}
FLAG = {"pagination": {"nextPageFlag": {"field": "more", "stopOn": False, "ifNotSet": True}}}
ROUND = fails("is the same as page [0-9]+: the API goes round in circles")
LONG_TOKEN, SHORTER_TOKEN = 1_000_000, 30_000


def _leading(address: Callable[[Exchange], str]) -> Fault:
    """The page itself, with another address for the next one."""

    async def response(exchange: Exchange) -> None:
        there = address(exchange)
        await exchange.response(exchange.body_of(exchange.records, there), exchange.headers_of(there))

    return response


def _saying(**members: Any) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(exchange.body_of(exchange.records, **members), exchange.headers)

    return response


def _itself(exchange: Exchange) -> str:
    return exchange.address(token_of(exchange.page))


def _back(exchange: Exchange) -> str:
    return exchange.address(token_of(exchange.page - 1))


def _elsewhere(exchange: Exchange) -> str:
    return exchange.next_address.replace("127.0.0.1", "localhost")


def _padded(size: int) -> Callable[[Exchange], str]:
    return lambda exchange: exchange.next_address and f"{exchange.next_address}-{'x' * size}"


async def _nothing_yet(exchange: Exchange) -> None:
    """An empty page in the middle, after which it goes on."""
    there = exchange.address(f"{token_of(exchange.page)}-again")
    await exchange.response(exchange.body_of([], there), exchange.headers_of(there))


async def _nothing(exchange: Exchange) -> None:
    await exchange.response(exchange.body_of([]), exchange.headers)


async def _first_page_again(exchange: Exchange) -> None:
    await exchange.response(exchange.body_of(exchange.scenario.data.page(0)), exchange.headers)


async def _every_other_page(exchange: Exchange) -> None:
    """Counts for itself and asks nobody: A, B, A, B."""
    turn = exchange.memory["turn"] = exchange.memory.get("turn", -1) + 1
    index = exchange.page if exchange.scenario.way.name in COUNTED else turn
    await exchange.response(exchange.body_of(exchange.scenario.data.page(index % 2)), exchange.headers)


async def _without_the_first(exchange: Exchange) -> None:
    """Somebody deletes a record that has been read."""
    await exchange.response(exchange.body_of(exchange.records, total=len(exchange.scenario.records) - 1))


def _unless_last(scenario: Scenario) -> Outcome:
    """Only what is behind the page is missing; behind the last one there is nothing."""
    return same(scenario) if scenario.position == len(scenario.data.pages) - 1 else disagrees(scenario)


def _one_request_more(scenario: Scenario) -> Outcome:
    most = len(scenario.data.pages) + 1 if scenario.parallelism == 1 else ALWAYS
    return Outcome(table(scenario.records), most_requests=most)


RECORDS: dict[str, Any] = {"is_of_records": True}
VARIANTS = (
    Variant(
        "the same token for ever", _leading(_itself), ALWAYS, _unless_last, is_counted=True, **RECORDS, ways=TOKENS
    ),
    Variant("one page back", _leading(_back), ALWAYS, ROUND, GUARD, **RECORDS, first_page=1, ways=TOKENS),
    Variant(*("a token of a megabyte", _leading(_padded(LONG_TOKEN)), ALWAYS), ways=("response.url", "response.param")),
    Variant("a long token", _leading(_padded(SHORTER_TOKEN)), ALWAYS, ways=TOKENS),
    Variant(
        "the next page on another host",
        *(_leading(_elsewhere), ALWAYS, warned("localhost:[0-9]+ is not named")),
        is_everywhere=True,
        ways=("response.url", "link"),
    ),
    Variant("an empty page in the middle", _nothing_yet, ways=TOKENS, **RECORDS),
    Variant(
        "a next page that is a number", _saying(next_page=17), ALWAYS, fails("as a string"), ways=("response.url",)
    ),
    Variant(
        "a next page that is an object",
        _saying(next_page={"a": 1}),
        ALWAYS,
        fails("as a string"),
        ways=("response.url",),
    ),
    Variant("an empty page", _nothing, ALWAYS, disagrees, is_counted=True, **RECORDS, ways=(*COUNTED, "cursor")),
    Variant(
        "the first page again and again", _first_page_again, ALWAYS, disagrees, is_counted=True, is_everywhere=True
    ),
    Variant(
        "two pages in turn",
        _every_other_page,
        ALWAYS,
        ROUND,
        GUARD,
        is_everywhere=True,
        is_full=True,
        ways=(*COUNTED, "cursor"),
    ),
    Variant("a last page that is full", None, 1, _one_request_more, is_full=True),
    Variant("a total that shrinks", _saying(total=1), ALWAYS),
    Variant("a total that grows", _saying(total=1_000_000), ALWAYS),
    Variant("a total that is a text", _saying(total="many"), ALWAYS),
    Variant("no more, they say", _saying(more=False), ALWAYS, _unless_last, {**FLAG}, is_counted=True, **RECORDS),
    Variant("always more, they say", _saying(more=True), ALWAYS, same, FLAG, is_everywhere=True),
    Variant("a record deleted behind us", _without_the_first, ALWAYS, same, ways=("cursor",), first_page=1),
    Variant(
        "pages from 0 and 1 are the same",
        *(None, 1, disagrees, {"pagination": {"firstPage": 0}}),
        is_counted=True,
        ways=("pagenum",),
    ),
)
