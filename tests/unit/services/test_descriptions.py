"""Every parameter of the APIs and every field of a request body is described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from penstock.app import list_services

SERVICES = {service.id: service.listing for service in list_services() if service.listing.is_documented}
Json = dict[str, Any]


@pytest.mark.parametrize("service", SERVICES)
def test_every_parameter_is_described(service: str) -> None:
    document = SERVICES[service].specify("https://example.test")

    assert sorted({f"{where}: {name}" for where, name in parameters_without_text(document)}) == []


@pytest.mark.parametrize("service", SERVICES)
def test_every_field_of_a_request_body_is_described(service: str) -> None:
    document = SERVICES[service].specify("https://example.test")

    assert sorted(set(fields_without_text(document))) == []


@pytest.mark.parametrize("service", SERVICES)
def test_descriptions_are_sentences(service: str) -> None:
    """A capital letter, or a name in backticks, at the beginning; a full stop at the end."""
    document = SERVICES[service].specify("https://example.test")
    texts = {each["description"] for _, each in described(document)}

    assert sorted(text for text in texts if not (text[0].isupper() or text[0] == "`") or text[-1] != ".") == []


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, rows in document["paths"].items():
        for method, row in rows.items():
            yield f"{method.upper()} {path}", row


def parameters_without_text(document: Json) -> Iterator[tuple[str, str]]:
    for name, row in operations(document):
        yield from ((name, each["name"]) for each in row["parameters"] if not each.get("description"))


def fields_without_text(document: Json) -> Iterator[str]:
    yield from (name for name, field in fields(document) if not field.get("description"))


def described(document: Json) -> Iterator[tuple[str, Json]]:
    for _, row in operations(document):
        yield from ((each["name"], each) for each in row["parameters"] if each.get("description"))
    yield from ((name, field) for name, field in fields(document) if field.get("description"))


def fields(document: Json) -> Iterator[tuple[str, Json]]:
    """Return the fields of all schemas that request bodies use, also within others."""
    schemas = document["components"]["schemas"]
    names: list[str] = []
    for _, row in operations(document):
        for content in row.get("requestBody", {}).get("content", {}).values():
            names += references(content.get("schema", {}))
    seen = set[str]()
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            names += references(schemas[name])
            yield from ((f"{name}.{key}", field) for key, field in schemas[name].get("properties", {}).items())


def references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for each in schema for name in references(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    return own + [name for key, each in schema.items() if key != "example" for name in references(each)]
