"""JSON, forms and queries into models.

Clients of this contract write one thing in many ways: `a[]=1&a[]=2`, `a[0]=1`, `a=1&a=2`; numbers and booleans as
text; `[]` or null for "not given". All of it is read here, once.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.errors import Invalid, TooLarge

T = TypeVar("T")

_SEGMENT = re.compile(r"\[([^\[\]]*)\]")
_PATH = re.compile(r"^(?P<problem>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
NESTING = 32
PAIRS = 10_000


class BodyTooLarge(TooLarge):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The request body is larger than the {limit:,} bytes that this stack takes.")


class BadRequest(Invalid):
    """A field is missing or wrong; the sentence names it."""

    def __init__(self, problem: str, path: str = "body") -> None:
        super().__init__(f'Invalid request:\n - {path}: "{problem}"')


async def read_body(request: HttpRequest, limit: int) -> bytes:
    """The whole body, refused as soon as it is known to be too large."""
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > limit:
        raise BodyTooLarge(limit)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise BodyTooLarge(limit)
        parts.append(part)
    return b"".join(parts)


def parse_body(content: bytes, content_type: str) -> dict[str, Any]:
    """The fields of a body, whatever it is encoded in; nothing at all means no fields."""
    if "x-www-form-urlencoded" in content_type:
        return parse_query(_text(content))
    if not content.strip():
        return {}
    try:
        document = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadRequest(f"This is not JSON: {error}") from error
    if document == [] or document is None:
        return {}
    if not isinstance(document, dict):
        raise BadRequest("The body must be a JSON object.")
    return cast(dict[str, Any], document)


def parse_query(text: str) -> dict[str, Any]:
    """`a[b][]=1&a[b][]=2` → {"a": {"b": ["1", "2"]}}."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=PAIRS)
    except ValueError as error:
        raise BadRequest(f"There are more than {PAIRS} fields.") from error
    root: dict[str, Any] = {}
    for key, value in pairs:
        name, _, rest = key.partition("[")
        segments = _SEGMENT.findall("[" + rest)[:NESTING] if rest else []
        _put(root, [name, *segments], value)
    return {name: _listed(value) for name, value in root.items()}


def to_model(fields: dict[str, Any], model: type[T]) -> T:
    """Validate; null and `[]` for an optional field mean that it was not given."""
    given = {name: value for name, value in fields.items() if value is not None and value != []}
    try:
        # strict=False: forms have only text, and JSON in the wild writes numbers and booleans as text too.
        return msgspec.convert(given, model, strict=False)
    except (msgspec.ValidationError, RecursionError) as error:
        match = _PATH.match(str(error))
        problem, path = (match["problem"], match["path"]) if match else (str(error), None)
        raise BadRequest(problem, path or _field_in(problem)) from error


def _field_in(problem: str) -> str:
    found = re.search(r"field `([^`]+)`", problem)
    return found[1] if found else "body"


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadRequest("The form is not UTF-8.") from error


def _put(node: dict[str, Any], path: list[str], value: str) -> None:
    """Lists are kept as {"0": …, "1": …} until all pairs are in."""
    for segment, following in zip(path, [*path[1:], None], strict=True):
        key = segment or str(len(node))
        if following is None:
            node[key] = _also(node, key, value) if len(path) == 1 else value
            return
        child = node.get(key)
        if not isinstance(child, dict):
            child = node[key] = {}
        node = cast(dict[str, Any], child)


def _also(node: dict[str, Any], key: str, value: str) -> Any:
    """A plain key that is repeated becomes a list."""
    if key not in node:
        return value
    known = node[key]
    values = cast(dict[str, Any], known) if isinstance(known, dict) else {"0": known}
    return {**values, str(len(values)): value}


def _listed(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    members = cast(dict[str, Any], node)
    values = {key: _listed(value) for key, value in members.items()}
    return list(values.values()) if all(key.isdecimal() for key in values) else values
