"""The configuration that discovery writes asks for the address that it was given."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.http import Request
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.tools.curl.command import Command
from penstock.extractor.tools.discovery.discovery import start
from penstock.extractor.tools.discovery.target import read_url
from tests.support.api import Api, Response
from tests.unit.extractor.tools.discovery.finding import discover_command

SEGMENTS = st.text("ab1-_.~:@ é", max_size=4).filter(lambda text: text not in (".", ".."))


def asked(command: Command) -> str:
    """The address of the first request of the configuration."""
    draft, _credentials = start(command)
    return Builder(draft.base_url).build(Request(draft.job["endpoint"], draft.params)).url


@pytest.mark.parametrize(
    "path", ["", "/", "/users", "/api/v1/users", "/api/v1/users/", "/api//users", "/v1?page=2", "/v1/users:list"]
)
def test_the_address_is_asked_again(path: str) -> None:
    address = f"https://api.example.com{path}"

    assert asked(read_url(address)) == (address if path else f"{address}/")


@given(st.lists(SEGMENTS, max_size=4))
def test_any_path_is_asked_again(segments: list[str]) -> None:
    address = "https://api.example.com/" + "/".join(quote(segment, safe="@:~") for segment in segments)

    assert asked(read_url(address)) == address


def test_an_address_below_a_path_is_found_and_asked_again() -> None:
    with Api() as api:
        api.on("/api/v1/users", Response.json([{"id": number} for number in range(3)]))
        found = discover_command(f"curl {api.url}/api/v1/users")

    assert found.proof.records == 3
    assert {seen.path for seen in api.seen} == {"/api/v1/users"}
