"""Public documents are compressed once."""

from __future__ import annotations

import gzip
from pathlib import Path

from penstock.services.developer import interface as developer
from penstock.web.compression import compress
from tests.support.stacks import ServicesOnly

OWN = Path(__file__).parents[1] / "components" / "own"
GZIP = {"Accept-Encoding": "gzip"}


def test_a_document_that_many_ask_for_is_compressed_once(shared: ServicesOnly) -> None:
    storage = shared.service("storage", token="")
    compress.cache_clear()
    plain = storage.get("/v2/storage")
    packed = [storage.send("GET", "/v2/storage", headers=GZIP) for _ in range(5)]

    assert {gzip.decompress(answer.body) for answer in packed} == {plain.body}
    assert compress.cache_info().misses == 1
    assert compress.cache_info().hits == 4
    for answer in packed:
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["content-length"] == str(len(answer.body))
        assert "Accept-Encoding" in answer.headers["vary"]
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
