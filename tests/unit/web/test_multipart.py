"""Bodies of several parts: what a form with a file sends."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.web.bodies import BadRequest, parse_body
from penstock.web.multipart import NotMultipart, parse_multipart

pytestmark = pytest.mark.fuzz

KIND = "multipart/form-data; boundary=XyZ"


def body(*parts: tuple[str, bytes], end: bytes = b"--XyZ--\r\n") -> bytes:
    written = [
        b'--XyZ\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name.encode(), value)
        for name, value in parts
    ]
    return b"".join(written) + end


def test_fields_and_files_are_fields():
    content = (
        b'--XyZ\r\nContent-Disposition: form-data; name="name"\r\n\r\nusers\r\n'
        b'--XyZ\r\ncontent-disposition: form-data; name="data"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'
        b'id,name\r\n1,"A\nB"\r\n\r\n--XyZ--\r\n'
    )

    assert parse_body(content, KIND) == {"name": "users", "data": 'id,name\r\n1,"A\nB"\r\n'}


def test_brackets_mean_what_they_mean_in_other_forms():
    assert parse_body(body(("columns[]", b"a"), ("columns[]", b"b")), KIND) == {"columns": ["a", "b"]}


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.text(max_size=20).map(str.encode)), max_size=5))
def test_whatever_is_written_is_read(parts: list[tuple[str, bytes]]):
    expected = [(name, value.decode()) for name, value in parts]

    assert parse_multipart(body(*parts), KIND) == expected


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (body(("a", b"1")), "multipart/form-data"),
        (body(("a", b"1")), "multipart/form-data; boundary="),
        (b"nothing of this kind", KIND),
        (body(("a", b"1"), end=b""), KIND),
        (body(("a", b"\xff\xfe")), KIND),
        (body(*[("a", b"")] * 2000), KIND),
        (b"", KIND),
    ],
)
def test_what_has_no_parts_is_refused(content: bytes, kind: str):
    with pytest.raises(NotMultipart):
        parse_multipart(content, kind)
    with pytest.raises(BadRequest):
        parse_body(content, kind)


@given(st.binary(max_size=200))
def test_garbage_is_refused_and_nothing_worse(content: bytes):
    with suppress(NotMultipart):
        parse_multipart(b"--XyZ\r\n" + content, KIND)
