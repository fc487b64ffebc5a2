from __future__ import annotations

import io
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.requests.journal import Entry
from penstock.extractor.requests.journal.entry import HEAD_BYTES, pack, read_entry, unpack, write_entry
from tests.unit.extractor.requests.journal.responses import bodies, entries, entry_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
decimals = st.sampled_from(["1.0", "0.10", "-1e400", "12345678901234567890.5"]).map(Float)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | decimals | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def written(entry: Entry, body: bytes) -> bytes:
    file = io.BytesIO()
    assert write_entry(file, entry, body) == len(file.getvalue())
    return file.getvalue()


@given(entries("0#0"), bodies, bodies)
def test_an_entry_is_read_as_it_was_written_wherever_it_is(entry: Entry, body: bytes, before: bytes):
    data = written(entry, body)

    kept = read_entry(io.BytesIO(before + data + b"more"), len(before))

    assert kept is not None
    assert (kept.entry, kept.body) == (entry, body)
    assert (kept.at, kept.end) == (len(before), len(before) + len(data))


def test_without_its_body_an_entry_still_knows_where_it_ends():
    data = written(entry_of("0#0"), b"body")

    kept = read_entry(io.BytesIO(data), 0, is_whole=False)

    assert kept is not None
    assert (kept.entry, kept.body, kept.end) == (entry_of("0#0"), b"", len(data))


def test_the_answer_is_there_again():
    kept = read_entry(io.BytesIO(written(entry_of("0#0"), b"[1]")), 0)

    assert kept is not None
    assert (kept.response.status, kept.response.reason, kept.response.body) == (200, "OK", b"[1]")
    assert kept.response.headers["a"] == "b"


@given(entries("0#0"), bodies, st.data())
def test_a_part_of_an_entry_is_none(entry: Entry, body: bytes, data: st.DataObject):
    whole = written(entry, body)
    length = data.draw(st.integers(0, len(whole) - 1))

    assert read_entry(io.BytesIO(whole[:length]), 0) is None


@given(entries("0#0"), bodies, st.data())
def test_an_entry_with_one_wrong_bit_is_none(entry: Entry, body: bytes, data: st.DataObject):
    whole = bytearray(written(entry, body))
    at = data.draw(st.integers(0, 8 * len(whole) - 1))
    whole[at // 8] ^= 1 << at % 8

    assert read_entry(io.BytesIO(bytes(whole)), 0) is None


@given(st.binary(max_size=200))
def test_garbage_is_no_entry(garbage: bytes):
    assert read_entry(io.BytesIO(garbage), 0) is None
    assert read_entry(io.BytesIO(b"\0" * len(garbage)), 0) is None


@pytest.mark.parametrize(
    ("facts", "body"), [(0, 2**64 - 1), (0, 2**63), (0, 2**45), (2**32 - 1, 0), (2**32 - 1, 2**64 - 1)]
)
def test_lengths_that_no_file_has_are_no_entry(facts: int, body: int):
    """No memory must be allocated for them."""
    head = struct.pack("<IIQ", 0, facts, body)
    assert len(head) == HEAD_BYTES

    for is_whole in (True, False):
        assert read_entry(io.BytesIO(head + b"x" * 100), 0, is_whole=is_whole) is None


@pytest.mark.parametrize("name", ["Content-Length", "transfer-encoding", "Content-Encoding"])
def test_an_answer_is_verified_if_it_says_where_it_ends(name: str):
    entry = Entry("", b"", 200, "OK", [(name.encode(), b"x")], 0, 0, 0)

    assert entry.is_verified
    assert not entry_of("").is_verified


def kinds(value: Any) -> Any:
    """The value with the type of everything in it: 1, 1.0 and true are equal to Python, a decimal is to its text."""
    if isinstance(value, dict):
        return {key: kinds(item) for key, item in value.items()}
    return [kinds(item) for item in value] if isinstance(value, list) else (type(value), value)


@given(st.dictionaries(texts, values, max_size=4))
def test_columns_come_back_as_they_were_in_their_order(extra: dict[str, Any]):
    again = unpack(pack(extra))

    assert kinds(again) == kinds(extra)
    assert list(again) == list(extra)


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30])
def test_whole_numbers_may_have_any_size(number: int):
    assert unpack(pack({"n": number, "in": [{"n": number}]})) == {"n": number, "in": [{"n": number}]}


def test_no_columns_take_no_bytes():
    assert pack({}) == b""
    assert unpack(b"") == {}
