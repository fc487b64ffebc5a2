"""Names of repositories, tags, digests and ranges: what the distribution specification accepts, and nothing that could
be a path. The grammars are written here again, as the specification has them."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request as HttpRequest

from penstock.foundation import ids
from penstock.services.developer.registry.errors import DigestInvalid, NameInvalid, TagInvalid
from penstock.services.developer.registry.names import check_digest, check_tag, is_digest, repository_name
from penstock.services.developer.registry.routes.uploads import continues
from penstock.services.developer.registry.uploads import bytes_of, images_in
from tests.support.examples import examples

SMALL, HEX = string.ascii_lowercase + string.digits, string.digits + "abcdef"
MAX_TAG = 128

parts = st.lists(st.text(SMALL, min_size=1, max_size=6), min_size=1, max_size=4).flatmap(
    lambda words: st.lists(
        st.sampled_from([".", "_", "__", "-", "--", "-----"]), min_size=len(words) - 1, max_size=len(words) - 1
    ).map(lambda separators: "".join(a + b for a, b in zip(words, [*separators, ""], strict=True)))
)
tags = st.builds(
    lambda first, rest: first + rest,
    st.sampled_from(string.ascii_letters + string.digits + "_"),
    st.text(string.ascii_letters + string.digits + "._-", max_size=MAX_TAG - 1),
)
digests = st.text(HEX, min_size=64, max_size=64).map(lambda text: f"sha256:{text}")
hostile = st.one_of(
    st.text(max_size=200),
    st.text("./\\:%~-_aA0\x00\n ", max_size=20),
    st.sampled_from(["..", ".", "", "/", "../..", "a/../b", "a\n", "a\x00", "%2e%2e", "a//b", "A", "-a", "a-", "a..b"]),
)


@given(vendor=parts, app=parts)
@examples(200)
def test_every_name_of_the_specification_is_a_repository(vendor: str, app: str) -> None:
    assert repository_name(vendor, app) == f"{vendor}/{app}"


@given(vendor=hostile, app=hostile)
@examples(400)
def test_a_name_is_refused_or_safe(vendor: str, app: str) -> None:
    try:
        name = repository_name(vendor, app)
    except NameInvalid:
        return
    assert name.split("/") == [vendor, app]
    assert all(re.fullmatch(r"[a-z0-9]+([._-]+[a-z0-9]+)*", part, re.ASCII) for part in (vendor, app))
    assert all(".." not in part and "___" not in part for part in (vendor, app))
    assert Path("/images", name).resolve().is_relative_to("/images")


@given(tag=tags)
@examples(200)
def test_every_tag_of_the_specification_is_accepted(tag: str) -> None:
    assert check_tag(tag) == tag
    assert not is_digest(tag)


@given(tag=hostile)
@examples(400)
def test_a_tag_is_refused_or_safe(tag: str) -> None:
    try:
        check_tag(tag)
    except TagInvalid:
        return
    assert len(tag) <= MAX_TAG
    assert not set(tag) - set(string.ascii_letters + string.digits + "._-")
    assert tag[0] not in ".-"


@pytest.mark.parametrize("tag", ["a" * (MAX_TAG + 1), ".a", "-a", "a:b", "a/b", "a\n", "ä", "１"])
def test_what_is_not_a_tag(tag: str) -> None:
    with pytest.raises(TagInvalid):
        check_tag(tag)


@given(digest=digests)
@examples(100)
def test_every_digest_is_accepted(digest: str) -> None:
    assert check_digest(digest) == digest
    assert is_digest(digest)


@given(digest=digests, place=st.integers(0, 70), character=st.characters())
@examples(300)
def test_a_digest_with_another_character_is_refused_unless_it_is_one(digest: str, place: int, character: str) -> None:
    changed = digest[:place] + character + digest[place + 1 :]
    is_valid = changed.startswith("sha256:") and len(changed) == 71 and not set(changed[7:]) - set(HEX)
    if is_valid:
        assert check_digest(changed) == changed
        return
    with pytest.raises(DigestInvalid):
        check_digest(changed)


@given(upload_id=st.one_of(hostile, st.integers(-5, 10**30).map(str)))
@examples(300)
def test_the_id_of_an_upload_is_a_number_and_its_file_is_in_the_folder(upload_id: str) -> None:
    number = ids.read_id(upload_id)
    if number is None:
        return
    folder = images_in(Path("/data"))
    assert bytes_of(folder, number).resolve().is_relative_to("/data/images")


def upload_request(content_range: str) -> HttpRequest:
    headers = [(b"content-range", content_range.encode("latin-1", "replace"))]
    return HttpRequest({"type": "http", "headers": headers})


@given(start=st.integers(0, 10**17), size=st.integers(0, 10**17), length=st.integers(1, 10**6))
@examples(200)
def test_a_piece_continues_an_upload_only_where_it_ends(start: int, size: int, length: int) -> None:
    for form in (f"{start}-{start + length - 1}", f"bytes {start}-{start + length - 1}/*"):
        assert continues(upload_request(form), size) == (start == size)
        assert continues(upload_request(form), start)


@given(text=st.one_of(hostile, st.text("0123456789-bytes =/*", max_size=30)), size=st.integers(0, 100))
@examples(300)
def test_what_is_not_a_range_never_continues_an_upload(text: str, size: int) -> None:
    if continues(upload_request(text), size):
        assert re.match(rf"(bytes[ =])?0*{size}-", text.strip())
