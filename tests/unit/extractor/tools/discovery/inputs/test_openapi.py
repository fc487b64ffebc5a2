"""OpenAPI documents: which endpoints return lists, and what they declare."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery.inputs import SeveralEndpoints, read_target
from penstock.extractor.tools.discovery.inputs.openapi import read_openapi
from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.discovery.finding import discover_target

LIST: dict[str, Any] = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Orders"}}}}}
ONE: dict[str, Any] = {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}


def document(paths: dict[str, Any], server: str = "https://api.example.com/v2") -> bytes:
    orders = {"type": "object", "properties": {"orders": {"type": "array", "items": {}}}}
    scheme = {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}
    whole = {
        "openapi": "3.0.0",
        "servers": [{"url": server}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {"schemas": {"Orders": orders}, "securitySchemes": scheme},
    }
    return json.dumps(whole).encode()


def test_endpoints_that_return_lists_are_offered() -> None:
    many: dict[str, Any] = {f"/things{n}": {"get": {"responses": LIST, "summary": f"Things {n}"}} for n in range(300)}
    others = {"/orders/{id}": {"get": {"responses": LIST, "parameters": [{"name": "id", "in": "path"}]}}}
    content = document({**many, **others, "/me": {"get": {"responses": ONE}}, "/new": {"post": {"responses": LIST}}})

    with pytest.raises(SeveralEndpoints) as raised:
        read_target("openapi", content)

    assert [choice.endpoint for choice in raised.value.choices] == list(many)
    assert raised.value.choices[7].note == "Things 7"


def test_an_endpoint_can_be_named() -> None:
    content = document({"/a": {"get": {"responses": LIST}}, "/b": {"get": {"responses": LIST}}})

    target = read_target("openapi", content, endpoint="b")

    assert target.command.url.geturl() == "https://api.example.com/v2/b"
    assert target.needs == ("the header parameter X-Api-Key",)


def test_an_unknown_endpoint_gets_suggestions() -> None:
    content = document({"/orders": {"get": {"responses": LIST}}, "/b": {"get": {"responses": LIST}}})

    with pytest.raises(UserError, match=r"no endpoint order.*Did you mean /orders\?"):
        read_target("openapi", content, endpoint="order")


def test_a_url_replaces_the_server() -> None:
    content = document({"/a": {"get": {"responses": LIST}}}, server="/v3")

    assert read_openapi(content, "http://localhost:9/")[0].target.command.url.geturl() == "http://localhost:9/v3/a"
    with pytest.raises(UserError, match="names no server"):
        read_openapi(content)


def test_swagger_documents_are_read() -> None:
    schema = {"type": "array", "items": {}}
    paths = {"/a": {"get": {"responses": {"200": {"schema": schema}}}}}
    content = json.dumps({"swagger": "2.0", "host": "a.example", "basePath": "/v1", "paths": paths}).encode()

    assert read_openapi(content)[0].target.command.url.geturl() == "https://a.example/v1/a"


def test_references_that_lead_in_circles_end() -> None:
    content = json.loads(document({"/a": {"get": {"responses": LIST}}}))
    content["components"]["schemas"]["Orders"] = {"allOf": [{"$ref": "#/components/schemas/Orders"}]}

    assert read_openapi(json.dumps(content).encode()) == []


@pytest.mark.parametrize("content", [b"openapi: 3.0.0", b"{}", b"[]"])
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(UserError):
        read_openapi(content)


def test_declared_parameters_are_tried_first() -> None:
    """Nothing but the document shows the name of the parameter."""

    def respond(seen: Seen) -> Response:
        start = int(seen.params.get("$skip", "0"))
        return Response.json({"orders": [{"id": n} for n in range(start, min(start + 20, 90))]})

    with Api() as api:
        api.on("/v2/orders", respond)
        parameters = [{"name": name, "in": "query"} for name in ("$skip", "$top")]
        paths = {"/orders": {"get": {"responses": LIST, "parameters": parameters}}}
        found = discover_target(read_target("openapi", document(paths, f"{api.url}/v2")))

    assert found.document["parameters"]["api"]["pagination"]["offsetParam"] == "$skip"
    assert found.requests <= 10


YAML = """
openapi: 3.0.0
servers:
  - url: https://api.example.com/v2
paths:
  /orders:
    get:
      summary: 2026-01-31
      responses:
        200: &list
          content:
            application/json:
              schema: {type: array, items: {}}
  /users:
    get:
      responses:
        200: *list
  /me:
    get: {responses: {200: {description: "no"}}}
"""


def test_a_document_may_be_yaml() -> None:
    found = read_openapi(YAML.encode())

    assert [(choice.endpoint, choice.note) for choice in found] == [("/orders", "2026-01-31"), ("/users", "")]
    assert found[0].target.command.url.geturl() == "https://api.example.com/v2/orders"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"paths": ', "is not valid JSON: "),
        (b"paths: [", "is not valid YAML: "),
        (b"paths: !!python/object:os.system {}", "is not valid YAML: "),
        (b"- 1", "it has no `paths`"),
        (b"[" * 100_000, "is not valid YAML: "),
    ],
)
def test_a_document_that_cannot_be_read_is_an_error_with_its_reason(content: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_openapi(content)
