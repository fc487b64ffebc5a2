"""Page sizes and ends, as real APIs have them."""

from __future__ import annotations

from typing import Any

from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.discovery.finding import discover_command

RECORDS = [{"id": n, "name": f"n{n}"} for n in range(200)]


def _pages(most: int, **beside: Any) -> Any:
    def respond(seen: Seen) -> Response:
        start, size = int(seen.params.get("offset", "0")), min(int(seen.params.get("limit", "10")), most)
        return Response.json({"items": RECORDS[start : start + size], "offset": start, "limit": size, **beside})

    return respond


def test_a_page_size_above_the_cap_is_not_proposed() -> None:
    with Api() as api:
        api.on("/list", _pages(40))
        found = discover_command(f"curl {api.url}/list")

    assert found.document["parameters"]["api"]["pagination"]["limit"] == 40


def test_the_page_size_of_the_user_stays() -> None:
    with Api() as api:
        api.on("/list", _pages(40))
        found = discover_command(f"curl '{api.url}/list?limit=20'")

    assert found.document["parameters"]["api"]["pagination"]["limit"] == 20
    assert {seen.params.get("limit") for seen in api.seen} == {"20"}


def test_an_api_that_fails_beyond_its_end_is_stopped_at_its_total() -> None:
    def respond(seen: Seen) -> Response:
        is_beyond = int(seen.params.get("offset", "0")) >= 200
        return Response.json({"error": "out of range"}, 400) if is_beyond else _pages(40, total=200)(seen)

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl {api.url}/list")

    assert found.document["parameters"]["api"]["pagination"]["limitStop"] == {"field": "total"}


def test_warnings_of_the_run_are_findings() -> None:
    """Arrays within arrays become JSON text, with a warning."""

    def respond(seen: Seen) -> Response:
        page = int(seen.params.get("page", "1"))
        rows: list[Any] = [{"id": 20 * page + n, "list": [[1]]} for n in range(20)]
        return Response.json({"items": rows, "page": page, "total": 400})

    with Api() as api:
        api.on("/list", respond)
        found = discover_command(f"curl {api.url}/list")

    warnings = [finding.evidence for finding in found.findings if finding.subject == "warning"]
    assert warnings
    assert "nested array" in warnings[0]
