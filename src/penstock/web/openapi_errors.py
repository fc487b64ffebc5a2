"""Errors in OpenAPI documents: which ones an operation can give follows from what its row declares, and how they look
from the way that the service writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.errors import AppError, Invalid, NotFound
from penstock.web.errors import Reply, Shape
from penstock.web.routing import Route

SCHEMA = "Error"
OTHER, _ID = "4XX", "exception-id"
_TYPES = {str: "string", int: "integer", list: "array", dict: "object", type(None): "null"}


NOT_IMPLEMENTED = 501


class Failure(NamedTuple):
    name: str
    sentence: str


FAILURES = {
    "400": Failure("Invalid", "The request is not valid. The message says what is wrong and how to fix it."),
    "401": Failure("Unauthorized", "There is no credential, or it is not valid, has expired or was revoked."),
    "403": Failure(
        "Forbidden",
        "The credential does not have the right that the operation needs, or the role of the member forbids it.",
    ),
    "404": Failure("NotFound", "Something that the path names does not exist, or not for this caller."),
    "409": Failure(
        "Conflict", "A request with this Idempotency-Key is in progress, or the object has changed meanwhile."
    ),
    "413": Failure("TooLarge", "The body is larger than this stack takes."),
    "422": Failure("Unprocessable", "The body was read, and a field of it is missing or not valid."),
    "429": Failure(
        "TooManyRequests", "There are too many requests. `Retry-After` says after how many seconds to try again."
    ),
    "501": Failure("NotImplemented", "This stack does not implement it. The message says what to do instead."),
    "503": Failure("Unavailable", "The stack has no room to store anything. Nothing was changed."),
    OTHER: Failure("OtherError", "Another error. The message says what is wrong and how to fix it."),
}


def error_references(route: Route) -> dict[str, Any]:
    """The errors of an operation, by their status."""
    return {status: {"$ref": f"#/components/responses/{FAILURES[status].name}"} for status in error_statuses(route)}


def error_statuses(route: Route) -> list[str]:
    """Return the statuses that follow from the row. Other refusals of a handler are described once, as `4XX`."""
    has_body, is_open = bool(route.body or route.form or route.takes), route.needs is Right.PUBLIC
    is_for_all = is_open or (route.needs is Right.TOKEN and not route.parameters and not route.writes)
    can = [
        (str(route.refuses_query_with), bool(route.query)),
        (str(route.refuses_body_with), has_body),
        ("401", not is_open),
        ("403", not is_for_all or route.is_confidential),
        ("404", bool(route.parameters)),
        ("409", route.method == "POST" and not is_open),
        ("413", has_body),
        ("429", True),
        (str(NOT_IMPLEMENTED), route.status == NOT_IMPLEMENTED),
        ("503", route.needs_room),
        (OTHER, True),
    ]
    return sorted({status for status, is_possible in can if is_possible})


def error_responses(routes: Iterable[Route]) -> dict[str, Any]:
    """Return the responses that the references of these rows refer to."""
    used = {status for route in routes for status in error_statuses(route)}
    return {failure.name: _response(status, failure) for status, failure in FAILURES.items() if status in used}


def _response(status: str, failure: Failure) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{SCHEMA}"}}}
    wait = {"Retry-After": {"description": "In seconds.", "schema": {"type": "integer"}}}
    headers = {"headers": wait} if status == "429" else {}
    return {"description": failure.sentence, "content": content, **headers}


def error_schema(routes: Sequence[Route], shape: Shape, below: Mapping[str, Reply]) -> dict[str, Any]:
    """Read from what the service writes for different errors: what all of them have is required."""
    used = [reply for start, reply in below.items() if any(route.path.startswith(start) for route in routes)]
    bodies = [{**shape(error), "exceptionId": _ID} for error in _samples()]
    bodies += [msgspec.json.decode(reply(error, _ID).body, type=dict) for reply in used for error in _samples()]
    names = list(dict.fromkeys(name for body in bodies for name in body))
    return {
        "title": SCHEMA,
        "type": "object",
        "description": "What every error of this service looks like.",
        "properties": {name: {"type": _types(body[name] for body in bodies if name in body)} for name in names},
        "required": [name for name in names if all(name in body for body in bodies)],
    }


def _types(values: Iterable[Any]) -> str | list[str]:
    types = sorted({_TYPES[type(value)] for value in values})
    return types[0] if len(types) == 1 else types


def _samples() -> list[AppError]:
    with_faults, with_details = Invalid("It is not valid."), Invalid("It is not valid.")
    with_faults.faults = ({"path": "name", "message": "It is not valid."},)
    with_details.details = [{"key": "name", "message": "It is not valid."}]
    return [AppError("It cannot be done."), NotFound("It does not exist."), with_faults, with_details]
