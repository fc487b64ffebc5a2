"""Reads the body of a response: up to a size limit, decoded incrementally, and complete or not at all.

A body is returned as bytes, or written piece by piece to a sink, for callers that expect more than fits in memory.
Decoding is done here rather than by aiohttp, which accepts a truncated gzip body as complete.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from penstock.foundation.outbound.errors import Inflated, TooLarge, Unreachable
from penstock.foundation.outbound.failures import explain_body
from penstock.foundation.outbound.quick_start import aiohttp

_MAX_RATIO = 1000
_FREE_OF_RATIO = 10 << 20  # small bodies may compress very well
_PIECE = 1 << 20
_KEPT_FOR_ERROR = 1 << 16
_MAX_MEMBERS = 1024
_GZIP = 16 + zlib.MAX_WBITS
# Encodings that we never request; any other unknown value is treated as a mislabelled plain body.
_UNKNOWN = {"br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"}


class Sink(Protocol):
    """The destination of a body that is not held in memory; its exceptions end the call unchanged."""

    def write(self, chunk: bytes, /) -> None: ...


async def read_body(response: aiohttp.ClientResponse, host: str, max_bytes: int, into: Sink | None = None) -> bytes:
    """The whole decoded body, or empty if it went to a sink; if it is cut short, the error contains what arrived.

    For a body that went to a sink, the error contains what arrived only if that is small.
    """
    encoding = _read_encoding(response, host)
    pieces: list[bytes] = []
    keep = pieces.append if into is None else _Passing(into, pieces).append
    try:
        if encoding is None:
            await _read_plain(response, host, max_bytes, keep)
        else:
            await _read_encoded(response, host, max_bytes, Inflater(encoding, host), keep)
    except _NotTaken as error:
        raise error.reason from None
    except (aiohttp.ClientError, OSError) as error:
        raise explain_body(error, host, response.status, b"".join(pieces)) from None
    except Unreachable as error:
        if error.kind == "cut":
            error.status, error.body = response.status, b"".join(pieces)
        raise
    return b"".join(pieces) if into is None else b""


class _NotTaken(Exception):
    """A sink failed with this exception: a full disk must not be reported as a lost connection."""

    def __init__(self, reason: Exception) -> None:
        super().__init__()
        self.reason = reason


class _Passing:
    """Passes pieces to a sink, and also keeps them while they are few."""

    def __init__(self, sink: Sink, pieces: list[bytes]) -> None:
        self._sink, self._pieces = sink, pieces
        self._size = 0

    def append(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= _KEPT_FOR_ERROR:
            self._pieces.append(piece)
        else:
            self._pieces.clear()
        try:
            self._sink.write(piece)
        except Exception as error:
            raise _NotTaken(error) from error


async def _read_plain(
    response: aiohttp.ClientResponse, host: str, max_bytes: int, keep: Callable[[bytes], None]
) -> None:
    if response.method != "HEAD" and (response.content_length or 0) > max_bytes:
        raise TooLarge(host, max_bytes)
    size = 0
    while chunk := await response.content.readany():
        size += len(chunk)
        if size > max_bytes:
            raise TooLarge(host, max_bytes)
        keep(chunk)


async def _read_encoded(
    response: aiohttp.ClientResponse, host: str, max_bytes: int, inflater: Inflater, keep: Callable[[bytes], None]
) -> None:
    received = size = 0
    while chunk := await response.content.readany():
        received += len(chunk)
        for piece in inflater.monitor(chunk):
            size += len(piece)
            _check_size(size, received, host, max_bytes)
            keep(piece)
            if len(piece) == _PIECE:
                await asyncio.sleep(0)  # a decompression bomb must block neither its own deadline nor other calls
    inflater.finish()


def _check_size(size: int, received: int, host: str, max_bytes: int) -> None:
    if max(size, received) > max_bytes:
        raise TooLarge(host, max_bytes)
    if size > _FREE_OF_RATIO and size > received * _MAX_RATIO:
        raise Inflated(host, _MAX_RATIO)


def _read_encoding(response: aiohttp.ClientResponse, host: str) -> str | None:
    if "Content-Encoding" not in response.headers:
        return None
    text = ",".join(response.headers.getall("Content-Encoding"))
    layers = [word for word in (part.strip().lower() for part in text.split(",")) if word not in ("", "identity")]
    if len(layers) > 1:
        raise Unreachable("protocol", f"{host} encoded its response {len(layers)} times over, which is not supported.")
    if layers and layers[0] in _UNKNOWN:
        raise Unreachable("protocol", f"{host} responded in the encoding {layers[0]}, which was not requested.")
    return layers[0].removeprefix("x-") if layers and layers[0] in ("gzip", "x-gzip", "deflate") else None


class Inflater:
    """Decodes gzip or deflate in pieces of at most a megabyte, whatever they expand to."""

    def __init__(self, encoding: str, host: str) -> None:
        self._encoding = encoding
        self._host = host
        self._stream = zlib.decompressobj()
        self._members = 0

    def monitor(self, data: bytes) -> Iterator[bytes]:
        try:
            has_more = bool(data)
            while has_more:
                if self._is_between_members:
                    self._open_member(data)
                piece = self._stream.decompress(data, _PIECE)
                data = self._rest()
                # zlib may have consumed all input and still hold output back.
                has_more = bool(data) or (len(piece) == _PIECE and not self._stream.eof)
                yield piece
        except zlib.error:
            raise Unreachable("protocol", f"The response of {self._host} is not valid {self._encoding} data.") from None

    def finish(self) -> None:
        if self._members and not self._stream.eof:
            message = f"The response of {self._host} is cut short: its {self._encoding} data ends early."
            raise Unreachable("cut", message)

    @property
    def _is_between_members(self) -> bool:
        return not self._members or self._stream.eof

    def _open_member(self, data: bytes) -> None:
        self._members += 1
        if self._members > (_MAX_MEMBERS if self._encoding == "gzip" else 1):
            raise zlib.error
        self._stream = zlib.decompressobj(self._window(data))

    def _rest(self) -> bytes:
        if not self._stream.eof:
            return self._stream.unconsumed_tail
        # Some servers pad the end of a gzip body with zeros.
        return self._stream.unused_data.lstrip(b"\0")

    def _window(self, data: bytes) -> int:
        if self._encoding == "gzip":
            return _GZIP
        # "deflate" means zlib's format, but many servers send the bare stream.
        return zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS
