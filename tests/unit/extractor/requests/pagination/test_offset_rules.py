"""Offset pagination against a real API, rule by rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, run_extraction

TOTAL = 5


def list_users(seen: Seen) -> Response:
    """An API of five users that pages by limit and offset, whatever these are called."""
    size = int(seen.params.get("limit") or seen.params.get("count") or 2)
    start = int(seen.params.get("offset") or seen.params.get("start") or 0)
    users = [{"id": number} for number in range(TOTAL)]
    return Response.json({"total": TOTAL, "items": users[start : start + size]})


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", list_users)
        yield api


def read_users(api: Api, out: Path, params: dict[str, Any] | None = None, **pagination: Any) -> Extraction:
    job = {"endpoint": "users", "dataField": "items", "params": params or {}}
    settings = {"method": "offset", "limit": 2, **pagination}
    return run_extraction(parameters(api.url, job, pagination=settings), out)


def test_offset_rule_1_parameters_are_called_limit_and_offset_unless_renamed(api: Api, tmp_path: Path):
    read_users(api, tmp_path / "a", limit=10)
    read_users(api, tmp_path / "b", limit=10, limitParam="count", offsetParam="start")

    assert api.asked("/users") == ["limit=10&offset=0", "count=10&start=0"]


def test_offset_rule_2_the_first_request_carries_the_page_size_and_offset_0(api: Api, tmp_path: Path):
    read_users(api, tmp_path, limit="10")

    assert api.asked("/users") == ["limit=10&offset=0"]


def test_offset_rule_2_a_page_size_in_the_job_always_wins(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path, params={"limit": 3})

    assert api.asked("/users") == ["limit=3&offset=0", "limit=3&offset=3"]
    assert result.column("test.users", "id") == ["0", "1", "2", "3", "4"]


def test_offset_rule_2_the_jobs_page_size_is_found_under_the_renamed_parameter(api: Api, tmp_path: Path):
    read_users(api, tmp_path, params={"count": "3", "limit": 4}, limitParam="count", offsetParam="start")

    assert api.asked("/users") == ["count=3&limit=4&start=0", "count=3&limit=4&start=3"]


def test_offset_rule_3_each_next_request_moves_by_one_page_size(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path)

    assert api.asked("/users") == ["limit=2&offset=0", "limit=2&offset=2", "limit=2&offset=4"]
    assert result.column("test.users", "id") == ["0", "1", "2", "3", "4"]


def test_offset_rule_4_an_offset_in_the_job_is_ignored(api: Api, tmp_path: Path):
    read_users(api, tmp_path, params={"offset": 3})

    assert api.asked("/users") == ["offset=0&limit=2", "offset=2&limit=2", "offset=4&limit=2"]


def test_offset_rule_4_an_offset_in_the_job_is_used_when_offset_from_job_is_true(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path, params={"offset": 3}, offsetFromJob=True)

    assert api.asked("/users") == ["offset=3&limit=2", "offset=5&limit=2"]
    assert result.column("test.users", "id") == ["3", "4"]


def test_offset_rule_4_offset_from_job_without_an_offset_starts_at_0(api: Api, tmp_path: Path):
    read_users(api, tmp_path, limit=10, offsetFromJob=True)

    assert api.asked("/users") == ["limit=10&offset=0"]


def test_offset_rule_5_the_first_request_can_go_without_page_parameters(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path, params={"active": True}, firstPageParams=False)

    assert api.asked("/users") == ["active=1", "active=1&limit=2&offset=2", "active=1&limit=2&offset=4"]
    assert result.column("test.users", "id") == ["0", "1", "2", "3", "4"]


def test_offset_rule_5_an_offset_of_the_job_is_not_sent_in_a_first_request_without_page_parameters(
    api: Api, tmp_path: Path
):
    result = read_users(api, tmp_path, params={"offset": 1, "active": True}, firstPageParams=False)

    assert api.asked("/users") == ["active=1", "offset=2&active=1&limit=2", "offset=4&active=1&limit=2"]
    assert result.column("test.users", "id") == ["0", "1", "2", "3", "4"]
    assert result.warnings == []


def test_offset_rule_5_a_page_size_of_the_job_that_the_first_request_lacks_is_said_before_the_run(
    api: Api, tmp_path: Path
):
    result = read_users(api, tmp_path, params={"limit": 2}, firstPageParams=False)

    assert api.asked("/users") == ["", "limit=2&offset=2", "limit=2&offset=4"]
    (warning,) = result.warnings
    assert warning.startswith("The job 'users' at `parameters.config.jobs[0]`: its first request goes without `limit`")


def test_offset_rule_5_with_offset_from_job_the_first_request_begins_at_the_jobs_offset(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path, params={"offset": 1}, firstPageParams=False, offsetFromJob=True)

    assert api.asked("/users") == ["offset=1", "offset=3&limit=2", "offset=5&limit=2"]
    assert result.column("test.users", "id") == ["1", "2", "3", "4"]


def test_offset_rule_6_a_short_page_ends_the_scrolling(api: Api, tmp_path: Path):
    result = read_users(api, tmp_path, limit=4)

    assert api.asked("/users") == ["limit=4&offset=0", "limit=4&offset=4"]
    assert "Offset limit reached, stopping scrolling." in result.log
    assert result.warnings == []


@pytest.mark.parametrize("body", [b'{"more": true, "items": []}', b'{"more": true}', b'{"items": null}', b"", b" \n"])
def test_offset_rule_6_an_empty_array_or_response_ends_the_scrolling(api: Api, tmp_path: Path, body: bytes):
    full = Response.json({"items": [{"id": 1}, {"id": 2}]})
    api.on("/users", [full, Response(body=body), full])

    result = read_users(api, tmp_path)

    assert api.asked("/users") == ["limit=2&offset=0", "limit=2&offset=2"]
    assert result.column("test.users", "id") == ["1", "2"]


def test_offset_rule_6_an_answer_without_content_ends_the_scrolling(api: Api, tmp_path: Path):
    api.on("/users", [Response.json({"items": [{"id": 1}, {"id": 2}]}), Response(204)])

    result = read_users(api, tmp_path)

    assert len(api.seen) == 2
    assert result.warnings == []


def test_offset_rule_7_an_empty_array_is_a_warning(api: Api, tmp_path: Path):
    api.on("/users", {"items": [], "other": 1})

    result = read_users(api, tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField 'items' contains no data! ")
    assert list((tmp_path / "tables").iterdir()) == []


def test_offset_rule_7_an_empty_auto_detected_array_is_a_warning_too(api: Api, tmp_path: Path):
    api.on("/users", {"users": []})
    job = {"endpoint": "users"}

    result = run_extraction(parameters(api.url, job, pagination={"method": "offset", "limit": 2}), tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField 'users' contains no data! ")


def test_offset_rule_7_a_response_that_is_an_empty_array_is_a_warning_and_the_run_is_in_order(api: Api, tmp_path: Path):
    api.on("/users", lambda seen: Response.json([{"id": 1}, {"id": 2}] if seen.params["offset"] == "0" else []))
    pagination = {"method": "offset", "limit": 2}

    result = run_extraction(parameters(api.url, {"endpoint": "users"}, pagination=pagination), tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField '.' contains no data! ")
    assert json.loads((tmp_path / "report.json").read_text())["status"] == "ok"


def test_a_page_that_repeats_the_one_before_is_dropped_and_ends_the_scrolling(api: Api, tmp_path: Path):
    once, again = b'{"items":[{"id":1},{"id":2}]}', b'{ "items": [{"id": 1}, {"id": 2}] }'
    api.on("/users", [Response(body=once), Response(body=again), Response(body=once)])

    result = read_users(api, tmp_path)

    assert len(api.seen) == 2
    assert result.column("test.users", "id") == ["1", "2"]
