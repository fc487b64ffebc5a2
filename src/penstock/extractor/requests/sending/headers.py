"""Validates the headers of a configuration and converts them to headers that can be sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import HeaderValue
from penstock.extractor.base.values import as_map, is_list, text_of

_IS_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
_IS_UNSAFE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search
"""A line break would start another header; tabs are allowed."""


def header_values(headers: Mapping[str, Any], where: str = "") -> dict[str, HeaderValue]:
    """A list is a header that is sent several times. `where` is the path of the headers, for messages."""
    return {_name(name): _value(value, f"{where}.{name}" if where else name) for name, value in headers.items()}


def _name(name: str) -> str:
    if not _IS_NAME(name):
        raise UserError(f"Invalid configuration: {name!r} cannot be the name of a header.")
    return name


def _value(value: Any, path: str) -> HeaderValue:
    if value and is_list(value):
        return [_text(item, f"{path}.{index}") for index, item in as_map(value).items()]
    return _text(value, path)


def _text(value: Any, path: str) -> str:
    if isinstance(value, (dict, list)) and value:
        kind = "object" if isinstance(value, dict) else "array"
        raise UserError(f'Invalid configuration: invalid type "{kind}" in headers at path: {path}')
    text = "" if isinstance(value, (dict, list)) else text_of(value).strip(" \t")
    if _IS_UNSAFE(text):
        raise UserError(f"Invalid configuration: the header at path {path} holds a line break or a control character.")
    return text
