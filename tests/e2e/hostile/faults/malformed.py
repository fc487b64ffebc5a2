"""H10: bodies that are not the JSON they should be."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, Fault, Outcome, Scenario, Variant, disagrees

LOGIN_PAGE = b"<!doctype html>\n<title>Log in</title><form><input name=password></form>"


def _with(change: Callable[[bytes], bytes], status: str = "200 OK") -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(change(exchange.body), exchange.headers, status)

    return response


async def _no_content(exchange: Exchange) -> None:
    await exchange.send(exchange.head(*exchange.headers_of(""), status="204 No Content"))


def _cut(exchange_body: bytes) -> bytes:
    return exchange_body[: len(exchange_body) // 2]


def _told(scenario: Scenario) -> Outcome:
    """Which page it was, where in it, and how it starts."""
    page = scenario.position + 1
    return Outcome(
        error=rf"Invalid JSON .* at byte [0-9]+ of page {page} of 'items'\)\..* The response starts with: \S"
    )


def _told_as_page(scenario: Scenario) -> Outcome:
    page = scenario.position + 1
    return Outcome(error=rf"at byte 0 of page {page} of 'items'\)\. It is a web page: check `baseUrl` and `endpoint`")


NOT_JSON = {
    "cut": _cut,
    "a comma too many": lambda body: body.replace(b"],", b",],"),
    "two documents": lambda body: body + b"\n" + body,
    "single quotes": lambda body: body.replace(b'"items"', b"'items'"),
    "a comment": lambda body: body + b" // ok",
    "a control character": lambda body: body.replace(b'"items"', b'"ite\nms"'),
    "a bare word": lambda _: b"undefined",
}
NOTHING = {"null": _with(lambda _: b"null"), "nothing": _with(lambda _: b""), "white space": _with(lambda _: b" \r\n ")}
"""These are no errors by themselves: the API may have nothing. The count that it claimed says that it has."""

VARIANTS = (
    *(Variant(name, _with(change), ALWAYS, _told) for name, change in NOT_JSON.items()),
    Variant("a login page", _with(lambda _: LOGIN_PAGE), ALWAYS, _told_as_page),
    *(Variant(name, fault, ALWAYS, disagrees, is_counted=True, is_of_records=True) for name, fault in NOTHING.items()),
    Variant("204", _no_content, ALWAYS, disagrees, is_counted=True, is_of_records=True),
)
