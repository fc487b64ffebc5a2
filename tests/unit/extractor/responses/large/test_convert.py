from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.formats import Format
from penstock.extractor.records.find import DataField
from penstock.extractor.responses.large import Limits, Slices, find_large
from penstock.extractor.responses.large.convert import is_blank, to_json
from penstock.extractor.responses.large.find import as_json
from tests.support.examples import examples

CHUNKS = st.integers(1, 20).map(lambda size: Limits(chunk=size))
LINES = st.lists(
    st.sampled_from(
        [
            b'{"a":1}',
            b"1",
            b"[2]",
            b"",
            b"  ",
            b"\n",
            b"\r\n",
            b"\r",
            b'"\xc2\x85\xe2\x80\xa8"',
            b'"\xff"',
            b'"\\ud800"',
            b"{",
        ]
    ),
    max_size=12,
).map(b"".join)
CELLS = st.lists(
    st.sampled_from(["a", "b", ",", '"', '""', "\n", "\r\n", "\r", "é", "\u2028", "\ufeff", "1"]), max_size=20
)
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32", "utf-7"])


def outcome(path: Path, body: bytes, form: Format, limits: Limits) -> bytes | str:
    path.write_bytes(body)
    try:
        to_json(path, form, limits)
    except UserError as error:
        assert path.read_bytes() == body
        return str(error)
    finally:
        assert not path.with_name("body.draft").exists()
    return path.read_bytes()


def in_memory(body: bytes, form: Format) -> bytes | str:
    try:
        return form.to_json(body)
    except UserError as error:
        return str(error)


@given(LINES, CHUNKS)
def test_lines_of_json_become_what_they_become_in_memory(path: Path, body: bytes, limits: Limits):
    assert outcome(path, body, Format("ndjson"), limits) == in_memory(body, Format("ndjson"))


@examples(300)
@given(CELLS, ENCODINGS, CHUNKS)
def test_csv_becomes_what_it_becomes_in_memory(path: Path, cells: list[str], encoding: str, limits: Limits):
    form = Format("csv", encoding=encoding)
    body = "".join(cells).encode(encoding, "ignore")

    assert outcome(path, body, form, limits) == in_memory(body, form)


@examples(300)
@given(st.binary(max_size=12), ENCODINGS)
def test_bytes_that_are_not_of_the_encoding_are_refused_in_the_same_words(path: Path, body: bytes, encoding: str):
    form = Format("csv", encoding=encoding)
    found, expected = outcome(path, body, form, Limits()), in_memory(body, form)

    assert type(found) is type(expected)
    if isinstance(found, bytes) or "it is not" in str(expected):
        assert found == expected


def test_utf_16_needs_no_byte_order_mark(path: Path):
    body = "a\r\né\r\n".encode("utf-16-le")

    assert outcome(path, body, Format("csv", encoding="utf-16"), Limits()) == '[{"a":"é"}]'.encode()


def test_the_place_of_a_wrong_byte_is_that_in_the_file(path: Path):
    body = b"a\n" + b"x\n" * 20_000 + b"\xff\n"

    message = outcome(path, body, Format("csv"), Limits())

    assert "it is not utf-8 (invalid start byte at byte 40002)" in str(message)


@pytest.mark.parametrize(
    ("form", "body", "message"),
    [
        (Format("ndjson"), b"[%s]\n" % (b" " * 100), "a line of more than 50 bytes"),
        (Format("csv"), b"a\n%s\n" % (b"x" * 100), "a row of more than 50 characters"),
        (Format("csv"), b'a\n"%s"\n' % (b"x\n" * 100), "a row of more than 50 characters"),
    ],
)
def test_a_record_without_end_is_refused(path: Path, form: Format, body: bytes, message: str):
    path.write_bytes(body)

    with pytest.raises(UserError, match=message):
        as_json(path, form, "rows", Limits(item=50, chunk=10))


def test_a_file_that_cannot_be_rewritten_is_a_sentence(tmp_path: Path):
    (tmp_path / "body").write_bytes(b"1\n")
    (tmp_path / "body.draft").mkdir()

    with pytest.raises(UserError, match=r"cannot be rewritten as JSON in .* Free some space there"):
        to_json(tmp_path / "body", Format("ndjson"), Limits())


def test_empty_lines_are_no_row_without_end(path: Path):
    assert outcome(path, b"a\n" + b"\n" * 100 + b"1\n", Format("csv"), Limits(item=50)) == b'[{"a":"1"}]'


@pytest.mark.parametrize(
    ("form", "body"), [(Format("ndjson"), b'{"a":"1"}\n{"a":"2"}\n'), (Format("csv"), b"a\n1\n2\n")]
)
def test_the_records_of_another_format_are_found(path: Path, form: Format, body: bytes):
    path.write_bytes(body)

    as_json(path, form, "rows")
    found = find_large(path, DataField(""), "rows", Limits(array=0, part=1))

    assert isinstance(found.records, Slices)
    assert list(found.records) == [{"a": "1"}, {"a": "2"}]


@examples(300)
@given(
    st.lists(st.sampled_from([" ", "\n", "\t", "\r", "\ufeff", "\u00a0", "a"]), max_size=6),
    ENCODINGS,
    st.integers(1, 3),
)
def test_csv_is_blank_in_a_file_if_it_is_in_memory(path: Path, signs: list[str], encoding: str, chunk: int):
    form, text = Format("csv", encoding=encoding), "".join(signs)
    path.write_bytes(text.encode(encoding, "ignore"))

    assert is_blank(path, form, chunk) == form.is_blank(path.read_bytes())


@given(st.binary(max_size=6) | st.text(" \n\r\t\v\f").map(str.encode), st.integers(1, 3))
def test_json_is_blank_in_a_file_if_it_is_in_memory(path: Path, body: bytes, chunk: int):
    path.write_bytes(body)

    assert is_blank(path, Format(), chunk) == Format().is_blank(body)
