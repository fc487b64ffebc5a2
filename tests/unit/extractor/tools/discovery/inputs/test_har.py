"""HAR files: the requests that returned lists."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery.inputs import read_target
from penstock.extractor.tools.discovery.inputs.har import read_har

ROWS = json.dumps({"items": [{"id": 1}, {"id": 2}]})


def entry(url: str, text: str = ROWS, method: str = "GET", **content: Any) -> dict[str, Any]:
    headers = [{"name": "Authorization", "value": "Bearer abc"}, {"name": "User-Agent", "value": "Browser"}]
    request: dict[str, Any] = {"method": method, "url": url, "headers": headers}
    if method == "POST":
        request["postData"] = {"mimeType": "application/json", "text": "{}"}
    return {"request": request, "response": {"status": 200, "content": {"text": text, **content}}}


def har(*entries: dict[str, Any]) -> bytes:
    return json.dumps({"log": {"entries": list(entries)}}).encode()


def test_requests_that_returned_lists_are_offered_once() -> None:
    content = har(
        entry("https://a.example/app.js", "var a;"),
        entry("https://a.example/items?page=1"),
        entry("https://a.example/items?page=2"),
        entry("https://a.example/me", '{"id": 1}'),
        entry("https://a.example/search", method="POST"),
    )

    assert [(choice.endpoint, choice.note) for choice in read_har(content)] == [
        ("/items", "2 records from a.example"),
        ("POST /search", "2 records from a.example"),
    ]


def test_the_first_request_of_an_endpoint_is_taken_with_its_headers() -> None:
    content = har(entry("https://a.example/items?page=1"), entry("https://a.example/items?page=2"))

    command = read_target("har", content).command

    assert command.url.query == "page=1"
    assert command.headers["Authorization"] == "Bearer abc"


def test_bodies_in_base64_are_read() -> None:
    encoded = base64.b64encode(ROWS.encode()).decode()

    assert len(read_har(har(entry("https://a.example/items", encoded, encoding="base64")))) == 1


@pytest.mark.parametrize("content", [b"{}", b"no", b'{"log": {"entries": {}}}'])
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(UserError):
        read_har(content)


def test_a_file_without_lists_is_refused() -> None:
    with pytest.raises(UserError, match="holds no response with a list"):
        read_target("har", har(entry("https://a.example/app.js", "var a;")))
