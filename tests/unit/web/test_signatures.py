"""What a handler takes is read from its signature. One that does not fit its path is refused with the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.web.requests import Later, Request, Text
from penstock.web.routing import delete, get, post, put
from penstock.web.signatures import HandlerMismatch

PATH = "/things/{thing_id}/parts/{part:path}"


class Thing(msgspec.Struct):
    name: str


class Filter(msgspec.Struct):
    name: str = ""


def change(request: Request, thing_id: str, part: str, query: Filter, body: Thing) -> Thing:
    raise NotImplementedError


async def stream(request: Request, thing_id: str, part: str, http: HttpRequest) -> Response:
    raise NotImplementedError


async def describe(request: Request, query: Filter) -> dict[str, str]:
    raise NotImplementedError


def test_a_row_has_the_models_of_its_handler() -> None:
    row = put(PATH, change, needs=Right.TOKEN)

    assert (row.query, row.body, row.returns) == (Filter, Thing, Thing)
    assert (row.streams, row.is_async, row.parameters) == (False, False, ["thing_id", "part"])


def test_a_handler_that_takes_the_http_request_streams() -> None:
    row = get(PATH, stream, needs=Right.TOKEN)

    assert (row.streams, row.is_async, row.query, row.body, row.returns) == (True, True, None, None, None)


def test_an_async_handler_need_not_stream() -> None:
    row = get("/", describe, needs=Right.PUBLIC)

    assert (row.streams, row.is_async, row.query, row.returns) == (False, True, Filter, dict[str, str])


def returns_nothing(request: Request) -> None: ...
def returns_text(request: Request) -> Text: ...  # pyright: ignore[reportReturnType]
def returns_text_or_json(request: Request) -> Text | Thing: ...  # pyright: ignore[reportReturnType]
def returns_thing_or_nothing(request: Request) -> Thing | None: ...
def returns_list(request: Request) -> list[Thing]: ...  # pyright: ignore[reportReturnType]
def returns_later(request: Request) -> Later[Thing]: ...  # pyright: ignore[reportReturnType]
def returns_now_or_later(request: Request) -> Thing | Later[None]: ...  # pyright: ignore[reportReturnType]
def returns_either(request: Request) -> Thing | list[Thing]: ...  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize(
    ("handler", "documented"),
    [
        (returns_nothing, None),
        (returns_text, None),
        (returns_text_or_json, Thing),
        (returns_thing_or_nothing, Thing),
        (returns_list, list[Thing]),
        (returns_later, Thing),
        (returns_now_or_later, Thing),
        (returns_either, Thing | list[Thing]),
    ],
)
def test_what_is_documented_are_the_models_that_a_handler_returns(handler: Callable[..., Any], documented: Any) -> None:
    assert delete("/", handler, needs=Right.TOKEN).returns == documented


def test_a_row_may_document_something_else() -> None:
    assert get("/", returns_either, needs=Right.TOKEN, returns=Thing).returns is Thing


def no_request() -> None: ...
def request_of_starlette(request: HttpRequest) -> None: ...
def without_annotation(request: Request, thing_id) -> None: ...  # pyright: ignore
def without_return(request: Request, thing_id: str): ...  # pyright: ignore
def without_the_id(request: Request) -> None: ...
def with_a_number(request: Request, thing_id: int) -> None: ...
def with_more(request: Request, thing_id: str, name: str) -> None: ...
def with_a_plain_body(request: Request, thing_id: str, body: dict[str, Any]) -> None: ...
def with_a_plain_query(request: Request, thing_id: str, query: str) -> None: ...
def with_http_in_a_thread(request: Request, thing_id: str, http: HttpRequest) -> None: ...
def with_another_http(request: Request, thing_id: str, http: Request) -> None: ...
def with_unknown_type(request: Request, thing_id: str, body: Missing) -> None: ...  # noqa: F821  # pyright: ignore


@pytest.mark.parametrize(
    ("handler", "problem"),
    [
        (no_request, "its first parameter must be the Request."),
        (request_of_starlette, "its first parameter must be the Request."),
        (without_annotation, "thing_id has no annotation."),
        (without_return, "return has no annotation."),
        (without_the_id, "thing_id of the path is not among its parameters."),
        (with_a_number, "thing_id is in the path, so it must be a str."),
        (with_more, "name is not in the path, and is not query, body or http."),
        (with_a_plain_body, "body must be a msgspec.Struct."),
        (with_a_plain_query, "query must be a msgspec.Struct."),
        (with_http_in_a_thread, "it takes http, so it must be async."),
        (with_another_http, "http must be starlette's Request."),
        (with_unknown_type, "an annotation cannot be resolved: name 'Missing' is not defined."),
    ],
)
def test_a_handler_that_does_not_fit_its_path_is_refused_with_both_names(
    handler: Callable[..., Any], problem: str
) -> None:
    with pytest.raises(HandlerMismatch) as raised:
        post("/things/{thing_id}", handler, needs=Right.TOKEN)

    name = f"{__name__}.{handler.__name__}"
    assert str(raised.value) == f"The handler {name} does not fit /things/{{thing_id}}: {problem}"


def with_a_reserved_name(request: Request, body: str) -> None: ...


def test_a_parameter_of_a_path_has_no_reserved_name() -> None:
    with pytest.raises(HandlerMismatch, match="body of the path is a reserved name"):
        get("/things/{body}", with_a_reserved_name, needs=Right.TOKEN)


def test_a_row_without_a_right_does_not_exist() -> None:
    with pytest.raises(TypeError, match="needs"):
        get("/", returns_nothing)  # pyright: ignore[reportCallIssue]
