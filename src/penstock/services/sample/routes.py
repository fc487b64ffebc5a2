"""The sample API over HTTP: customers by offset, orders by cursor, products by page, by link and by token, and in
other formats."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Any

import msgspec

from penstock.foundation.callers import Right
from penstock.services.sample import data
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, get, post

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


class PageQuery(msgspec.Struct, frozen=True):
    limit: Size = 20
    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    token: str = ""
    """The `nextToken` of an earlier page; takes precedence over `page`."""


class Search(msgspec.Struct, frozen=True):
    """The body of a search: a part of product names."""

    text: str = ""
    limit: Size = 20


def routes() -> list[Route]:
    return [
        get("/", describe, needs=Right.PUBLIC),
        get("/customers", list_customers, needs=Right.PUBLIC),
        get("/customers/{customer_id}/orders", list_orders_of, needs=Right.PUBLIC),
        get("/products", list_products, needs=Right.PUBLIC),
        get("/products.csv", write_csv, needs=Right.PUBLIC, media_type="text/csv"),
        get("/products.ndjson", write_ndjson, needs=Right.PUBLIC, media_type="application/x-ndjson"),
        post("/products/search", search_products, needs=Right.PUBLIC),
        get("/orders", list_orders, needs=Right.PUBLIC),
    ]


def describe(_request: Request) -> dict[str, str]:
    return {
        "customers": "/customers?limit=100&offset=0",
        "orders": "/orders?limit=100&since=0",
        "ordersOfACustomer": "/customers/1/orders",
        "products": "/products?limit=20&page=1",
        "productsAsCsv": "/products.csv",
        "productsAsNdjson": "/products.ndjson",
    }


def list_customers(_request: Request, query: OffsetQuery) -> dict[str, Any]:
    first = query.offset
    return {"customers": data.customers()[first : first + query.limit], "total": data.CUSTOMERS}


def list_orders(_request: Request, query: CursorQuery) -> dict[str, Any]:
    found = [order for order in data.orders() if order["id"] >= query.since]
    return {"orders": found[: query.limit]}


def list_orders_of(_request: Request, customer_id: str) -> dict[str, Any]:
    return {"orders": [each for each in data.orders() if str(each["customer"]["id"]) == customer_id]}


def list_products(_request: Request, query: PageQuery) -> dict[str, Any]:
    """Links to the next page in all supported forms."""
    limit, token = query.limit, query.token.removeprefix("page-")
    page = int(token) if token.isdecimal() and len(token) < 10 else query.page
    found = data.products()[(page - 1) * limit : page * limit]
    has_more = page * limit < data.PRODUCTS
    return {
        "products": found,
        "next": f"products?limit={limit}&page={page + 1}" if has_more else None,
        "nextToken": f"page-{page + 1}" if has_more else None,
        "hasMore": has_more,
        "total": data.PRODUCTS,
    }


def search_products(_request: Request, body: Search) -> dict[str, Any]:
    found = [product for product in data.products() if body.text in product["name"]]
    return {"found": found[: body.limit], "total": len(found)}


def write_csv(_request: Request) -> Text:
    text = io.StringIO()
    writer = csv.DictWriter(text, ["id", "name", "updated"], delimiter=";", lineterminator="\n")
    writer.writeheader()
    writer.writerows(data.products())
    return Text(text.getvalue(), "text/csv; charset=UTF-8")


def write_ndjson(_request: Request) -> Text:
    lines = b"".join(msgspec.json.encode(product) + b"\n" for product in data.products())
    return Text(lines, "application/x-ndjson")
