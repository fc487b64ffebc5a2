"""Runs whose pages are too large for memory end as those whose pages are not."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import parameters, run_extraction

SMALL, LARGE = 10, 30_000
"""Bytes of a text, of which a page has 200: two kilobytes, and six megabytes."""

KEYS = [{"key": number} for number in range(100)]


def rows(first: int, size: int) -> list[dict[str, Any]]:
    return [{"id": number, "text": "x" * size} for number in range(first, first + 200)]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_body_of_an_ignored_status_is_read_whole(tmp_path: Path, size: int):
    with Api() as api:
        api.on("/users", Response.json(rows(1, size), 404))
        document = parameters(api.url, {"endpoint": "users"})
        document["api"]["http"] = {"ignoreErrors": [404]}
        result = run_extraction(document, tmp_path)

    assert len(result.rows("test.users")) == 200


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_whether_a_list_holds_something_is_seen_in_a_large_page_too(tmp_path: Path, size: int):
    def pages(seen: Seen) -> Response:
        page = int(seen.params["page"])
        return Response.json({"items": rows(page * 200, size) if page < 3 else []})

    flag = {"field": "items", "stopOn": False}
    with Api() as api:
        api.on("/users", pages)
        pagination = {"method": "pagenum", "nextPageFlag": flag}
        result = run_extraction(parameters(api.url, {"endpoint": "users"}, pagination=pagination), tmp_path)

    assert len(result.rows("test.users")) == 400


def zipped(response: Response) -> Response:
    return Response(response.status, gzip.compress(response.body, 1), {**response.headers, "Content-Encoding": "gzip"})


def spaced(document: Any, size: int) -> bytes:
    """JSON with so many bytes of white space before every comma, which no packing makes too small."""
    return json.dumps(document, separators=(random_text(" \t\n\r", size) + ",", ":")).encode()


@cache
def random_text(signs: str, size: int) -> str:
    return "".join(random.Random(1).choices(signs, k=size))


@pytest.mark.parametrize("is_zipped", [False, True])
@pytest.mark.parametrize("size", [40_900, 43_000])
def test_the_last_item_of_a_page_leads_to_the_next_one_whatever_its_size(tmp_path: Path, size: int, is_zipped: bool):
    text = random_text("abcdefgh", size)
    items = [{"id": number, "text": text} for number in range(250)]

    def pages(seen: Seen) -> Response:
        since = int(seen.params.get("since", -1)) + 1
        response = Response.json({"data": items[since : since + 100]})
        return zipped(response) if is_zipped else response

    with Api() as api:
        api.on("/users", pages)
        pagination = {"method": "response.param", "responseParam": "data.99.id", "queryParam": "since"}
        job = {"endpoint": "users", "dataField": "data"}
        result = run_extraction(parameters(api.url, job, pagination=pagination), tmp_path)

    assert result.column("test.users", "id") == [str(number) for number in range(250)]


SHAPES = ["data.3.id", "data.1.own.next", "data.0.own.list.1", "meta.next", "meta.all.2", "more.next", "data.9.id"]
METHODS: list[dict[str, Any]] = [
    {"method": "offset", "limit": 4},
    {"method": "pagenum", "limit": 4, "firstPage": 0},
    {"method": "cursor", "idKey": "id", "param": "start", "increment": 1},
    {"method": "link"},
    *({"method": "response.param", "responseParam": path, "queryParam": "start"} for path in SHAPES),
    *({"method": "response.url", "urlKey": path} for path in ("data.2.link", "meta.link", "data.-1.link")),
    {"method": "response.url", "urlKey": "data/3/link", "delimiter": "/"},
    {"method": "zendesk.response.url", "urlKey": "data.1.link"},
    {"method": "multiple", "scrollers": {"one": {"method": "response.url", "urlKey": "data.0.link"}}, "default": "one"},
    {"method": "offset", "limit": 4, "limitStop": {"field": "data.3.total"}},
    {"method": "offset", "limit": 4, "limitStop": {"field": "data"}},
    {"method": "offset", "limit": 4, "nextPageFlag": {"path": "data.2.own.more", "stopOn": False}},
    {"method": "offset", "limit": 4, "nextPageFlag": {"field": "data", "stopOn": True}},
    {"method": "offset", "limit": 4, "forceStop": {"volume": 1500}},
    {"method": "pagenum", "pageParam": "ignored", "firstPage": 0},
]


def listed(seen: Seen, space: int) -> Response:
    """Four of ten records, from a place on; each of them, and what is around them, says where the next ones are."""
    params = seen.params
    start = int(params.get("start", params.get("offset", 4 * int(params.get("page", 0)))))
    following = start + 4
    link = f"users?start={following}"
    own = {"next": following, "list": [0, following], "more": following < 10}
    record = {"total": 7, "link": link, "own": own} if following < 10 else {"own": {}}
    found = [{"id": number, **record} for number in range(start, min(following, 10))]
    around = {"next": following, "link": link, "all": [0, 0, following]} if following < 10 else {}
    document = {"data": found, "meta": around, "more": {"next": following % 12}}
    body = spaced(document, space) if found else b'{"data":[]}'
    return Response(200, body, {"Link": f'<{link}>; rel="next"'} if around else {})


@pytest.mark.parametrize("pagination", METHODS, ids=lambda method: "-".join(map(str, method.values())))
def test_every_method_asks_for_the_same_after_large_pages_as_after_small_ones(
    tmp_path: Path, pagination: dict[str, Any]
):
    def run(space: int) -> tuple[list[str], bytes, Any]:
        """What was asked for, and what came of it."""
        out = tmp_path / str(space)
        with Api() as api:
            api.on("/users", partial(listed, space=space))
            job = {"endpoint": "users", "dataField": "data", "expectedCount": "data.3.total"}
            run_extraction(parameters(api.url, job, pagination=pagination), out)
            report = json.loads((out / "report.json").read_bytes())
            return [seen.query for seen in api.seen], (out / "tables" / "test.users").read_bytes(), report["jobs"]

    assert run(150_000) == run(0)  # a full page has more than thirty commas


def test_pages_that_differ_only_in_white_space_are_the_same_page_when_they_are_large(tmp_path: Path):
    def pages(seen: Seen) -> Response:
        number = int(seen.params["page"])
        return Response(200, spaced(rows(1, 10), 30_000 + number) if number < 4 else b"[]")

    with Api() as api:
        api.on("/users", pages)
        result = run_extraction(parameters(api.url, {"endpoint": "users"}, pagination={"method": "pagenum"}), tmp_path)

    assert len(result.rows("test.users")) == 200


def test_a_large_array_is_sent_as_the_next_parameter_whole(tmp_path: Path):
    def pages(seen: Seen) -> Response:
        body = json.loads(seen.body) if seen.body else {}
        return Response(200, spaced({"data": [{"id": len(seen.body)}], "keys": [] if "keys" in body else KEYS}, 50_000))

    with Api() as api:
        api.on("/users", pages)
        pagination = {"method": "response.param", "responseParam": "keys", "queryParam": "keys"}
        job = {"endpoint": "users", "method": "POST", "dataField": "data"}
        run_extraction(parameters(api.url, job, pagination=pagination), tmp_path)

        assert json.loads(api.seen[1].body) == {"keys": KEYS}


def test_bytes_of_a_header_that_are_no_text_stay_what_they_are(tmp_path: Path):
    with Api() as api:
        api.on("/users", lambda seen: page_with_link(seen, api.url))
        pagination = {"method": "link"}
        run_extraction(parameters(api.url, {"endpoint": "users"}, pagination=pagination), tmp_path)

        assert api.asked("/users") == ["", "name=caf%E9&page=2"]


def page_with_link(seen: Seen, url: str) -> Response:
    link = "" if seen.query else f'<{url}/users?name=caf\xe9&page=2>; rel="next"'
    return Response.json([{"query": seen.query}], Link=link)


def orders(number: int, size: int) -> dict[str, Any]:
    """A few records beside much else."""
    return {"data": [{"id": 3 * number + each} for each in range(3)], "included": rows(number, size)}


def order(number: int, size: int) -> dict[str, Any]:
    """One record, not in an array."""
    return {"data": {"id": number, "text": "x" * 150, "parts": {"texts": ["y" * (200 * size)]}}}


LATER: dict[str, dict[str, Any]] = {"a new key": {"late": 1}, "a list": {"list": [1, 2]}}


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
@pytest.mark.parametrize("made", [orders, order])
def test_few_records_of_a_large_response_are_read_again_when_a_later_page_changes_their_table(
    tmp_path: Path, made: Callable[[int, int], dict[str, Any]], later: dict[str, Any], level: int
):
    def pages(seen: Seen, size: int) -> Response:
        number = int(seen.params["page"])
        last = {"data": [{"id": "last", **later}]}
        return Response.json(made(number, size) if number < 3 else last if number == 3 else {"data": []})

    def tables(size: int) -> dict[str, bytes]:
        with Api() as api:
            api.on("/users", partial(pages, size=size))
            job = {"endpoint": "users", "dataField": "data", "userData": {"id": "mine"}, "responseFilter": "parts"}
            document = parameters(api.url, job, pagination={"method": "pagenum"})
            document["config"]["compatLevel"] = level
            result = run_extraction(document, tmp_path / str(size))
        return {path.name: path.read_bytes().replace(b"y", b"") for path in (result.out / "tables").iterdir()}

    assert tables(23_000) == tables(10)
