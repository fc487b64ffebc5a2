"""Decodes JSON without changing a digit, or raises NotJson with the reason.

Decimals stay text (`Float`), integers of any size are exact. Invalid input that the original accepts is accepted too:
bytes that are not UTF-8 and lone surrogates are dropped, and counted.
"""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.extractor.base.numbers import Float

_read = msgspec.json.Decoder(float_hook=Float).decode
_LONE_SURROGATE = rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
_NAME_OF_ZERO = b'"\\u0000'
_AT_BYTE = r" \(byte (\d+)\)$"


class Decoded(msgspec.Struct, frozen=True):
    document: Any
    dropped: int = 0
    """How many invalid bytes and escapes were dropped."""


class NotJson(Exception):
    """A reason, and the byte at which decoding stopped."""

    def __init__(self, reason: str, at: int, family: str = "Syntax error, malformed JSON") -> None:
        super().__init__(reason)
        self.at, self.family = at, family


def decode(body: bytes) -> Decoded:
    """Raises NotJson, also for what the original refuses: names that start with the character zero."""
    try:
        decoded = _decoded(body)
    except RecursionError:
        raise _too_deep() from None
    _check(decoded.document, body)
    return decoded


def _decoded(body: bytes) -> Decoded:
    try:
        return Decoded(_read(body))
    except UnicodeDecodeError:
        return _fixed(body)
    except msgspec.DecodeError as error:
        if b"\\ud" in body.lower() or not _is_text(body):
            return _fixed(body)
        raise _not_json(error, body) from None


def _fixed(body: bytes) -> Decoded:
    text = body.decode("utf-8", "ignore").encode()
    repaired, escapes = re.subn(_LONE_SURROGATE, lambda match: b"" if match[1] else match[0], text)
    lone = sum(1 for match in re.finditer(_LONE_SURROGATE, text) if match[1]) if escapes else 0
    try:
        return Decoded(_read(repaired), len(body) - len(text) + lone)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _not_json(error, body) from None


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _check(document: Any, body: bytes) -> None:
    if b"\\" in body and _NAME_OF_ZERO in body and _names_zero(document):
        raise NotJson("a name starts with the character zero", body.index(_NAME_OF_ZERO), "Unknown error")


def _names_zero(document: Any) -> bool:
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            members = cast(dict[str, Any], node)
            if any(name.startswith("\0") for name in members):
                return True
            waiting += members.values()
        elif isinstance(node, list):
            waiting += cast(list[Any], node)
    return False


def _too_deep() -> NotJson:
    return NotJson("it is nested too deeply", 0, "Maximum stack depth exceeded")


def _not_json(error: Exception, body: bytes) -> NotJson:
    reason = str(error)
    if isinstance(error, msgspec.ValidationError):  # without a type to convert to, only integers can be refused
        return NotJson("it holds an integer of more than 4,300 digits", 0)
    if at := re.search(_AT_BYTE, reason):
        return NotJson(re.sub(_AT_BYTE, "", reason).removeprefix("JSON is malformed: "), int(at[1]))
    return NotJson(reason[:1].lower() + reason[1:], len(body))
