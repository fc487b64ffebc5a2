"""The first two pages of a job: what was sent, what came back, which tables a run makes of it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.actions.asking import ask, complaint, selected

RECORDS = [{"id": n, "name": f"n{n}", "address": {"city": "Prague"}} for n in range(50)]
JOB = {"endpoint": "users", "dataField": "items"}


@pytest.fixture
def api() -> Generator[Api]:
    def respond(seen: Seen) -> Response:
        start, size = int(seen.params.get("offset", "0")), int(seen.params.get("limit", "30"))
        return Response.json({"items": RECORDS[start : start + size]})

    with Api() as api:
        api.on("/users", respond)
        yield api


def tried(api: Api, *jobs: Any, pagination: dict[str, Any] | None = None, **config: Any) -> dict[str, Any]:
    settings = {"pagination": pagination} if pagination else {}
    return ask("try_job", selected(f"{api.url}/", *jobs, api=settings, **config))


def test_two_pages_are_shown_with_their_tables(api: Api):
    result = tried(api, JOB, pagination={"method": "offset", "limit": 30})

    first, second = result["pages"]
    assert first["request"]["url"].endswith("limit=30&offset=0")
    assert (first["count"], len(first["records"]), second["count"]) == (30, 20, 20)
    assert first["response"]["lengths"] == [{"path": ["items"], "length": 30}]
    assert result["pagination"]["isNext"] is True
    assert "none of their values of `id` is on page 1" in result["pagination"]["evidence"]
    (table,) = result["tables"]
    assert (table["name"], table["count"], len(table["rows"])) == ("users", 50, 20)
    assert result["requests"] == len(api.seen) == 4


def test_the_address_of_a_base_without_a_slash_is_the_one_that_was_asked(api: Api):
    api.on("/api/v1/users", {"items": RECORDS})

    (page,) = ask("try_job", selected(f"{api.url}/api/v1", JOB))["pages"]

    assert page["request"]["url"] == f"{api.url}/api/v1/users"
    assert page["count"] == 50


def test_a_parameter_that_the_api_ignores_gives_the_same_page_again(api: Api):
    result = tried(api, JOB, pagination={"method": "offset", "limit": 30, "offsetParam": "start"})

    assert result["pagination"]["isNext"] is False
    assert "returned the same page again" in result["pagination"]["evidence"]


@pytest.mark.parametrize(
    ("pagination", "reason"),
    [
        (None, "No pagination is set, so the job sends one request."),
        ({"method": "offset", "limit": 100}, "The first page, with 50 records, is the last one by these settings."),
    ],
)
def test_without_a_second_page_the_reason_is_given(api: Api, pagination: dict[str, Any] | None, reason: str):
    found = tried(api, JOB, pagination=pagination)["pagination"]

    assert found["isNext"] is None
    assert found["evidence"].startswith(reason)


def test_a_mapping_makes_the_tables(api: Api):
    mapping = {"id": {"mapping": {"destination": "key", "primaryKey": True}}, "address.city": "city"}
    result = tried(api, {**JOB, "dataType": "people"}, mappings={"people": mapping})

    (table,) = result["tables"]
    assert (table["columns"], table["primaryKey"]) == (["key", "city"], ["key"])


def test_a_wrong_data_field_is_explained_beside_the_response(api: Api):
    result = tried(api, {**JOB, "dataField": "data"})

    assert result["pages"][0]["problem"] == "Path data not found in the response data"
    assert result["pages"][0]["response"]["data"]["items"]
    assert result["tables"] == []


def test_an_error_of_the_api_is_shown_with_its_response(api: Api):
    result = tried(api, {"endpoint": "nothing"})

    assert result["pages"][0]["response"]["status_code"] == 404
    assert "404" in result["problem"]
    assert result["tables"] == []


def test_what_may_change_data_is_not_sent(api: Api):
    job = {"endpoint": "users", "method": "POST"}
    assert "The job sends POST to users, which may change data" in complaint("try_job", selected(f"{api.url}/", job))
    assert api.seen == []

    ask("try_job", {**selected(f"{api.url}/", job), "__ALLOW_POST": True})
    assert api.seen[0].method == "POST"


def test_the_requests_of_a_child_are_limited(api: Api):
    child = {"endpoint": "users/{id}", "placeholders": {"id": "id"}, "dataField": "."}
    api.on_everything(lambda _seen: Response.json({"id": 1}))

    sentence = complaint("try_job", selected(f"{api.url}/", {**JOB, "children": [child]}, job="0_0"))

    assert sentence == "The job needs more than 20 requests for its first pages. Run it to see all of it."
    assert len(api.seen) == 20


def test_secrets_are_hidden_everywhere(api: Api):
    headers = {"http": {"headers": {"X-Key": {"attr": "#key"}}}}
    api.on("/echo", lambda seen: Response.json([{"id": 1, "key": seen.headers["x-key"]}]))
    result = ask("try_job", selected(f"{api.url}/", {"endpoint": "echo"}, api=headers, **{"#key": "canary-key"}))

    assert result["tables"][0]["rows"] == [["1", "--HIDDEN--"]]
    assert "canary-key" not in str(result)


def test_responses_and_tables_are_those_of_a_first_run(api: Api):
    api.on("/changes", lambda seen: Response.json(RECORDS if seen.params["since"] == "0" else []))
    result = tried(api, {"endpoint": "changes", "params": {"since": {"time": "previousStart"}}}, incrementalOutput=True)

    assert [page["count"] for page in result["pages"]] == [50]
    assert [table["count"] for table in result["tables"]] == [50]
