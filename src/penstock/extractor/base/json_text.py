"""JSON text of a decoded value, as the original writes it: compact, ASCII, `/` escaped.

A decimal is written with 17 digits, as the original does, where those are exact; otherwise as its source text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sized
from typing import Any, cast

from penstock.extractor.base.numbers import Float, exact_float, serialized_float

DELETE = "\x7f"
_TEXT = json.JSONEncoder(ensure_ascii=True).encode


def json_text(value: Any) -> str:
    return _write(value, exact_float)


def exact_chunks(value: Any) -> Iterator[str]:
    """Yields the text, with all numbers as they were sent, in chunks, for lists that are too large for memory."""
    if isinstance(value, list):
        yield "["
        yield from (f"{_write(item, str)}," for item in cast(list[Any], value))
        yield "]"
    elif isinstance(value, dict):
        yield "{"
        for key, member in cast(dict[str, Any], value).items():
            yield f"{_text(key)}:"
            yield from exact_chunks(member)
            yield ","
        yield "}"
    else:
        yield _write(value, str)


def original_length(document: Any) -> int:
    """Returns how many bytes the original would count for a response; items are counted one by one, to bound memory."""
    if isinstance(document, list):
        items = cast(list[Any], document)
        return _around(items) + sum(len(_write(item, _original)) for item in items)
    if isinstance(document, dict):
        members = cast(dict[str, Any], document)
        return _around(members) + sum(len(_text(key)) + 1 + original_length(item) for key, item in members.items())
    return len(_write(document, _original))


def _around(values: Sized) -> int:
    """Returns the size of the brackets around values and the commas between them."""
    return max(len(values), 1) + 1


def _write(value: Any, decimal: Callable[[str], str]) -> str:
    if isinstance(value, (Float, float)):
        return decimal(value if isinstance(value, str) else repr(value))
    if isinstance(value, list):
        return f"[{','.join([_write(item, decimal) for item in cast(list[Any], value)])}]"
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return f"{{{','.join([f'{_text(key)}:{_write(item, decimal)}' for key, item in members])}}}"
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str) and DELETE in value:  # Python escapes it although it is ASCII, the original does not
        return f'"{DELETE.join(_text(part)[1:-1] for part in value.split(DELETE))}"'
    return _TEXT(value).replace("/", "\\/")


def _original(number: str) -> str:
    return serialized_float(number).replace("E", "e")
