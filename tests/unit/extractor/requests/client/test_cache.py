from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.extractor.base.http import Request
from tests.support.api import Api, Response
from tests.unit.extractor.requests.client.calling import OK, Caller, Calling, failure, to


def cached(calling: Calling, folder: Path, value: Any = True, **settings: Any) -> Caller:
    caller = calling(document={"parameters": {"cache": value}}, **settings)
    caller.folder = folder / "cache"
    return caller


def test_a_cached_answer_is_not_asked_for_again(api: Api, calling: Calling, tmp_path: Path):
    first, second = cached(calling, tmp_path), cached(calling, tmp_path, {"ttl": 60})

    assert [first.get("users").body, second.get("users").body] == [b"[1]", b"[1]"]
    assert len(api.seen) == 1
    second.get("users", a=1)
    assert len(api.seen) == 2


def test_a_cached_error_stays_an_error(api: Api, calling: Calling, tmp_path: Path):
    said = [failure(cached(calling, tmp_path), Request("gone")) for _ in range(2)]

    assert said[0] == said[1]
    assert len(api.seen) == 1


def test_a_post_is_not_cached(api: Api, calling: Calling, tmp_path: Path):
    cached(calling, tmp_path).call(*[Request("users", {"a": 1}, "POST")] * 2)

    assert len(api.seen) == 2


def test_an_answer_that_asks_for_another_try_is_not_cached(api: Api, calling: Calling, tmp_path: Path):
    api.on("/users", [Response(503), OK])

    assert [cached(calling, tmp_path).get("users").body for _ in range(2)] == [b"[1]", b"[1]"]
    assert len(api.seen) == 2


def test_a_redirect_is_cached_hop_by_hop(api: Api, calling: Calling, tmp_path: Path):
    api.on("/old", to("/users"))

    assert [cached(calling, tmp_path).get("old").url for _ in range(2)] == [f"{api.url}/users"] * 2
    assert len(api.seen) == 2


def test_headers_of_any_bytes_can_be_cached(api: Api, calling: Calling, tmp_path: Path):
    api.on("/users", Response(body=b"[1]", headers={"X-Name": "Müller"}))

    assert [cached(calling, tmp_path).get("users").status for _ in range(2)] == [200, 200]
