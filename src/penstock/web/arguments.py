"""The arguments of a handler after the request: what its signature asks for, read from path, query and body."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request as HttpRequest

from penstock.web.bodies import BadRequest, parse_body, parse_query, to_model
from penstock.web.routing import Route
from penstock.web.signatures import BODY, HTTP, QUERY


def read_arguments(route: Route, http: HttpRequest, content: bytes) -> dict[str, Any]:
    """Return the arguments by name. Raises BadRequest, with the status of the route, if the query or the body is not
    valid for it."""
    arguments: dict[str, Any] = dict(http.path_params)
    if route.query:
        arguments[QUERY] = _read_query(route, route.query, http.scope["query_string"].decode("latin-1"))
    if route.body:
        arguments[BODY] = _read_body(route, route.body, content, http.headers.get("content-type", ""))
    if route.streams:
        arguments[HTTP] = http
    return arguments


def _read_query(route: Route, model: type[Any], text: str) -> Any:
    try:
        return to_model(parse_query(text), model)
    except BadRequest as error:
        error.status = route.refuses_query_with
        raise


def _read_body(route: Route, model: type[Any], content: bytes, content_type: str) -> Any:
    try:
        return to_model(parse_body(content, content_type), model)
    except BadRequest as error:
        error.status = route.refuses_body_with
        raise
