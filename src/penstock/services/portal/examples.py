"""Requests that were sent to a real stack, and their responses: one for every operation, in files that
`make examples` writes. They are read when a specification is requested."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: dict[str, Any] = {}
    query: dict[str, Any] = {}
    body: Any = None


class Response(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: int
    media_type: str = ""
    """Empty if there is no body."""
    body: Any = None


class Example(msgspec.Struct, frozen=True, kw_only=True):
    request: Request
    response: Response


def read_examples(service_id: str) -> dict[str, Example]:
    """Read examples by method and path, such as `GET /variables`; empty for a service that was added without any."""
    file = files("penstock.services.portal").joinpath("examples", f"{service_id}.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Example]) if file.is_file() else {}


def add_examples(document: dict[str, Any], service_id: str) -> dict[str, Any]:
    """The document, with what was sent and what came back at the places where OpenAPI has examples."""
    for name, example in read_examples(service_id).items():
        method, _, path = name.partition(" ")
        if operation := document["paths"].get(path, {}).get(method.lower()):
            _add_request(operation, example.request)
            _add_response(operation, example.response, document["components"]["responses"])
    return document


def _add_request(operation: dict[str, Any], request: Request) -> None:
    places = {"path": request.path, "query": request.query}
    for parameter in operation["parameters"]:
        if parameter["name"] in (given := places.get(parameter["in"], {})):
            parameter["example"] = given[parameter["name"]]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if request.body is not None:
            content["example"] = request.body


def _add_response(operation: dict[str, Any], response: Response, errors: dict[str, Any]) -> None:
    """What the operation shares with others is copied first."""
    status, responses = str(response.status), operation["responses"]
    described = responses.get(status) or responses["4XX"]
    if "$ref" in described:
        described = errors[described["$ref"].rpartition("/")[2]]
    content = dict(described.get("content", {}))
    if response.media_type and response.body is not None:
        content[response.media_type] = {**content.get(response.media_type, {}), "example": response.body}
    operation["x-example-status"] = response.status
    responses[status] = {**described, "content": content} if content else described
