"""Cursor pagination against a real API, rule by rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.cursor import Cursor
from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, run_extraction

ORDERS: list[dict[str, Any]] = [
    {"id": number, "text": f"{number}", "fields": {"id": number}} for number in range(10, 17)
]


def list_orders(seen: Seen) -> Response:
    """Orders from an id on, three at a time."""
    since = seen.params.get("since", "last")
    found = [order for order in ORDERS if since == "last" or order["id"] >= int(since)]
    return Response.json({"orders": found[:3]})


def list_backwards(seen: Seen) -> Response:
    before = int(seen.params.get("before", 99))
    found = [order for order in reversed(ORDERS) if order["id"] <= before]
    return Response.json({"orders": found[:3]})


@pytest.fixture
def api():
    with Api() as api:
        api.on("/orders", list_orders)
        yield api


def read_orders(api: Api, out: Path, params: dict[str, Any] | None = None, **pagination: Any) -> Extraction:
    job = {"endpoint": "orders", "dataField": "orders", "params": params or {}}
    settings = {"method": "cursor", "idKey": "id", "param": "since", "increment": 1, **pagination}
    return run_extraction(parameters(api.url, job, pagination=settings), out)


def test_cursor_rule_1_the_highest_id_plus_the_increment_goes_into_the_next_request(api: Api, tmp_path: Path):
    result = read_orders(api, tmp_path)

    assert api.asked("/orders") == ["", "since=13", "since=16", "since=17"]
    assert result.column("test.orders", "id") == ["10", "11", "12", "13", "14", "15", "16"]


@pytest.mark.parametrize("key", ["text", "fields.id"])
def test_cursor_rule_1_ids_may_be_text_or_nested(api: Api, tmp_path: Path, key: str):
    read_orders(api, tmp_path, idKey=key)

    assert api.asked("/orders") == ["", "since=13", "since=16", "since=17"]


def test_cursor_rule_1_the_increment_is_0_unless_set(api: Api, tmp_path: Path):
    api.on("/orders", [Response.json({"orders": [{"id": 5}, {"id": 7}, {"id": 6}]}), Response.json({"orders": []})])

    read_orders(api, tmp_path, increment=0)

    assert api.asked("/orders") == ["", "since=7"]


def test_cursor_rule_1_the_cursor_never_moves_back(api: Api, tmp_path: Path):
    pages = [[{"id": 9}], [{"id": 4}], []]
    api.on("/orders", [Response.json({"orders": page}) for page in pages])

    read_orders(api, tmp_path)

    assert api.asked("/orders") == ["", "since=10", "since=10"]


def test_cursor_rule_2_in_reverse_the_lowest_id_leads(api: Api, tmp_path: Path):
    api.on("/orders", list_backwards)

    result = read_orders(api, tmp_path, reverse=True, increment=-1, param="before")

    assert api.asked("/orders") == ["", "before=13", "before=10", "before=9"]
    assert result.column("test.orders", "id") == ["16", "15", "14", "13", "12", "11", "10"]


def test_cursor_rule_3_the_job_supplies_the_first_value_and_other_parameters_stay(api: Api, tmp_path: Path):
    read_orders(api, tmp_path, params={"since": "last", "state": "open"})

    assert api.asked("/orders") == [
        "since=last&state=open",
        "since=13&state=open",
        "since=16&state=open",
        "since=17&state=open",
    ]


def test_cursor_rule_4_an_empty_array_ends_the_scrolling_with_a_warning(api: Api, tmp_path: Path):
    result = read_orders(api, tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField 'orders' contains no data! ")
    assert "No data in response, stopping scrolling." in result.log


def test_cursor_rule_4_a_response_that_is_an_empty_array_is_a_warning_and_the_run_is_in_order(api: Api, tmp_path: Path):
    api.on("/orders", lambda seen: Response.json([] if "since" in seen.params else [{"id": 1}]))
    pagination = {"method": "cursor", "idKey": "id", "param": "since"}

    result = run_extraction(parameters(api.url, {"endpoint": "orders"}, pagination=pagination), tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField '.' contains no data! ")
    assert json.loads((tmp_path / "report.json").read_text())["status"] == "ok"


@pytest.mark.parametrize("value", [None, True, "abc", [1], {"a": 1}, ""])
def test_an_id_that_is_no_number_is_the_users_error(api: Api, tmp_path: Path, value: Any):
    api.on("/orders", {"orders": [{"id": value}]})

    with pytest.raises(UserError, match=r"Cursor value '.*' is not numeric\. .*`parameters\.api\.pagination\.idKey`"):
        read_orders(api, tmp_path)

    assert not (tmp_path / "tables").exists()


def test_an_id_key_that_no_record_has_is_the_users_error(api: Api, tmp_path: Path):
    with pytest.raises(UserError, match="have no `number`"):
        read_orders(api, tmp_path, idKey="number")


def test_an_id_key_that_no_record_has_is_named_with_the_keys_that_are_there() -> None:
    cursor = Cursor(id_key="uid", param="since")

    with pytest.raises(UserError, match=r"no `uid`.* The record has the keys `id`, `name`\."):
        cursor.after(Request("users"), None, Page([{"id": 1, "name": "a"}]))
