"""Fields are described by the docstrings below them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.callers import Right
from penstock.web.auth.none import NONE
from penstock.web.field_texts import describe_fields
from penstock.web.openapi import make_document
from penstock.web.requests import Request
from penstock.web.routing import get, post


class Base(msgspec.Struct, kw_only=True, rename="camel"):
    first_day: str = ""
    """The first day,
    in UTC."""
    limit: int = 10
    """How many."""
    hidden: str = ""


class Query(Base, kw_only=True, rename="camel"):
    limit: int = 20
    """How many days."""
    bucket_id: str = ""
    color: Annotated[str, msgspec.Meta(description="A color.")] = ""


class Part(msgspec.Struct):
    size: int
    """In bytes."""


class Body(msgspec.Struct):
    part: Part
    """What is sent."""
    parts: list[Part] = []


def list_days(_request: Request, bucket_id: str, query: Query) -> None: ...


def send(_request: Request, day: str, body: Body) -> None: ...


def document(**describes: str) -> dict[str, Any]:
    routes = [
        get("/{bucket_id}/days", list_days, needs=Right.PUBLIC),
        post("/days/{day}", send, needs=Right.PUBLIC, describes=describes),
    ]
    made = make_document("Days", "1", "https://example.test", routes, NONE)
    return {"paths": made["paths"], "schemas": made["components"]["schemas"]}


def test_docstrings_are_read_by_the_names_on_the_wire_and_a_subclass_wins() -> None:
    assert describe_fields(Base) == {"firstDay": "The first day, in UTC.", "limit": "How many."}
    assert describe_fields(Query) == {"firstDay": "The first day, in UTC.", "limit": "How many days."}


def test_parameters_are_described_by_their_field_or_else_by_the_glossary() -> None:
    parameters = document()["paths"]["/{bucket_id}/days"]["get"]["parameters"]

    texts = {(each["in"], each["name"]): each.get("description", "") for each in parameters}
    assert texts["query", "firstDay"] == "The first day, in UTC."
    assert texts["query", "limit"] == "How many days."
    assert texts["query", "color"] == "A color."
    assert texts["query", "hidden"] == ""
    assert texts["path", "bucket_id"].startswith("Id of the bucket")
    assert all("description" not in each["schema"] for each in parameters)


def test_a_row_describes_its_own_parameters() -> None:
    parameters = document(day="A day in UTC.")["paths"]["/days/{day}"]["post"]["parameters"]

    assert parameters[0]["description"] == "A day in UTC."


def test_fields_within_a_body_are_described_beside_their_references() -> None:
    schemas = document()["schemas"]

    assert schemas["Body"]["properties"]["part"]["description"] == "What is sent."
    assert schemas["Part"]["properties"]["size"]["description"] == "In bytes."
