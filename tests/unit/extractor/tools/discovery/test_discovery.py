"""What discovery says where it cannot know, and what it never does."""

from __future__ import annotations

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery import Discovery, Finding
from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.discovery.finding import discover_command

RECORDS = [{"id": n, "name": f"n{n}"} for n in range(300)]


def _finding(found: Discovery, subject: str) -> Finding:
    return next(finding for finding in found.findings if finding.subject == subject)


def test_a_total_that_is_on_the_page_proves_that_there_is_one_page() -> None:
    with Api() as api:
        api.on("/list", {"items": RECORDS[:7], "total": 7})
        found = discover_command(f"curl {api.url}/list")

    assert _finding(found, "pagination") == Finding(
        "pagination", "one page", "`total` is 7, and so many records are on it."
    )
    assert found.requests == 2
    assert found.proof.is_whole


def test_a_total_of_the_page_does_not_hide_the_next_one() -> None:
    def respond(seen: Seen) -> Response:
        page = int(seen.params.get("page", "1"))
        following = f"/list?page={page + 1}" if page < 3 else None
        return Response.json({"items": RECORDS[page * 7 : page * 7 + 7], "total": 7, "next": following})

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl {api.url}/list")

    assert _finding(found, "pagination").choice == 'response.url (urlKey "next")'
    assert found.proof.records == 21
    assert "expectedCount" not in found.document["parameters"]["config"]["jobs"][0]
    assert "total" not in _finding(found, "run").evidence


def test_a_cursor_that_cannot_be_expressed_is_said_to_be_missing() -> None:
    """The API wants the time of the last record, under a name that nothing shows."""

    def respond(seen: Seen) -> Response:
        start = int(seen.params.get("created_before_or_at", "0"))
        return Response.json({"items": RECORDS[start : start + 20], "has_more": start + 20 < 300})

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl {api.url}/list")

    pagination = _finding(found, "pagination")
    assert not pagination.is_proven
    assert pagination.choice == "missing"
    assert "There are more pages (`has_more` is true)" in pagination.evidence
    assert "GET /list?page=1 returned the same page again" not in pagination.evidence
    assert "GET /list?page=2 returned the same page again" in pagination.evidence
    assert "pagination" not in found.document["parameters"]["api"]


def test_without_any_sign_one_page_is_not_proven() -> None:
    with Api() as api:
        api.on("/list", {"items": RECORDS[:7]})
        found = discover_command(f"curl {api.url}/list")

    assert _finding(found, "pagination").choice == "one page"
    assert not _finding(found, "pagination").is_proven


def test_a_graphql_query_without_a_variable_for_the_cursor_is_said_to_be_missing() -> None:
    info = {"endCursor": "Y20", "hasNextPage": True}
    with Api() as api:
        api.on("/graphql", {"data": {"users": {"nodes": RECORDS[:20], "pageInfo": info}}})
        found = discover_command(f'curl {api.url}/graphql --json \'{{"query": "{{ users {{ id }} }}"}}\'')

    assert _finding(found, "pagination").choice == "missing"


def test_an_offset_that_counts_pages_is_said_to_be_unproven() -> None:
    def respond(seen: Seen) -> Response:
        start = 30 * (int(seen.params.get("offset", "0")) // 20)
        return Response.json({"items": RECORDS[start : start + 20], "total": 300, "offset": 0})

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl {api.url}/list")

    assert not _finding(found, "offset").is_proven


def test_a_response_without_an_array_is_an_error() -> None:
    with Api() as api:
        api.on("/me", {"id": 1, "name": "x"})
        with pytest.raises(UserError, match="returned no array"):
            discover_command(f"curl {api.url}/me")


def test_a_refused_request_asks_for_credentials() -> None:
    with Api() as api:
        api.on("/list", lambda _seen: Response.json({"message": "no token"}, 401))
        with pytest.raises(UserError, match=r"returned status 401.*Give the credentials"):
            discover_command(f"curl {api.url}/list")


def test_a_response_that_is_not_json_is_an_error() -> None:
    with Api() as api:
        api.on("/list", Response(200, b"<html></html>"))
        with pytest.raises(UserError, match="returned no valid JSON"):
            discover_command(f"curl {api.url}/list")


def test_an_empty_list_proves_nothing() -> None:
    with Api() as api:
        api.on("/list", {"items": []})
        found = discover_command(f"curl {api.url}/list")

    assert not _finding(found, "records").is_proven
    assert _finding(found, "pagination").choice == "unknown"


def test_only_gets_are_sent_for_a_get() -> None:
    with Api() as api:
        api.on("/list", lambda _seen: Response.json({"items": RECORDS[:20], "total": 300}))
        discover_command(f"curl {api.url}/list")

    assert {seen.method for seen in api.seen} == {"GET"}


def test_a_post_that_may_change_data_is_not_sent() -> None:
    with Api() as api, pytest.raises(UserError, match="may change data"):
        discover_command(f"curl {api.url}/customers -d name=x")

    assert api.seen == []


def test_secrets_of_a_next_address_do_not_appear_in_findings() -> None:
    def respond(seen: Seen) -> Response:
        page = int(seen.params.get("page", "1"))
        following = f"{api.url}/list?api_key=s3cret-key-1&page={page + 1}" if page < 9 else None
        return Response.json({"items": RECORDS[page * 20 : page * 20 + 20], "next": following})

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl '{api.url}/list?api_key=s3cret-key-1'")

    assert _finding(found, "pagination").is_proven
    assert "s3cret-key-1" not in str(found.findings)


def test_an_empty_object_as_the_body_stays_one() -> None:
    def respond(seen: Seen) -> Response:
        return Response.json([{"id": 1}] if seen.body == b"{}" else {"message": "no query"})

    with Api() as api:
        api.on("/search", respond)
        found = discover_command(f"curl {api.url}/search --json '{{}}'")

    assert found.document["parameters"]["config"]["jobs"][0]["params"] == {}
