"""Addresses of the next page."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.tools.discovery.pagination import next_url
from tests.unit.extractor.tools.discovery.pagination.first_page import ROWS, clues


@pytest.mark.parametrize(
    ("beside", "settings"),
    [
        ({"next": "https://a.example/rows?page=2"}, {"urlKey": "next"}),
        ({"links": {"next": {"href": "/rows?page=2"}}}, {"urlKey": "links.next.href"}),
        ({"@odata.nextLink": "rows?$skip=20"}, {"urlKey": "@odata.nextLink", "delimiter": "/"}),
        ({"nextRecordsUrl": "/query/01g-200"}, {"urlKey": "nextRecordsUrl"}),
        ({"next_query": "?page=2"}, {"urlKey": "next_query", "paramIsQuery": True}),
    ],
)
def test_an_address_under_the_name_next_is_suggested(beside: dict[str, Any], settings: dict[str, Any]) -> None:
    [candidate] = next_url.suggest(clues({"items": ROWS, **beside}))

    assert candidate.settings == {"method": "response.url", **settings}


@pytest.mark.parametrize("beside", [{"self": "/rows"}, {"next": None}, {"next": "abc"}, {"previous": "/rows"}])
def test_anything_else_suggests_nothing(beside: dict[str, Any]) -> None:
    assert list(next_url.suggest(clues({"items": ROWS, **beside}))) == []


def test_a_flag_goes_along_and_parameters_are_tried_both_ways() -> None:
    document = {"items": ROWS, "next": "/rows?page=2", "has_more": True}
    found = [candidate.settings for candidate in next_url.suggest(clues(document, params={"filter": "x"}))]

    flag = {"nextPageFlag": {"field": "has_more", "stopOn": False}}
    plain = {"method": "response.url", "urlKey": "next"}
    assert found == [{**plain, **flag}, {**plain, "includeParams": True, **flag}]
