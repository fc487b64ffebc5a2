"""Tokens for the next request."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.tools.discovery.pagination import next_page
from tests.unit.extractor.tools.discovery.pagination.first_page import ROWS, clues


@pytest.mark.parametrize(
    ("beside", "path", "names"),
    [
        ({"nextPageToken": "abc"}, "nextPageToken", ["pageToken", "nextPageToken", "cursor"]),
        ({"next_page_token": "abc"}, "next_page_token", ["page_token", "next_page_token", "cursor"]),
        ({"meta": {"next_cursor": "abc"}}, "meta.next_cursor", ["cursor", "start_cursor", "next_cursor"]),
        ({"paging": {"next": {"after": "20"}}}, "paging.next.after", ["after", "cursor"]),
        ({"offset": "itr/20"}, "offset", ["offset", "cursor"]),
        ({"NextToken": "abc"}, "NextToken", ["Token", "NextToken", "cursor"]),
        ({"next_page": 2}, "next_page", ["page", "next_page", "cursor"]),
    ],
)
def test_likely_parameters_are_suggested(beside: dict[str, Any], path: str, names: list[str]) -> None:
    found = [candidate.settings for candidate in next_page.suggest_token(clues({"items": ROWS, **beside}))]

    assert [settings["queryParam"] for settings in found] == names
    assert {settings["responseParam"] for settings in found} == {path}


@pytest.mark.parametrize(
    "beside",
    [{"next_page": None}, {"prev_cursor": "a"}, {"next": "https://a.example/"}, {"next_count": 5}, {"status": "ok"}],
)
def test_anything_else_suggests_nothing(beside: dict[str, Any]) -> None:
    assert list(next_page.suggest_token(clues({"items": ROWS, **beside}))) == []


def test_declared_names_come_first() -> None:
    found = clues({"items": ROWS, "next_cursor": "abc"}, declared=("start_cursor",))

    assert next(next_page.suggest_token(found)).settings["queryParam"] == "start_cursor"


def test_a_graphql_cursor_goes_into_a_variable_of_the_query() -> None:
    document = {"data": {"users": {"nodes": ROWS, "pageInfo": {"endCursor": "abc"}}}}
    query = "query($size: Int, $after: String) { users { nodes { id } } }"
    [candidate] = next_page.suggest_token(clues(document, params={"query": query}))

    assert candidate.settings == {
        "method": "response.param",
        "responseParam": "data.users.pageInfo.endCursor",
        "queryParam": "after",
        "paramsWithin": "variables",
        "includeParams": True,
    }


def test_headers_hold_tokens_too() -> None:
    [candidate] = next_page.suggest_token(clues(ROWS, {"X-Next-Page": "2"}))

    assert candidate.settings == {"method": "response.param", "responseHeader": "X-Next-Page", "queryParam": "page"}


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
    [candidate] = next_page.suggest_url(clues({"items": ROWS, **beside}))

    assert candidate.settings == {"method": "response.url", **settings}


@pytest.mark.parametrize("beside", [{"self": "/rows"}, {"next": None}, {"next": "abc"}, {"previous": "/rows"}])
def test_anything_else_suggests_no_address(beside: dict[str, Any]) -> None:
    assert list(next_page.suggest_url(clues({"items": ROWS, **beside}))) == []


def test_a_flag_goes_along_and_parameters_are_tried_both_ways() -> None:
    document = {"items": ROWS, "next": "/rows?page=2", "has_more": True}
    found = [candidate.settings for candidate in next_page.suggest_url(clues(document, params={"filter": "x"}))]

    flag = {"nextPageFlag": {"field": "has_more", "stopOn": False}}
    plain = {"method": "response.url", "urlKey": "next"}
    assert found == [{**plain, **flag}, {**plain, "includeParams": True, **flag}]


def test_a_next_link_suggests_link_pagination() -> None:
    header = '<https://a.example/rows?page=9>; rel="last", </rows?page=2>; rel="next"'
    [candidate] = next_page.suggest_link(clues(ROWS, {"Link": header}))

    assert candidate.settings == {"method": "link"}
    assert "/rows?page=2" in candidate.evidence


def test_other_links_suggest_nothing() -> None:
    assert list(next_page.suggest_link(clues(ROWS, {"Link": '</rows?page=1>; rel="prev"'}))) == []
    assert list(next_page.suggest_link(clues(ROWS))) == []
