"""Blobs in blocks: uploaded in any order, joined in the order of their list."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.files import Container, prepare, to_write
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of, on_disk

MIB = 1 << 20


def test_blocks_are_joined_in_the_order_of_their_list(place: Container) -> None:
    parts = {f"block-{number:03}": os.urandom(1000 + number) for number in range(20)}
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda item: place.put_block("b", *item), reversed(parts.items())))
    assert {response.status for response in responses} == {201}
    assert place.get("b").status == 404

    wanted = [*list(parts)[::-1], "block-003"]
    done = place.put_list("b", wanted, x_ms_blob_content_type="text/csv", x_ms_blob_content_disposition="inline")

    got = place.get("b")
    assert (done.status, got.headers["etag"]) == (201, done.headers["etag"])
    assert got.body == b"".join(parts[block] for block in wanted)
    assert (got.headers["content-type"], got.headers["content-disposition"]) == ("text/csv", "inline")


def test_a_list_that_is_sent_again_finds_its_blocks(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    place.put_block("b", "1", b"one")
    place.put_block("b", "2", b"two")
    place.put_list("b", ["1", "2"])

    assert on_disk(services, "staged") == []
    assert place.put_list("b", ["1", "2"]).status == 201
    assert place.get("b").body == b"onetwo"


def test_a_list_may_mix_blocks_that_a_blob_has_with_new_ones(place: Container) -> None:
    place.put_block("b", "1", b"one")
    place.put_block("b", "2", b"two")
    place.put_list("b", ["1", "2"])
    place.put_block("b", "3", b"three")
    place.put_block("b", "2", b"TWO")
    lines = b"<Committed>2</Committed> <Uncommitted>2</Uncommitted> <Latest>3</Latest> <Latest>1</Latest>"

    assert place.send("PUT", "b", b"<BlockList>%s</BlockList>" % lines, comp="blocklist").status == 201
    assert place.get("b").body == b"twoTWOthreeone"


def test_a_block_that_is_sent_again_replaces_the_first(place: Container) -> None:
    for content in (b"first", b"second"):
        place.put_block("b", "a+/=", content)
    place.put_list("b", ["a+/="])

    assert place.get("b").body == b"second"


@pytest.mark.parametrize("place_in_list", ["Latest", "Committed", "Uncommitted"])
def test_a_list_with_a_missing_block_changes_nothing(place: Container, place_in_list: str) -> None:
    place.put("b", b"old")
    place.put_block("other", "1", b"x")
    response = place.put_list("b", ["1"], place_in_list)

    assert (response.status, code_of(response)) == (400, "InvalidBlockList")
    assert place.get("b").body == b"old"


def test_an_empty_list_makes_an_empty_blob(place: Container) -> None:
    for name, body in (("a", b"<BlockList></BlockList>"), ("b", b'<?xml version="1.0"?><BlockList />')):
        assert place.send("PUT", name, body, comp="blocklist").status == 201
        assert place.get(name).body == b""


@pytest.mark.parametrize(
    "body", [b"", b"<BlockList>", b"<Latest>1</Latest>", b"\xff\xfe", b"<BlockList><Latest>1</Committed></BlockList>"]
)
def test_a_value_that_is_not_a_list_is_refused(place: Container, body: bytes) -> None:
    response = place.send("PUT", "b", body, comp="blocklist")

    assert (response.status, code_of(response)) == (400, "InvalidXmlDocument")


@pytest.mark.parametrize(
    "body", [b"%s", b"<BlockList>%s", b"<BlockList>%s</BlockList>x", b"<BlockList><Latest>1%s2</Latest></BlockList>"]
)
def test_a_list_of_a_megabyte_of_nothing_is_refused_at_once(place: Container, body: bytes) -> None:
    began = time.monotonic()
    response = place.send("PUT", "b", body % (b" " * MIB), comp="blocklist")

    assert (response.status, code_of(response)) == (400, "InvalidXmlDocument")
    # Going through the rest at every space would take hours.
    assert time.monotonic() - began < 60


def test_spaces_in_a_list_mean_nothing(place: Container) -> None:
    place.put_block("b", "1", b"one")
    body = b"%s<BlockList>%s<Latest>%s1%s</Latest>%s</BlockList>%s".replace(b"%s", b" " * (MIB // 6))

    assert place.send("PUT", "b", body, comp="blocklist").status == 201
    assert place.get("b").body == b"one"


@given(
    body=st.one_of(st.binary(max_size=60), st.text(alphabet="<>/BlockListaestUncomd1? \n", max_size=60).map(str.encode))
)
@examples(40)
def test_no_list_is_too_strange(storage: Http, body: bytes) -> None:
    place = to_write(prepare(storage))

    assert place.send("PUT", "b", body, comp="blocklist").status in (201, 400)


def test_a_list_respects_the_condition_too(place: Container) -> None:
    place.put("b", b"old")
    place.put_block("b", "1", b"new")

    assert place.put_list("b", ["1"], If_None_Match="*").status == 409
    assert place.get("b").body == b"old"
    assert place.put_list("b", ["1"]).status == 201


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ({"comp": "snapshot"}, {}),
        ({"comp": "appendblock"}, {}),
        ({"comp": "block"}, {}),
        ({"comp": "block", "blockid": "x" * 129}, {}),
        ({"comp": "\x00<&"}, {}),
        ({}, {"x-ms-blob-type": "PageBlob"}),
    ],
)
def test_what_is_not_spoken_here_is_refused(place: Container, query: dict[str, str], headers: dict[str, str]) -> None:
    response = place.send("PUT", "b", b"1", headers, **query)

    assert response.status == 400
    assert code_of(response)
