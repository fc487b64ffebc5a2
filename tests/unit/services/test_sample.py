"""The sample API: the same few hundred rows, by offset, by cursor, by page, and in other formats."""

from __future__ import annotations

import csv
import json

import pytest

from tests.support.stacks import ServicesOnly


def test_customers_are_read_page_by_page(shared: ServicesOnly) -> None:
    sample = shared.service("sample", token="")
    pages = [sample.get(f"/customers?limit=100&offset={offset}").json["customers"] for offset in (0, 100, 200, 300)]

    assert [len(page) for page in pages] == [100, 100, 50, 0]
    assert [customer["id"] for page in pages for customer in page] == list(range(1, 251))


def test_orders_are_read_from_an_id_on(shared: ServicesOnly) -> None:
    sample = shared.service("sample", token="")
    first = sample.get("/orders?limit=100").json["orders"]
    rest = sample.get(f"/orders?limit=500&since={first[-1]['id'] + 1}").json["orders"]

    assert len(first) + len(rest) == 430
    assert first[-1]["id"] < rest[0]["id"]


def test_a_row_has_a_nested_object_and_an_array(shared: ServicesOnly) -> None:
    sample = shared.service("sample")

    assert sample.get("/customers").json["customers"][0]["address"].keys() == {"city", "country"}
    assert isinstance(sample.get("/orders").json["orders"][0]["lines"], list)


def test_the_rows_are_always_the_same(shared: ServicesOnly) -> None:
    sample = shared.service("sample")

    assert sample.get("/orders").body == sample.get("/orders").body


def test_it_says_where_its_rows_are(shared: ServicesOnly) -> None:
    sample = shared.service("sample")

    for path in sample.get("/").json.values():
        assert sample.get(path).status == 200


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "offset=-1"])
def test_a_page_that_makes_no_sense_is_refused_by_name(shared: ServicesOnly, query: str) -> None:
    response = shared.service("sample").get(f"/customers?{query}")

    assert response.status == 400
    assert f" - {query.partition('=')[0]}: " in response.json["error"]


def test_a_page_beyond_the_end_is_empty(shared: ServicesOnly) -> None:
    assert shared.service("sample").get(f"/customers?offset={10**30}").json["customers"] == []
    assert shared.service("sample").get(f"/orders?since={10**30}").json["orders"] == []


def test_products_are_read_page_by_page_by_number_and_by_token(shared: ServicesOnly) -> None:
    sample = shared.service("sample")
    first = sample.get("/products?limit=40").json
    second = sample.get(f"/{first['next']}").json

    assert sample.get(f"/products?limit=40&token={first['nextToken']}").json == second
    assert [product["id"] for product in (*first["products"], *second["products"])] == [
        f"P{n:03}" for n in range(1, 46)
    ]
    assert (first["hasMore"], second["hasMore"], second["next"], second["nextToken"]) == (True, False, None, None)


def test_the_orders_of_a_customer_are_theirs(shared: ServicesOnly) -> None:
    orders = shared.service("sample").get("/customers/93/orders").json["orders"]

    assert orders
    assert {order["customer"]["id"] for order in orders} == {93}


def test_products_are_the_same_in_every_format(shared: ServicesOnly) -> None:
    sample = shared.service("sample")
    products = sample.get("/products?limit=500").json["products"]
    rows = csv.DictReader(sample.get("/products.csv").body.decode().splitlines(), delimiter=";")

    assert [json.loads(line) for line in sample.get("/products.ndjson").body.splitlines()] == products
    assert list(rows) == [{key: str(value) for key, value in product.items()} for product in products]


def test_products_are_found_by_their_name(shared: ServicesOnly) -> None:
    sample = shared.service("sample")
    response = sample.post("/products/search", {"text": "valve", "limit": 2}).json

    assert response["total"] == 9
    assert [product["name"] for product in response["found"]] == ["valve 5", "valve 10"]
    assert sample.post("/products/search", {}).json["total"] == 45
