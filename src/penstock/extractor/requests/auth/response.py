"""Reads the response to a login, and the values in it that requests need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate
from penstock.extractor.base.path import NotFound, get, look_up
from penstock.extractor.base.values import to_text

MIN_LENGTH = 4
"""A shorter text, such as the id of an account, is not redacted, which would make the log unreadable."""


def read_response(body: bytes, form: str, endpoint: str) -> dict[str, Any]:
    """Returns the response as an object; a text or a number becomes its member `data`."""
    if form == "text":
        return {"data": body.decode("utf-8", "ignore")}
    value = _document(body, endpoint)
    if value is None or isinstance(value, list):
        kind = "NULL" if value is None else "array"
        raise UserError(f'The response to the login request should be an object or a scalar value, given "{kind}".')
    return cast(dict[str, Any], value) if isinstance(value, dict) else {"data": value}


def resolve(settings: Mapping[str, Any], response: dict[str, Any], contexts: Contexts) -> dict[str, Any]:
    """Returns the values of `apiRequest`: functions evaluated, plain texts looked up as paths in the response."""
    return {name: _resolved(value, response, contexts) for name, value in settings.items()}


def secrets_in(settings: Mapping[str, Any], values: Mapping[str, Any], response: dict[str, Any]) -> list[str]:
    """Returns texts from the response, and texts that functions derived from them."""
    resolved = [values[name] for name, value in settings.items() if values[name] != value]
    used = [look_up(path, response) for path in _references([*settings.values()])]
    return [text for value in (*resolved, *used) for text in _texts(value) if len(text) >= MIN_LENGTH]


def _document(body: bytes, endpoint: str) -> Any:
    try:
        return decode(body).document
    except NotJson as error:
        raise UserError(
            f"Invalid JSON response from API: JSON decode error: {error.family}"
            f" (login endpoint '{endpoint.partition('?')[0]}', byte {error.at}: {error})."
            " Set `authentication.format` to `text` if the response is plain text."
        ) from None


def _resolved(value: Any, response: dict[str, Any], contexts: Contexts) -> Any:
    """A plain text is a path; the result of a function is not, even if it looks like one."""
    if not isinstance(value, str):
        return evaluate(value, contexts)
    try:
        return get(value, response)
    except NotFound:
        return value


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _references(item)
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        path = members.get("response")
        if len(members) == 1 and isinstance(path, str):
            yield path
        yield from _references([*members.values()])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _texts(item)
    elif value is not None and not isinstance(value, (bool, dict)):
        yield to_text(value)
