"""Runs that end before the last page: each says so, and a right configuration says nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import parameters, run_extraction, try_extraction

TOTAL, CAP = 25, 10
RECORDS = [{"id": number} for number in range(1, TOTAL + 1)]
Fields = dict[str, Any]


@pytest.fixture(scope="module")
def api():
    with Api() as api:
        for name, more in ENVELOPES.items():
            api.on(f"/{name}", lambda seen, more=more: page_of(seen, more))
        api.on("/ignoring", lambda seen: Response.json({"items": RECORDS[:CAP]}))
        api.on("/single", lambda seen: Response.json({"item": {"id": 1}}))
        api.on("/error", {"ok": False, "error": "invalid_auth"})
        api.on("/deep", {"data": {"rows": [{"id": 1}, {"id": 2}], "tags": []}, "kind": "x"})
        api.on("/order", {"order": {"total": 500, "lines": [{"id": 1}]}})
        api.on("/cursors", {"items": RECORDS[:3], "paging": {"cursors": {"after": "abc"}}})
        yield api


def page_of(seen: Seen, more: Any) -> Response:
    query = {name: values[0] for name, values in parse_qs(seen.query).items()}
    size = min(int(query.get("limit", CAP)), CAP)
    start = int(query.get("offset", query.get("start", 0))) + (int(query.get("page", 1)) - 1) * size
    following = start + size if start + size < TOTAL else None
    return Response.json({"items": RECORDS[start : start + size], **more(following)})


ENVELOPES: dict[str, Any] = {
    "plain": lambda following: {},
    "total": lambda following: {"total": TOTAL},
    "meta": lambda following: {"meta": {"pagination": {"total_count": TOTAL}}},
    "flag": lambda following: {"has_more": following is not None},
    "last": lambda following: {"isLast": following is None},
    "next": lambda following: {"next": f"/next?start={following}"} if following else {"next": None},
    "token": lambda following: {"meta": {"nextPageToken": str(following)}} if following else {"meta": {}},
    "pages": lambda following: {"total_pages": 3},
}


def warnings_of(api: Api, out: Path, endpoint: str, pagination: Fields | None = None, **job: Any) -> list[str]:
    given = {"endpoint": endpoint, "dataField": "items", **job}
    result = run_extraction(parameters(f"{api.url}/", given, pagination=pagination), out)
    report = json.loads((out / "report.json").read_text())
    said = [each for each in result.warnings if "contains no data!" not in each]
    assert report["warnings"] == said
    assert report["status"] == ("warning" if said else "ok")
    return said


OFFSET = {"method": "offset", "limit": CAP}
RIGHT: list[tuple[str, Fields | None]] = [
    *((name, OFFSET) for name in ("plain", "total", "meta", "flag", "last", "next", "token", "pages")),
    ("total", {"method": "pagenum"}),
    ("next", {"method": "response.url", "urlKey": "next"}),
    ("token", {"method": "response.param", "responseParam": "meta.nextPageToken", "queryParam": "start"}),
    ("total", {**OFFSET, "forceStop": {"pages": 1}}),
    ("total", {**OFFSET, "limitStop": {"count": 5}}),
    ("flag", {"method": "pagenum", "nextPageFlag": {"field": "has_more", "stopOn": False}}),
    ("cursors", {"method": "response.url", "urlKey": "paging.next"}),
    ("plain", None),
]


@pytest.mark.parametrize(("endpoint", "pagination"), RIGHT)
def test_a_right_configuration_gives_no_warning(
    api: Api, tmp_path: Path, endpoint: str, pagination: Fields | None
) -> None:
    assert warnings_of(api, tmp_path, endpoint, pagination) == []


@pytest.mark.parametrize(
    ("endpoint", "evidence"),
    [
        ("total", "`total` is 25"),
        ("meta", "`meta.pagination.total_count` is 25"),
        ("flag", "`has_more` is true"),
        ("last", "`isLast` is false"),
        ("next", '`next` is "/next?start=10"'),
        ("token", '`meta.nextPageToken` is "10"'),
        ("pages", "`total_pages` is 3"),
    ],
)
def test_a_job_without_pagination_says_what_shows_that_there_is_more(
    api: Api, tmp_path: Path, endpoint: str, evidence: str
) -> None:
    (warning,) = warnings_of(api, tmp_path, endpoint)

    assert warning == (
        f"The job '{endpoint}' at `parameters.config.jobs[0]` read 10 records on 1 page, but there seem to be more: "
        f"{evidence}. No pagination is set for it: set `parameters.api.pagination`, or its `scroller` if there are "
        'several. To accept it, set `proof.incomplete` to "ignore".'
    )


@pytest.mark.parametrize("pagination", [{"method": "offset", "limit": 20}, {"method": "pagenum", "limit": 20}])
@pytest.mark.parametrize("endpoint", ["total", "flag"])
def test_a_page_size_above_the_cap_of_the_api_is_suspected(
    api: Api, tmp_path: Path, pagination: Fields, endpoint: str
) -> None:
    (warning,) = warnings_of(api, tmp_path, endpoint, pagination)

    assert "The last page had 10 records although `limit` asked for 20" in warning
    assert "Set `pagination.limit` to 10." in warning


@pytest.mark.parametrize(
    ("endpoint", "pagination", "path"),
    [
        ("token", {"method": "response.param", "responseParam": "nextToken", "queryParam": "start"}, "responseParam"),
        ("next", {"method": "response.url", "urlKey": "links.next"}, "urlKey"),
    ],
)
def test_a_path_that_is_on_no_page_is_named_with_the_keys_that_are_there(
    api: Api, tmp_path: Path, endpoint: str, pagination: Fields, path: str
) -> None:
    (warning,) = warnings_of(api, tmp_path, endpoint, pagination)

    keys = "`items`, `meta`" if endpoint == "token" else "`items`, `next`"
    assert (
        f"`{pagination[path]}` (`pagination.{path}`) is in none of its responses. They have the keys {keys}." in warning
    )


def test_a_path_on_no_page_is_no_warning_where_nothing_shows_another_page(api: Api, tmp_path: Path) -> None:
    pagination = {"method": "response.param", "responseParam": "nextToken", "queryParam": "start"}
    job = {"endpoint": "plain", "dataField": "items"}
    result = run_extraction(parameters(f"{api.url}/", job, pagination=pagination), tmp_path)

    assert result.warnings == []
    assert "The job 'plain' has one page: `nextToken` (`pagination.responseParam`) is in none" in result.log


@pytest.mark.parametrize(
    ("pagination", "param"),
    [
        (OFFSET, "offset"),
        ({"method": "pagenum", "pageParam": "p"}, "p"),
        ({"method": "cursor", "idKey": "id", "param": "since"}, "since"),
    ],
)
def test_a_parameter_that_the_api_ignores_is_named(api: Api, tmp_path: Path, pagination: Fields, param: str) -> None:
    (warning,) = warnings_of(api, tmp_path, "ignoring", pagination)

    assert "received page 1 again as page 2, so it has only 10 records" in warning
    assert f"ignore the parameter `{param}`. Check `pagination." in warning


def test_an_endpoint_of_one_record_may_ignore_the_page(api: Api, tmp_path: Path) -> None:
    assert warnings_of(api, tmp_path, "single", {"method": "pagenum"}, dataField="item") == []


def test_a_data_field_that_leads_nowhere_names_the_arrays(api: Api, tmp_path: Path) -> None:
    (warning,) = warnings_of(api, tmp_path, "deep", dataField="rows")

    assert "found nothing at `rows`, its `dataField`, on any page." in warning
    assert "Arrays are at `data.rows` (2 items), `data.tags` (0 items)." in warning


def test_a_data_field_that_is_in_no_response_names_its_keys(api: Api, tmp_path: Path) -> None:
    (warning,) = warnings_of(api, tmp_path, "error", dataField="channels")

    assert "There is no array in the response, which has the keys `ok`, `error`." in warning


@pytest.mark.parametrize(("endpoint", "field"), [("deep", "data.tags"), ("order", "order.lines")])
def test_an_empty_array_and_the_total_of_an_order_give_no_warning(
    api: Api, tmp_path: Path, endpoint: str, field: str
) -> None:
    assert warnings_of(api, tmp_path, endpoint, dataField=field) == []


def test_an_expected_count_is_not_checked_twice(api: Api, tmp_path: Path) -> None:
    (warning,) = warnings_of(api, tmp_path, "total", expectedCount="total")

    assert "the API claims 25 at `total`" in warning


def test_it_can_be_an_error_or_be_accepted(api: Api, tmp_path: Path) -> None:
    document = parameters(f"{api.url}/", {"endpoint": "total", "dataField": "items"})
    document["config"]["proof"] = {"incomplete": "error"}
    assert "`total` is 25" in (try_extraction(document, tmp_path / "a").error or "")
    document["config"]["proof"] = {"incomplete": "ignore"}

    assert run_extraction(document, tmp_path / "b").warnings == []


def test_child_jobs_say_it_once(api: Api, tmp_path: Path) -> None:
    child = {"endpoint": "total?of={id}", "dataField": "items", "placeholders": {"id": "id"}}
    (warning,) = warnings_of(api, tmp_path, "plain", children=[child])

    assert "The same happened in 9 of its other runs." in warning
