"""What a handler takes and returns, read from its signature when a route table is built.

    def get_job(request: Request, job_id: str) -> Job
    def create_variable(request: Request, body: NewVariable) -> Variable
    async def read_blob(request: Request, container: str, blob: str, http: HttpRequest) -> Response

The first parameter is the request. Each of the others is a parameter of the path, or is called `query`, `body` or
`http`. A handler that does not fit its path fails here, before the stack serves anything.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, reduce
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.web.requests import Accepted, Later, Request, Text

Handler = Callable[..., Any]
"""A plain function, called in a thread; or an async one, called in the event loop."""

QUERY, BODY, HTTP = "query", "body", "http"
_SPECIAL = (QUERY, BODY, HTTP)
_PATH_PARAMETER = re.compile(r"\{(\w+)(?::path)?\}")
_WITHOUT_SCHEMA = (NoneType, Text, Response)
_SIGNATURES = 2000
"""More than a stack has rows: its tables are built several times in a process, and reading one takes 0.2 ms."""


class HandlerMismatch(TypeError):
    """A mistake in a route table."""

    def __init__(self, handler: Handler, path: str, problem: str) -> None:
        super().__init__(f"The handler {handler.__module__}.{handler.__qualname__} does not fit {path}: {problem}")


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    query: type[msgspec.Struct] | None
    body: type[msgspec.Struct] | None
    returns: Any
    """What the OpenAPI document describes; None where the response has no schema."""
    accepted: Any
    """The same of the response with the status 202, if the handler may return one too."""
    may_be_empty: bool
    """Whether the handler may return nothing instead, with the status 204."""
    streams: bool
    is_async: bool


@lru_cache(maxsize=_SIGNATURES)
def read_signature(handler: Handler, path: str) -> Signature:
    """Raises HandlerMismatch if the handler cannot be called for the path."""
    try:
        hints = get_type_hints(handler, include_extras=True)
    except NameError as error:
        raise HandlerMismatch(handler, path, f"an annotation cannot be resolved: {error}.") from error
    for problem in _find_problems(handler, path_parameters(path), hints):
        raise HandlerMismatch(handler, path, problem)
    return Signature(
        query=hints.get(QUERY),
        body=hints.get(BODY),
        returns=_find_model(hints["return"]),
        accepted=_find_accepted(hints["return"]),
        may_be_empty=_may_be_empty(hints["return"]),
        streams=HTTP in hints,
        is_async=inspect.iscoroutinefunction(handler),
    )


def path_parameters(path: str) -> list[str]:
    return _PATH_PARAMETER.findall(path)


def _find_problems(handler: Handler, in_path: list[str], hints: Mapping[str, Any]) -> Iterator[str]:
    names = list(inspect.signature(handler).parameters)
    yield from (f"{name} has no annotation." for name in (*names, "return") if name not in hints)
    if not names or hints[names[0]] is not Request:
        yield "its first parameter must be the Request."
    yield from (f"{name} of the path is a reserved name." for name in in_path if name in _SPECIAL)
    yield from (f"{name} of the path is not among its parameters." for name in in_path if name not in names[1:])
    yield from (problem for name in names[1:] if (problem := _find_problem(name, hints[name], in_path)))
    if HTTP in hints and not inspect.iscoroutinefunction(handler):
        yield "it takes http, so it must be async."


def _find_problem(name: str, hint: Any, in_path: list[str]) -> str | None:
    if name in in_path:
        return None if hint is str else f"{name} is in the path, so it must be a str."
    if name in (QUERY, BODY):
        return None if _is_model(hint) else f"{name} must be a msgspec.Struct."
    if name == HTTP:
        return None if hint is HttpRequest else "http must be starlette's Request."
    return f"{name} is not in the path, and is not query, body or http."


def _is_model(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def _find_model(annotation: Any) -> Any:
    """The models among what is returned: a response that is empty, plain text or a stream has no schema."""
    models = [each for each in _members(annotation) if each not in _WITHOUT_SCHEMA and not _is_accepted(each)]
    return reduce(lambda union, model: union | model, models) if models else None


def _may_be_empty(annotation: Any) -> bool:
    return NoneType in _members(annotation) and _find_model(annotation) is not None


def _find_accepted(annotation: Any) -> Any:
    return next((get_args(each)[0] for each in _members(annotation) if _is_accepted(each)), None)


def _is_accepted(annotation: Any) -> bool:
    return get_origin(annotation) is Accepted


def _members(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) in (Union, UnionType, Later):
        for each in get_args(annotation):
            yield from _members(each)
    else:
        yield annotation
