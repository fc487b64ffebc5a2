"""Base64 in a text: found and decoded, wherever it begins and whatever surrounds it."""

from __future__ import annotations

import re
from binascii import a2b_base64
from functools import lru_cache

from penstock.foundation.redaction.pieces import Piece, Span

ALIGNMENTS = range(4)
"""Base64 may follow other characters of its alphabet, as in `auth/QUJD`, so it may begin at any of four places."""
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_ONLY_ALPHABET = bytes(byte if byte in _ALPHABET else ord(" ") for byte in range(256))
_FROM_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_RUN = re.compile(rb"[A-Za-z0-9+/_-]+")
_SEPARATOR = b"AAAA"
_PADDING = [b"A" * (-size % 4) + _SEPARATOR for size in range(4)]
_CHARACTER = rb"[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"


def list_runs(content: bytes, shortest: int) -> set[bytes]:
    """The different runs of base64 characters that are long enough to hold so many bytes."""
    size = -(-4 * shortest // 3)
    return {run for run in set(content.translate(_ONLY_ALPHABET).split()) if len(run) >= size}


def locate_runs(content: bytes, spans_of_runs: dict[bytes, list[Span]]) -> list[Span]:
    """The spans in the content, from the spans in each of its runs."""
    found: list[Span] = []
    for match in _RUN.finditer(content):
        found += [(match.start() + start, match.start() + end) for start, end in spans_of_runs.get(match[0], ())]
    return found


def decode_runs(runs: list[bytes], first: int) -> bytes:
    """What the runs decode to, one after the other, each without its first characters."""
    padded = [run[first:] + _PADDING[(len(run) - first) & 3] for run in runs]
    return a2b_base64(b"".join(padded).translate(_FROM_URL_SAFE))


def decoded_pieces(runs: list[bytes], first: int) -> list[Piece]:
    """Return where each run is in the decoded bytes; the source is all runs, joined."""
    pieces: list[Piece] = []
    at = source = 0
    for run in runs:
        quads = -(-(len(run) - first) // 4)
        pieces.append(Piece(at, 3 * quads, source + first, 4 * quads, source + len(run)))
        at += 3 * quads + len(_SEPARATOR) // 4 * 3
        source += len(run)
    return pieces


def find_texts(content: bytes, shortest: int) -> list[Span]:
    """The readable parts of decoded bytes; only they may be encoded once more."""
    return [match.span() for match in _texts(shortest).finditer(content)]


def join_texts(content: bytes, texts: list[Span]) -> bytes:
    return b"\0".join(content[start:end] for start, end in texts)


def text_pieces(texts: list[Span]) -> list[Piece]:
    """Return where each part is in the joined text."""
    pieces: list[Piece] = []
    at = 0
    for start, end in texts:
        pieces.append(Piece(at, end - start, start, end - start, end))
        at += end - start + 1
    return pieces


@lru_cache(64)
def _texts(size: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?:%b){%d,}+" % (_CHARACTER, size))
