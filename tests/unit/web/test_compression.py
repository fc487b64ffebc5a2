"""Public documents are compressed once."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import httpx
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from penstock.services.developer import interface as developer
from penstock.web.compression import CachingGZip, compress
from tests.support.stacks import ServicesOnly

OWN = Path(__file__).parents[1] / "components" / "own"
GZIP = {"Accept-Encoding": "gzip"}


def test_a_document_that_many_ask_for_is_compressed_once(shared: ServicesOnly) -> None:
    storage = shared.service("storage", token="")
    compress.cache_clear()
    plain = storage.get("/v2/storage")
    packed = [storage.send("GET", "/v2/storage", headers=GZIP) for _ in range(5)]

    assert {gzip.decompress(response.body) for response in packed} == {plain.body}
    assert compress.cache_info().misses == 1
    assert compress.cache_info().hits == 0, "the bytes are kept, and not looked up by what they hold"
    for response in packed:
        assert response.headers["content-encoding"] == "gzip"
        assert response.headers["content-length"] == str(len(response.body))
        assert "Accept-Encoding" in response.headers["vary"]
    assert "content-encoding" not in plain.headers


def test_a_component_that_is_added_shows_at_once(services: ServicesOnly) -> None:
    storage = services.service("storage", token="")
    before = storage.send("GET", "/v2/storage", headers=GZIP)
    with services.stack.database.writing() as tx:
        developer.add_component(tx, developer.read_folder(OWN))
    after = storage.send("GET", "/v2/storage", headers=GZIP)

    assert b'"tests.ex-doubles"' not in gzip.decompress(before.body)
    assert b'"tests.ex-doubles"' in gzip.decompress(after.body)


def test_what_only_some_may_see_is_not_remembered(shared: ServicesOnly) -> None:
    compress.cache_clear()
    listed = shared.service("storage").send("GET", "/v2/storage/components", headers=GZIP)

    assert listed.headers["content-encoding"] == "gzip"
    assert compress.cache_info().currsize == 0


def test_a_document_that_comes_in_pieces_is_whole() -> None:
    pieces = [b"a" * 5000, b"b" * 5000, b"c"]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await StreamingResponse(iter(pieces))(scope, receive, send)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(CachingGZip(app, minimum_size=1000))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get("/", headers=GZIP)

    response = asyncio.run(ask())

    assert response.headers["content-encoding"] == "gzip"
    assert response.content == b"".join(pieces)
