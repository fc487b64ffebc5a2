"""Pages that equal the one before, and pages that differ from it in one digit, on every path that reads pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import parameters, run_extraction

TOTAL = 6
NUMBERS = {
    "integers from 2^63 on": [str(2**63 + number) for number in range(TOTAL)],
    "integers beyond 64 bits": [str(2**70 + number) for number in range(TOTAL)],
    "decimals of 18 digits": [f"0.10000000000000000{number}" for number in range(1, TOTAL + 1)],
}
METHODS: dict[str, dict[str, Any]] = {
    "offset": {"method": "offset", "limit": 2},
    "page": {"method": "pagenum", "limit": 2},
}
WAYS: dict[str, dict[str, Any]] = {
    "fast": {},
    "general": {"expectedCount": "total"},
}
LARGE = " " * (5 << 20)
"""White space that makes a page too large for memory."""


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as api:
        yield api


def serve(api: Api, numbers: list[str], pad: str = "") -> None:
    def respond(seen: Seen) -> Response:
        start = int(seen.params.get("offset", 0)) + 2 * (int(seen.params.get("page", 1)) - 1)
        items = ", ".join(f'{{"id": {number}}}' for number in numbers[start : start + 2])
        text = f'{{"items": [{items}], "total": {TOTAL}{pad}}}'
        return Response(body=text.encode(), headers={"Content-Type": "application/json"})

    api.on("/items", respond)


def read(api: Api, out: Path, method: str, parallelism: int = 1, **job: Any) -> list[str]:
    document = parameters(api.url, {"endpoint": "items", "dataField": "items", **job}, pagination=METHODS[method])
    document["api"]["parallelism"] = parallelism
    result = run_extraction(document, out)
    assert [each for each in result.warnings if "contains no data!" not in each] == []
    assert json.loads((out / "report.json").read_text())["status"] == "ok"
    return result.column("test.items", "id")


@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parallelism", [1, 3])
def test_pages_that_differ_in_a_digit_are_all_read(
    api: Api, tmp_path: Path, numbers: list[str], method: str, way: str, parallelism: int
):
    serve(api, numbers)

    assert read(api, tmp_path, method, parallelism, **WAYS[way]) == numbers


@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
def test_large_pages_that_differ_in_a_digit_are_all_read(api: Api, tmp_path: Path, numbers: list[str]):
    serve(api, numbers, LARGE)

    assert read(api, tmp_path, "offset") == numbers


def test_a_cursor_of_large_integers_reads_all_pages(api: Api, tmp_path: Path):
    numbers = [2**63 + number for number in range(TOTAL)]

    def respond(seen: Seen) -> Response:
        since = int(seen.params.get("since", 0))
        return Response.json([{"id": number} for number in numbers if number >= since][:2])

    api.on("/items", respond)
    cursor = {"method": "cursor", "idKey": "id", "param": "since", "increment": 1}
    result = run_extraction(parameters(api.url, {"endpoint": "items"}, pagination=cursor), tmp_path)

    assert result.column("test.items", "id") == [str(number) for number in numbers]


@pytest.mark.parametrize("pad", ["", LARGE])
def test_a_page_whose_records_have_different_keys_is_recognized_when_it_comes_again(api: Api, tmp_path: Path, pad: str):
    """The second page is read by the fast path, in which a key that is missing is null."""
    api.on("/items", Response(body=f'[{{"id": 1}}, {{"id": 2, "name": "a"}}{pad}]'.encode()))
    pagination = {"method": "offset", "limit": 2}
    result = run_extraction(parameters(api.url, {"endpoint": "items"}, pagination=pagination), tmp_path)

    assert len(api.seen) == 2
    assert result.column("test.items", "id") == ["1", "2"]
