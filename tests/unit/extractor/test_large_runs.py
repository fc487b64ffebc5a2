"""Runs whose pages are too large for memory end as those whose pages are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Answer, Api, Seen
from tests.support.extraction import parameters, run_extraction

SMALL, LARGE = 10, 30_000
"""Bytes of a text, of which a page has 200: two kilobytes, and six megabytes."""


def rows(first: int, size: int) -> list[dict[str, Any]]:
    return [{"id": number, "text": "x" * size} for number in range(first, first + 200)]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_body_of_an_ignored_status_is_read_whole(tmp_path: Path, size: int):
    with Api() as api:
        api.on("/users", Answer.json(rows(1, size), 404))
        document = parameters(api.url, {"endpoint": "users"})
        document["api"]["http"] = {"ignoreErrors": [404]}
        result = run_extraction(document, tmp_path)

    assert len(result.rows("test.users")) == 200


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_whether_a_list_holds_something_is_seen_in_a_large_page_too(tmp_path: Path, size: int):
    def pages(seen: Seen) -> Answer:
        page = int(seen.params["page"])
        return Answer.json({"items": rows(page * 200, size) if page < 3 else []})

    flag = {"field": "items", "stopOn": False}
    with Api() as api:
        api.on("/users", pages)
        pagination = {"method": "pagenum", "nextPageFlag": flag}
        result = run_extraction(parameters(api.url, {"endpoint": "users"}, pagination=pagination), tmp_path)

    assert len(result.rows("test.users")) == 400


def test_bytes_of_a_header_that_are_no_text_stay_what_they_are(tmp_path: Path):
    with Api() as api:
        api.on("/users", lambda seen: page_with_link(seen, api.url))
        pagination = {"method": "link"}
        run_extraction(parameters(api.url, {"endpoint": "users"}, pagination=pagination), tmp_path)

        assert api.asked("/users") == ["", "name=caf%E9&page=2"]


def page_with_link(seen: Seen, url: str) -> Answer:
    link = "" if seen.query else f'<{url}/users?name=caf\xe9&page=2>; rel="next"'
    return Answer.json([{"query": seen.query}], Link=link)
