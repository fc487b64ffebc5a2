"""The arguments of a handler besides the request: what its signature asks for, read from path, query and body."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request as HttpRequest

from penstock.web.bodies import BadRequest, parse_body, parse_query, to_model
from penstock.web.routing import Route
from penstock.web.signatures import BODY, HTTP, QUERY


def read_arguments(row: Route, http: HttpRequest, content: bytes) -> dict[str, Any]:
    """By name. Raises BadRequest, with the status of the row, if the query or the body is not what the row takes."""
    arguments: dict[str, Any] = dict(http.path_params)
    if row.query:
        arguments[QUERY] = _read_query(row, row.query, http.scope["query_string"].decode("latin-1"))
    if row.body:
        arguments[BODY] = _read_body(row, row.body, content, http.headers.get("content-type", ""))
    if row.streams:
        arguments[HTTP] = http
    return arguments


def _read_query(row: Route, model: type[Any], text: str) -> Any:
    try:
        return to_model(parse_query(text), model)
    except BadRequest as error:
        error.status = row.refuses_query_with
        raise


def _read_body(row: Route, model: type[Any], content: bytes, content_type: str) -> Any:
    try:
        return to_model(parse_body(content, content_type), model)
    except BadRequest as error:
        error.status = row.refuses_body_with
        raise
