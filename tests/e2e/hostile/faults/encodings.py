"""H14: bytes that are not UTF-8, and escapes that are not characters: they are left out, and counted in a warning.
Other charsets are read if the response names them, in a header or by a byte-order mark."""

from __future__ import annotations

from dataclasses import replace

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.faults.odd import odd, odd_of, shown
from tests.e2e.hostile.scenario import ALWAYS, Fault, Judge, Outcome, Scenario, Variant, fails

MARK = "<here>"
NOT_JSON = fails("Invalid JSON response from API")
LEFT_OUT = {
    "Latin-1": (b"Zo\xeb!", "Zo!", 1),
    "an overlong sign": (b"a\xc0\xafb", "ab", 2),
    "half of a pair in bytes": (b"a\xed\xa0\x80b", "ab", 3),
    "bytes that nobody uses": (b"\xff\xfe", "", 2),
    "part of a character": (b"a\xf0\x9f\x99", "a", 3),
    "the first half of a pair": (rb"a\ud83db", "ab", 1),
    "the second half of a pair": (rb"a\ude42b", "ab", 1),
    "halves the wrong way round": (rb"\ude42\ud83d", "", 2),
    "both kinds": (b"\xff\\ud83d", "", 2),
}
"""What is sent, what is left of it, and how much was left out."""
KEPT = {
    "a pair": (rb"\ud83d\ude42", "🙂"),
    "what looks like half a pair": (rb"\\ud83d", r"\ud83d"),
    "a zero": (rb"a\u0000b", "a\0b"),
    "marks": ("\ufeff\u202e\u2028".encode(), "\ufeff\u202e\u2028"),
    "the last character": ("\U0010ffff".encode(), "\U0010ffff"),
}


def _writing(sent: bytes) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(exchange.body.replace(MARK.encode(), sent), exchange.headers)

    return response


def _in(encoding: str) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(exchange.body.decode().encode(encoding), exchange.headers)

    return response


async def _declared(exchange: Exchange) -> None:
    headers = [("Content-Type", "application/json; charset=utf-16-be"), *exchange.headers[1:]]
    await exchange.response(exchange.body.decode().encode("utf-16-be"), headers)


def _left_out(name: str, count: int) -> Judge:
    def judge(scenario: Scenario) -> Outcome:
        warning = f"Left out {count} bytes or escapes .*, on page {scenario.position + 1} of 'items'"
        return replace(shown(name=name)(scenario), warning=warning)

    return judge


def _without_warning(name: str) -> Judge:
    def judge(scenario: Scenario) -> Outcome:
        assert odd_of(scenario.data, scenario.position).name == MARK
        return shown(name=name)(scenario)

    return judge


VARIANTS = (
    *(
        Variant(name, _writing(sent), ALWAYS, _left_out(text, count), data=odd(name=MARK), is_of_records=True)
        for name, (sent, text, count) in LEFT_OUT.items()
    ),
    *(
        Variant(name, _writing(sent), ALWAYS, _without_warning(text), data=odd(name=MARK), is_of_records=True)
        for name, (sent, text) in KEPT.items()
    ),
    *(Variant(name, _in(name), ALWAYS, NOT_JSON) for name in ("utf-16-be", "utf-16-le")),
    *(Variant(f"{name} with a mark", _in(name), is_everywhere=True) for name in ("utf-8-sig", "utf-16", "utf-32")),
    Variant("a declared charset", _declared, is_everywhere=True),
)
