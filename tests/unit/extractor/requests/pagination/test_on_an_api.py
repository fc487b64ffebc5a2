"""Paginations against a real API, where the address, the body or the headers of requests matter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, run_extraction

USERS = [{"id": number} for number in range(5)]


@pytest.fixture
def api():
    with Api() as api:
        yield api


def read_users(api: Api, out: Path, job: dict[str, Any] | None = None, **pagination: Any) -> Extraction:
    whole = {"endpoint": "users", "dataField": "items", **(job or {})}
    return run_extraction(parameters(api.url, whole, pagination=pagination), out)


def ids_of(result: Extraction) -> list[str]:
    return result.column("test.users", "id")


def test_page_numbers_go_on_until_a_page_is_empty(api: Api, tmp_path: Path):
    pages = [USERS[:2], USERS[2:4], []]
    api.on("/users", [Response.json({"items": page}) for page in pages])

    result = read_users(api, tmp_path, method="pagenum")

    assert api.asked("/users") == ["page=1", "page=2", "page=3"]
    assert ids_of(result) == ["0", "1", "2", "3"]
    assert "Pagination stopped, response is empty." in result.log


@pytest.mark.parametrize("address", ["users?page=2", "/users?page=2", "?page=2"])
def test_an_address_in_the_link_header_is_followed(api: Api, tmp_path: Path, address: str):
    first = Response.json({"items": USERS[:2]}, Link=f'<{address}>; rel="next"')
    api.on("/users", [first, Response.json({"items": USERS[2:]})])
    api.on("/", Response.json({"items": USERS[2:]}))

    result = read_users(api, tmp_path, {"params": {"a": 1}}, method="link")

    assert ids_of(result) == ["0", "1", "2", "3", "4"]
    assert [seen.query for seen in api.seen] == ["a=1", "page=2"]


def test_paging_values_go_into_a_body(api: Api, tmp_path: Path):
    def response(seen: Seen) -> Response:
        asked = json.loads(seen.body)["variables"]
        return Response.json({"items": USERS[asked["offset"] : asked["offset"] + asked["limit"]]})

    api.on("/users", response)
    job = {"method": "POST", "params": {"query": "{ users }", "variables": {"limit": 3}}}

    result = read_users(api, tmp_path, job, method="offset", limit=2, paramsWithin="variables")

    assert ids_of(result) == ["0", "1", "2", "3", "4"]
    assert json.loads(api.seen[1].body) == {"query": "{ users }", "variables": {"limit": 3, "offset": 3}}


def test_a_token_in_a_header_is_sent_back(api: Api, tmp_path: Path):
    api.on("/users", [Response.json({"items": USERS[:3]}, X_Next="abc"), Response.json({"items": USERS[3:]})])

    result = read_users(api, tmp_path, method="response.param", responseHeader="x-next", queryParam="token")

    assert api.asked("/users") == ["", "token=abc"]
    assert ids_of(result) == ["0", "1", "2", "3", "4"]


def test_counts_start_anew_with_every_run_of_a_child(api: Api, tmp_path: Path):
    api.on("/users", {"items": [{"id": 1, "parts": ["a", "b"]}, {"id": 2, "parts": ["c"]}]})
    for part in "abc":
        api.on(f"/parts/{part}", lambda seen: Response.json({"items": [{"at": seen.query}], "more": True}))
    child = {"endpoint": "parts/{part}", "placeholders": {"part": "parts"}, "dataField": "items", "dataType": "parts"}
    stops = {"forceStop": {"pages": 2}, "nextPageFlag": {"field": "more", "stopOn": False, "ifNotSet": False}}

    read_users(api, tmp_path, {"children": [child]}, method="offset", limit=1, **stops)

    assert (
        api.asked("/parts/a")
        == api.asked("/parts/b")
        == api.asked("/parts/c")
        == ["limit=1&offset=0", "limit=1&offset=1"]
    )
