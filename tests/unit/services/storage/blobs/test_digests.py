"""`Content-MD5` is the hash of the body of a request: a body with another hash is not stored."""

from __future__ import annotations

import base64
import hashlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.files import Container, prepare, to_write
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of, on_disk

MIB = 1 << 20


def md5(body: bytes) -> str:
    return base64.b64encode(hashlib.md5(body).digest()).decode()


@given(body=st.binary(max_size=200), arrived=st.binary(max_size=200))
@examples(30)
def test_a_body_is_kept_if_it_has_the_hash_that_was_sent(storage: Http, body: bytes, arrived: bytes) -> None:
    place = to_write(prepare(storage))

    assert place.put("b", arrived, content_md5=md5(body)).status == (201 if body == arrived else 400)
    assert place.get("b").status == (200 if body == arrived else 404)


def test_a_blob_that_arrives_otherwise_changes_nothing(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    place.put("b", b"old", x_ms_meta_version="1")
    response = place.put("b", b"nEw", content_md5=md5(b"new"), x_ms_meta_version="2")

    assert (response.status, code_of(response)) == (400, "Md5Mismatch")
    assert md5(b"new") in response.text
    assert md5(b"nEw") in response.text
    kept = place.get("b")
    assert (kept.body, kept.headers["x-ms-meta-version"]) == (b"old", "1")
    assert on_disk(services, "incoming") == []


def test_a_block_that_arrives_otherwise_changes_nothing(place: Container) -> None:
    assert place.put_block("b", "1", b"one", content_md5=md5(b"one")).status == 201
    for block_id in ("1", "2"):
        response = place.put_block("b", block_id, b"oNe", content_md5=md5(b"one"))
        assert (response.status, code_of(response)) == (400, "Md5Mismatch")

    assert code_of(place.put_list("b", ["1", "2"])) == "InvalidBlockList"
    assert place.put_list("b", ["1"]).status == 201
    assert place.get("b").body == b"one"


def test_a_long_body_is_hashed_as_a_whole(place: Container) -> None:
    body = os.urandom(5 * MIB)

    assert place.put("b", body, content_md5=md5(body)).status == 201
    assert place.put_block("c", "1", body, content_md5=md5(body)).status == 201
    assert code_of(place.put("b", body[:-1] + b"\0\0", content_md5=md5(body))) == "Md5Mismatch"
    assert place.get("b").body == body


@pytest.mark.parametrize("given", ["", "x", "098f6bcd4621d373cade4e832627b4f6", "CY9rzUYh03PK3k6DJie0", "é" * 24])
def test_what_is_not_a_hash_is_refused(place: Container, given: str) -> None:
    for response in (place.put("b", b"test", content_md5=given), place.put_block("b", "1", b"test", content_md5=given)):
        assert (response.status, code_of(response)) == (400, "InvalidMd5")
    assert place.get("b").status == 404


def test_the_hash_that_a_list_gives_its_blob_is_not_compared(place: Container) -> None:
    """The stack would have to read all blocks once more."""
    place.put_block("b", "1", b"one")

    assert place.put_list("b", ["1"], x_ms_blob_content_md5=md5(b"another")).status == 201
    assert place.get("b").headers["content-md5"] == md5(b"another")
