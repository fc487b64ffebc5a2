"""H17: odd connections and odd heads: closed ones, old versions, enormous headers, early hints, certificates."""

from __future__ import annotations

import datetime as dt
import ssl
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, Fault, Variant, fails
from tests.support.authority import Authority

NOT_HTTP = fails("127.0.0.1 did not respond with valid HTTP")
UNTRUSTED = fails("CURL error 60: The TLS certificate of localhost is not trusted")
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"


async def _hang_up_afterwards(exchange: Exchange) -> None:
    await exchange.response()
    await exchange.hang_up()


async def _say_close(exchange: Exchange) -> None:
    await exchange.response(headers=[*exchange.headers, ("Connection", "close")])
    await exchange.hang_up()


async def _speak_the_old_version(exchange: Exchange) -> None:
    length = ("Content-Length", str(len(exchange.body)))
    await exchange.send(exchange.head(*exchange.headers, length, version="HTTP/1.0") + exchange.body)
    await exchange.hang_up()


def _before(prefix: bytes) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.send(prefix + exchange.whole())

    return response


def _headed(*headers: tuple[str, str]) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(headers=[*exchange.headers, *headers])

    return response


def _replaced(old: bytes, new: bytes) -> Fault:
    """In the first place where it stands, which is in the head."""

    async def response(exchange: Exchange) -> None:
        await exchange.send(exchange.whole().replace(old, new, 1))
        await exchange.hang_up()

    return response


@cache
def _folder() -> TemporaryDirectory[str]:
    """Goes away with the process."""
    return TemporaryDirectory()


@cache
def _authority() -> Authority:
    return Authority(Path(_folder().name))


def _showing(host: str, lasts: int) -> Callable[[], ssl.SSLContext]:
    return lambda: _authority().context_for(host, dt.timedelta(days=lasts))


def _trusting() -> dict[str, str]:
    return {"SSL_CERT_FILE": str(_authority().bundle)}


PROPER = {
    "closed afterwards": _hang_up_afterwards,
    "closed as it says": _say_close,
    "HTTP/1.0": _speak_the_old_version,
    "early hints": _before(HINTS),
    "early hints, three times": _before(HINTS * 3),
    "continue": _before(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "no reason": _replaced(b"200 OK", b"200"),
    "a header of 60 kB": _headed(("X-Long", "x" * 60_000)),
    "400 headers": _headed(*((f"X-{index}", "x") for index in range(400))),
    "Latin-1 in a header": _headed(("X-Name", "Zo\udceb")),
}
BROKEN = {
    "a header of 100 kB": _headed(("X-Long", "x" * 100_000)),
    "1,000 headers": _headed(*((f"X-{index}", "x") for index in range(1000))),
    "a zero in a header": _headed(("X-Zero", "a\0b")),
    "a header without a name": _headed(("", "x")),
    "another protocol": _replaced(b"HTTP/1.1", b"ICY"),
    "no protocol at all": _replaced(b"HTTP/1.1 200 OK\r\n", b"SSH-2.0-OpenSSH_9.6\r\n"),
    "a status of letters": _replaced(b"200", b"abc"),
}

VARIANTS = (
    *(Variant(name, fault, is_everywhere=True) for name, fault in PROPER.items()),
    *(Variant(name, fault, ALWAYS, NOT_HTTP) for name, fault in BROKEN.items()),
    Variant("an unknown authority", None, 1, UNTRUSTED, tls=_showing("localhost", 1)),
    Variant("a certificate that has run out", None, 1, UNTRUSTED, tls=_showing("localhost", -1), trusts=_trusting),
    Variant("a certificate of another host", None, 1, UNTRUSTED, tls=_showing("example.com", 1), trusts=_trusting),
    Variant("a certificate in order", tls=_showing("localhost", 1), trusts=_trusting),
)
