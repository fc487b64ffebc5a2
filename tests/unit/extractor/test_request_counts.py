"""The report counts every request that was sent, whatever became of its response."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import parameters, try_extraction

USERS = [{"id": 1}, {"id": 2}]
OFFSET: dict[str, Any] = {"method": "offset", "limit": 2}
LOGIN: dict[str, Any] = {
    "type": "login",
    "loginRequest": {"endpoint": "login"},
    "apiRequest": {"headers": {"X-Token": "token"}},
}
PATIENCE = 30.0


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as api:
        api.on("/users", Response.json(USERS))
        yield api


def jobs_of(api: Api, out: Path, *jobs: dict[str, Any], **settings: Any) -> list[dict[str, Any]]:
    """What the report says about the jobs."""
    document = parameters(api.url, *(jobs or ({"endpoint": "users"},)))
    document["api"] |= {"retryConfig": {"maxWait": 0, "maxRetries": 2}, **settings}
    try_extraction(document, out)
    return json.loads((out / "report.json").read_text())["jobs"]


def test_a_page_that_repeats_the_one_before_took_a_request(api: Api, tmp_path: Path):
    (job,) = jobs_of(api, tmp_path, pagination=OFFSET)

    assert (job["pages"], job["requests"], len(api.seen)) == (1, 2, 2)


def test_retries_count(api: Api, tmp_path: Path):
    api.on("/users", [Response(500), Response(503), Response.json(USERS)])

    (job,) = jobs_of(api, tmp_path)

    assert (job["requests"], job["retries"], len(api.seen)) == (3, 2, 3)


def test_redirects_count(api: Api, tmp_path: Path):
    api.on("/users", Response(302, headers={"Location": "/people"}))
    api.on("/people", Response.json(USERS))

    (job,) = jobs_of(api, tmp_path)

    assert (job["requests"], job["retries"], len(api.seen)) == (2, 0, 2)


def test_requests_of_a_page_that_fails_the_run_count(api: Api, tmp_path: Path):
    api.on("/users", [Response.json(USERS), *[Response(500)] * 3])

    (job,) = jobs_of(api, tmp_path, pagination=OFFSET)

    assert (job["pages"], job["requests"], job["retries"], len(api.seen)) == (1, 4, 2, 4)


@pytest.mark.parametrize(("settings", "logins"), [({}, 1), ({"expires": "-1"}, 2)])
def test_logins_count_for_the_job_that_needs_them(api: Api, tmp_path: Path, settings: dict[str, Any], logins: int):
    api.on("/login", {"token": "t"})
    api.on("/users", [Response.json(USERS), Response.json([])])

    (job,) = jobs_of(api, tmp_path, authentication={**LOGIN, **settings}, pagination=OFFSET)

    assert len(api.asked("/login")) == logins
    assert (job["requests"], len(api.seen)) == (2 + logins, 2 + logins)


def test_a_login_that_is_tried_again_and_one_that_fails_count(api: Api, tmp_path: Path):
    api.on("/login", [Response(500), Response(401)])

    (job,) = jobs_of(api, tmp_path, authentication=LOGIN)

    assert (job["pages"], job["requests"], job["retries"], len(api.seen)) == (0, 2, 1, 2)


def test_each_job_has_its_own_requests(api: Api, tmp_path: Path):
    api.on("/user/1", [Response(500), Response.json([{"a": 1}])])
    api.on("/user/2", Response.json([{"a": 2}]))
    child = {"endpoint": "user/{id}", "placeholders": {"id": "id"}}

    users, user = jobs_of(api, tmp_path, {"endpoint": "users", "children": [child]})

    assert (users["requests"], user["requests"], user["retries"]) == (1, 3, 1)
    assert len(api.seen) == 4


def test_pages_that_were_fetched_ahead_beyond_the_last_one_count(api: Api, tmp_path: Path):
    """The page after the last one is answered when the two after it were asked for."""
    is_ahead = threading.Event()

    def respond(seen: Seen) -> Response:
        offset = int(seen.params["offset"])
        if offset == 4:
            is_ahead.set()
        if offset == 2:
            assert is_ahead.wait(PATIENCE)
        return Response.json([{"id": offset}] if offset < 2 else [])

    api.on("/users", respond)
    (job,) = jobs_of(api, tmp_path, pagination={**OFFSET, "limit": 1}, parallelism=3)

    assert sorted(seen.params["offset"] for seen in api.seen) == ["0", "1", "2", "3", "4"]
    assert (job["pages"], job["requests"]) == (3, 5)


def test_a_response_from_the_cache_takes_no_request(api: Api, tmp_path: Path):
    document = {"parameters": {**parameters(api.url, {"endpoint": "users"}), "cache": True}}
    for out in (tmp_path, tmp_path):
        try_extraction(document, out)

    (job,) = json.loads((tmp_path / "report.json").read_text())["jobs"]
    assert (job["pages"], job["requests"], len(api.seen)) == (1, 0, 1)
