"""A document as JSON text, which is what placeholders are replaced in."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.services.queue.variables.errors import BrokenDocument

MAX_BYTES = 64_000_000
"""Characters: a short text with many placeholders for a long value could become larger than any memory."""


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """A document with values in it."""

    document: dict[str, Any]
    used: dict[str, str] = {}
    """The values that were put in, by name, in the order of their first use."""
    missing: list[str] = []
    """Names that no value was known for."""


def to_text(document: dict[str, Any]) -> str:
    return msgspec.json.encode(document).decode()


def to_document(text: str) -> dict[str, Any]:
    try:
        document: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenDocument(str(error)) from error
    if not isinstance(document, dict):
        raise BrokenDocument("it is no longer a JSON object")
    return cast(dict[str, Any], document)


def escape(value: str) -> str:
    """Return the value as it stands between the quotes of a JSON string."""
    return msgspec.json.encode(value).decode()[1:-1]


def check_size(characters: int) -> None:
    if characters > MAX_BYTES:
        raise BrokenDocument(f"it is longer than {MAX_BYTES:,} characters")
