"""Offsets, page numbers and ids in the request."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.tools.discovery.pagination import numbers
from tests.unit.extractor.tools.discovery.pagination.first_page import ROWS, clues


@pytest.mark.parametrize(
    ("beside", "offset_param", "limit_param"),
    [
        ({"offset": 0, "limit": 20}, "offset", "limit"),
        ({"startAt": 0, "maxResults": 20}, "startAt", "maxResults"),
        ({"skip": 0, "take": 20}, "skip", "take"),
        ({"start": 0, "count": 500}, "start", "rows"),
    ],
)
def test_fields_of_the_response_name_the_offset(beside: dict[str, Any], offset_param: str, limit_param: str) -> None:
    settings = next(numbers.suggest_offset(clues({"items": ROWS, **beside}))).settings

    assert (settings["offsetParam"], settings["limitParam"], settings["limit"]) == (offset_param, limit_param, 20)


def test_an_offset_that_counts_from_1_starts_there() -> None:
    _from_0, from_1 = numbers.suggest_offset(clues({"items": ROWS, "startIndex": 1, "totalResults": 90}))

    assert from_1.params == {"startIndex": 1}
    assert from_1.settings["offsetFromJob"] is True


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (clues({"items": ROWS, "page": 1}), "page"),
        (clues({"items": ROWS, "meta": {"current_page": 1}}), "page"),
        (clues(ROWS, params={"page[number]": "1"}), "page[number]"),
        (clues(ROWS, declared=("pageNumber",)), "pageNumber"),
        (clues({"items": ROWS, "first": "https://a.example/?p=1"}), "p"),
    ],
)
def test_page_numbers_are_tried_from_1_and_from_0(found: Any, name: str) -> None:
    settings = [candidate.settings for candidate in numbers.suggest_page_number(found)]

    assert settings == [
        {"method": "pagenum", "pageParam": name},
        {"method": "pagenum", "pageParam": name, "firstPage": 0},
    ]


def test_the_last_id_is_suggested_only_if_there_is_more() -> None:
    more = next(numbers.suggest_last_id(clues({"data": ROWS, "has_more": True})))

    assert more.settings["responseParam"] == "data.19.id"
    assert more.settings["queryParam"] == "starting_after"
    assert list(numbers.suggest_last_id(clues({"data": ROWS}))) == []


def test_a_cursor_follows_ids_that_rise_or_fall() -> None:
    assert next(numbers.suggest_cursor(clues(ROWS))).settings == {
        "method": "cursor",
        "idKey": "id",
        "param": "since_id",
    }
    assert next(numbers.suggest_cursor(clues(ROWS[::-1]))).settings["reverse"] is True
    assert list(numbers.suggest_cursor(clues([{"id": 2}, {"id": 1}, {"id": 3}]))) == []
    assert list(numbers.suggest_cursor(clues([{"id": "a"}, {"id": "b"}]))) == []
