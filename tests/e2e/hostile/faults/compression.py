"""H9: compressed answers: proper ones of every kind, broken ones, and bombs."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import cache

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.faults.short_bodies import CUT_SHORT
from tests.e2e.hostile.scenario import ALWAYS, Fault, Variant, fails

BOMB_SIZE = 64 << 20
BLOWN_UP = fails("unpacks to more than 1,000 times its size")
INVALID = fails("The response of 127.0.0.1 is not valid (gzip|deflate) data")
NOT_JSON = fails("Invalid JSON response from API")


def _encoded(encoding: str, encode: Callable[[bytes], bytes]) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(encode(exchange.body), [*exchange.headers, ("Content-Encoding", encoding)])

    return response


def _raw_deflate(body: bytes) -> bytes:
    return zlib.compress(body)[2:-4]


def _in_members(body: bytes) -> bytes:
    return gzip.compress(body[:7]) + gzip.compress(body[7:]) + b"\0" * 3


def _cut(body: bytes) -> bytes:
    return gzip.compress(body)[:-9]


def _damaged(body: bytes) -> bytes:
    packed = bytearray(gzip.compress(body))
    packed[-6] ^= 0xFF
    return bytes(packed)


@cache
def _bomb() -> bytes:
    return gzip.compress(b'{"items":[' + b" " * BOMB_SIZE + b"]}")


async def _redirect_with_a_bomb(exchange: Exchange) -> None:
    headers = [("Location", exchange.request.target), ("Content-Encoding", "gzip")]
    await exchange.response(_bomb(), headers, "302 Found")


PROPER = {
    "gzip": _encoded("gzip", gzip.compress),
    "x-gzip": _encoded("x-gzip", gzip.compress),
    "GZip": _encoded("GZip", gzip.compress),
    "deflate": _encoded("deflate", zlib.compress),
    "bare deflate": _encoded("deflate", _raw_deflate),
    "gzip in members": _encoded("gzip", _in_members),
    "identity": _encoded("identity", bytes),
    "a word that is no encoding": _encoded("utf-8", bytes),
}

VARIANTS = (
    *(Variant(name, fault, is_everywhere=True) for name, fault in PROPER.items()),
    Variant("cut", _encoded("gzip", _cut)),
    Variant("cut for ever", _encoded("gzip", _cut), ALWAYS, CUT_SHORT),
    Variant("damaged", _encoded("gzip", _damaged), ALWAYS, INVALID),
    Variant("not compressed at all", _encoded("gzip", bytes), ALWAYS, INVALID),
    Variant("gzip that is called deflate", _encoded("deflate", gzip.compress), ALWAYS, INVALID),
    Variant("compressed and not called so", _encoded("identity", gzip.compress), ALWAYS, NOT_JSON),
    Variant(
        "twice", _encoded("gzip, gzip", lambda body: gzip.compress(gzip.compress(body))), ALWAYS, fails("2 times over")
    ),
    Variant("twice, told once", _encoded("gzip", lambda body: gzip.compress(gzip.compress(body))), ALWAYS, NOT_JSON),
    Variant("brotli", _encoded("br", bytes), ALWAYS, fails("in the encoding br, which was not requested")),
    Variant("zstandard", _encoded("zstd", bytes), ALWAYS, fails("in the encoding zstd, which was not requested")),
    Variant("a bomb", _encoded("gzip", lambda _: _bomb()), ALWAYS, BLOWN_UP),
    Variant("a bomb in a redirect", _redirect_with_a_bomb, ALWAYS, BLOWN_UP),
)
