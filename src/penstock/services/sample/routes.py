"""The sample API over HTTP: customers by offset, orders by cursor."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.callers import Right
from penstock.services.sample import data
from penstock.web.errors import with_text_code
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.service import Service

PAGE = 500
Size = Annotated[int, msgspec.Meta(ge=1, le=PAGE)]
Position = Annotated[int, msgspec.Meta(ge=0)]


class OffsetQuery(msgspec.Struct, frozen=True):
    limit: Size = 100
    offset: Position = 0


class CursorQuery(msgspec.Struct, frozen=True):
    limit: Size = 100
    since: Position = 0
    """Orders with this id and above."""


def service() -> Service:
    return Service(
        id="sample", name="Sample API", routes=routes(), errors=with_text_code, is_listed=False, is_documented=False
    )


def routes() -> list[Route]:
    return [
        get("/", describe, returns=dict[str, str], needs=Right.PUBLIC),
        get("/customers", list_customers, query=OffsetQuery, returns=dict[str, Any], needs=Right.PUBLIC),
        get("/orders", list_orders, query=CursorQuery, returns=dict[str, Any], needs=Right.PUBLIC),
    ]


def describe(_request: Request) -> dict[str, str]:
    return {"customers": "/customers?limit=100&offset=0", "orders": "/orders?limit=100&since=0"}


def list_customers(request: Request) -> dict[str, Any]:
    first = request.query.offset
    return {"customers": data.customers()[first : first + request.query.limit], "total": data.CUSTOMERS}


def list_orders(request: Request) -> dict[str, Any]:
    found = [order for order in data.orders() if order["id"] >= request.query.since]
    return {"orders": found[: request.query.limit]}
