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

from penstock.foundation.constraints import explain, split_path
from penstock.foundation.errors import Invalid, TooLarge
from penstock.web.body_memory import grow_body
from penstock.web.multipart import NotMultipart, parse_multipart

T = TypeVar("T")

_INDEX = re.compile(r"[0-9]{1,9}")
_SEGMENT = re.compile(r"\[([^\[\]]*)\]")
NESTING = 32
PAIRS = 10_000
DRAINED = 4
"""How many times the limit is read and thrown away: most clients look at the response only when all is sent."""


class BodyTooLarge(TooLarge):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The request body is larger than the {limit:,} bytes that this stack takes.")


class BadRequest(Invalid):
    """A field is missing or wrong; the sentence names it."""

    def __init__(self, problem: str, path: str = "body") -> None:
        super().__init__(f'Invalid request:\n - {path}: "{problem}"')
        self.faults = ({"path": path, "message": problem},)


async def read_body(request: HttpRequest, limit: int) -> bytes:
    """The whole body, unless it is too large; then none of it is kept. Raises TooBusy if its sender holds too much
    memory already."""
    announced = request.headers.get("content-length", "0")
    is_too_large = announced.isdecimal() and int(announced) > limit
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > (DRAINED * limit if is_too_large else limit):
            raise BodyTooLarge(limit)
        if not is_too_large:
            grow_body(len(part))
            parts.append(part)
    if is_too_large:
        raise BodyTooLarge(limit)
    return b"".join(parts)


def parse_body(content: bytes, content_type: str) -> dict[str, Any]:
    """The fields of a body, whatever it is encoded in; nothing at all means no fields."""
    if "multipart/form-data" in content_type:
        return _parse_parts(content, content_type)
    # curl -d sends JSON as a form unless told otherwise; no form begins with a brace.
    if "x-www-form-urlencoded" in content_type and not content.lstrip().startswith(b"{"):
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
    return gather_fields(pairs)


def _parse_parts(content: bytes, content_type: str) -> dict[str, Any]:
    try:
        return gather_fields(parse_multipart(content, content_type))
    except NotMultipart as error:
        raise BadRequest(str(error)) from error


def gather_fields(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """The fields of a form, with lists and objects from the brackets in their names."""
    root = _Members()
    for key, value in pairs:
        name, _, rest = key.partition("[")
        segments = _SEGMENT.findall("[" + rest) if rest else []
        if len(segments) > NESTING:
            raise BadRequest(f"This field is nested deeper than {NESTING} levels.", name)
        _put(root, [name, *segments], value)
    return {name: _listed(value) for name, value in root.items()}


def to_model(fields: dict[str, Any], model: type[T]) -> T:
    """Validate; null and `[]` for an optional field mean that it was not given.

    A model whose `keeps_empty` names a field tells `[]` there from nothing: who changes a thing may want to empty it.
    `keeps_null` does the same for null.
    One with `aliases` takes other names of its fields too; the field's own name wins.
    """
    keeps_empty, nulls = getattr(model, "keeps_empty", ()), getattr(model, "keeps_null", ())
    aliases = getattr(model, "aliases", {})
    fields = {aliases[name]: value for name, value in fields.items() if name in aliases} | fields
    values = {
        name: value
        for name, value in fields.items()
        if (value is not None or name in nulls) and (value != [] or name in keeps_empty)
    }
    try:
        # strict=False: forms have only text, and JSON in the wild writes numbers and booleans as text too.
        return msgspec.convert(values, model, strict=False)
    except (msgspec.ValidationError, RecursionError) as error:
        problem, path = split_path(error)
        raise BadRequest(explain(problem), path or _field_in(problem)) from error


def _field_in(problem: str) -> str:
    match = re.search(r"field `([^`]+)`", problem)
    return match[1] if match else "body"


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadRequest("The form is not UTF-8.") from error


class _Members(dict[str, Any]):
    """What stands in brackets; a list is kept as {"0": …, "1": …} until all pairs are in."""

    following = 0
    """Where `a[]` goes: after the highest number so far."""

    def put(self, key: str, value: Any) -> None:
        self[key] = value
        if _INDEX.fullmatch(key):
            self.following = max(self.following, int(key) + 1)


def _put(node: _Members, path: list[str], value: str) -> None:
    for segment in path[:-1]:
        key = segment or str(node.following)
        child = node.get(key)
        if not isinstance(child, _Members):
            child = _Members()
            node.put(key, child)
        node = child
    last = path[-1]
    if len(path) == 1 and last in node:
        _add(node, last, value)
    else:
        node.put(last or str(node.following), value)


def _add(node: _Members, key: str, value: str) -> None:
    """A plain key that is repeated becomes a list."""
    child = node[key]
    if isinstance(child, _Members):
        child.put(str(child.following), value)
        return
    node[key] = values = _Members()
    values.put("0", child)
    values.put("1", value)


def _listed(node: Any) -> Any:
    if not isinstance(node, _Members):
        return node
    values = {key: _listed(value) for key, value in node.items()}
    if not all(_INDEX.fullmatch(key) for key in values):
        return values
    return [values[key] for key in sorted(values, key=int)]
