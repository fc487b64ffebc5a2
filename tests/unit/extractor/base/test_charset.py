from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.charset import UnknownCharset, to_utf8
from penstock.extractor.responses.large.transcode import as_utf8
from tests.support.examples import examples

CHARSETS = {
    "iso-8859-1": "čeština bez háčků: naïve café",
    "iso-8859-2": "příliš žluťoučký kůň",
    "windows-1250": "příliš žluťoučký kůň €",
    "windows-1251": "съешь ещё этих мягких булок",
    "windows-1252": "café “quoted” €",
    "koi8-r": "съешь ещё",
    "shift_jis": "日本語の表",
    "euc-jp": "日本語",
    "iso-2022-jp": "日本語",
    "gb18030": "汉字 😀",
    "big5": "漢字",
    "utf-7": "žluťoučký 😀",
    "utf-16": "žluťoučký 😀",
    "utf-16-le": "žluťoučký 😀",
    "utf-16-be": "žluťoučký 😀",
    "utf-32": "žluťoučký 😀",
    "utf-8": "žluťoučký 😀",
}
MARKED = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
}
DECLARED = st.sampled_from([*CHARSETS, "us-ascii", "klingon", ""])


def typed(charset: str) -> str:
    return f"application/json; charset={charset}" if charset else "application/json"


def spelled(charset: str) -> tuple[str, bytes]:
    """A document, and the same in a charset; as far as that has its letters."""
    text = json.dumps([CHARSETS[charset].encode(charset, "ignore").decode(charset)], ensure_ascii=False)
    return text, text.encode(charset)


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_body_is_decoded_as_declared(charset: str):
    text, body = spelled(charset)

    for content_type in (typed(charset), typed(f'"{charset.upper()}"'), f"text/json;x=1; Charset = {charset} ;y=2"):
        assert to_utf8(body, content_type).body == text.encode()


@pytest.mark.parametrize(("mark", "charset"), MARKED.items(), ids=MARKED.values())
@pytest.mark.parametrize("declared", ["", "utf-8", "iso-8859-1", "utf-16", "utf-32", "klingon"])
def test_a_byte_order_mark_is_skipped_and_counts_more_than_what_is_declared(mark: bytes, charset: str, declared: str):
    text, body = spelled("utf-16")[0], spelled("utf-16")[0].encode(charset)

    assert to_utf8(mark + body, typed(declared)).body == text.encode()


@pytest.mark.parametrize("charset", ["utf-16", "utf-32"])
@pytest.mark.parametrize("order", ["le", "be"])
def test_without_a_mark_the_first_character_tells_the_order_of_bytes(charset: str, order: str):
    assert to_utf8('{"a":"ž"}'.encode(f"{charset}-{order}"), typed(charset)).body == '{"a":"ž"}'.encode()


@pytest.mark.parametrize(
    "content_type",
    ["", "application/json", typed("utf-8"), typed("UTF8"), typed('"utf-8"'), typed("us-ascii"), typed("utf-8, a/b")],
)
def test_utf_8_is_not_looked_through_nor_copied(content_type: str):
    body = '["ž\xff"]'.encode() + b"\xff"

    assert to_utf8(body, content_type).body is body


def test_bytes_that_are_no_text_in_their_charset_are_left_out_and_counted():
    found = to_utf8(b'["a\x81b\x83"]', typed("windows-1250"))

    assert (found.body, found.dropped) == (b'["ab"]', 2)


@pytest.mark.parametrize(
    "charset", ["klingon", "hex", "zlib", "rot13", "idna", "unicode_escape", "undefined", "\ud800"]
)
def test_an_unknown_charset_is_read_as_utf_8_and_told_where_it_is_not(charset: str):
    assert to_utf8('["ž"]'.encode(), typed(charset)).body == '["ž"]'.encode()

    with pytest.raises(UnknownCharset, match=r"^The API declares the charset '.*not UTF-8 either .* at byte 3\)\. Ask"):
        to_utf8(b'["a\xff"]', typed(charset))


Outcome = tuple[bytes, int, str]
"""The text, how many bytes were left out, and the error if there was one."""


def in_memory(body: bytes, declared: str) -> Outcome:
    try:
        found = to_utf8(body, typed(declared))
    except UnknownCharset as error:
        return body, 0, str(error)
    return found.body, found.dropped, ""


def from_file(path: Path, body: bytes, declared: str, chunk: int) -> Outcome:
    path.write_bytes(body)
    try:
        dropped = as_utf8(path, typed(declared), chunk)
    except UnknownCharset as error:
        return path.read_bytes(), 0, str(error)
    return path.read_bytes(), dropped, ""


@examples(300)
@given(
    st.sampled_from(sorted(CHARSETS)).flatmap(lambda name: st.tuples(st.just(name), st.text(max_size=20))),
    st.sampled_from([b"", *MARKED]),
    st.binary(max_size=6),
    DECLARED,
    st.integers(1, 9),
)
def test_a_file_is_decoded_as_a_body_in_memory_is(
    path: Path, spelling: tuple[str, str], mark: bytes, damage: bytes, declared: str, chunk: int
):
    charset, text = spelling
    body = mark + text.encode(charset, "ignore") + damage
    blanked = b"   " if mark == codecs.BOM_UTF8 else b""

    found = from_file(path, body, declared, chunk)

    assert (found[0].removeprefix(blanked), *found[1:]) == in_memory(body, declared)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bodies") / "body"
