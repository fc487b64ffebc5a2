from __future__ import annotations

import time
from pathlib import Path

import pytest

from penstock.extractor.base.decode import NotJson
from penstock.extractor.base.errors import UserError
from penstock.extractor.records.find import DataField
from penstock.extractor.responses.large import Limits, Slices, find_large

ROWS = DataField("")


def find(path: Path, body: bytes, **limits: int) -> None:
    path.write_bytes(body)
    records = find_large(path, ROWS, "rows", limits=Limits(**limits)).records
    assert isinstance(records, Slices)


@pytest.mark.parametrize(
    ("body", "limits", "message"),
    [
        (b'["%s"]' % (b"x" * 61), {"text": 60}, "it holds a text of more than 60 bytes."),
        (b'{"%s":[1]}' % (b"x" * 61), {"text": 60}, "it holds a text of more than 60 bytes."),
        (b'[1,{"a":"xxxxx","b":"%s"}]' % (b"x" * 50), {"item": 60}, "one item of an array is larger than 60 bytes."),
        (b'[1,{"a":%s' % (b'"x",' * 50), {"text": 60, "item": 60}, "one item of an array is larger than 60 bytes."),
        (b'{"a":[1],"b":"%s"}' % (b"x" * 40), {"skeleton": 60}, "without its long arrays it is still larger than 60"),
        (b'{"a":[1],"b":{%s}}' % b",".join(b'"%d":[]' % n for n in range(20)), {"skeleton": 90}, "it is still larger"),
    ],
)
def test_what_is_too_much_is_said(path: Path, body: bytes, limits: dict[str, int], message: str):
    with pytest.raises(UserError) as caught:
        find(path, body, **({"chunk": 4, "array": 0, "part": 8} | limits))

    assert str(caught.value).startswith("The response of 'rows' cannot be read: ")
    assert message in str(caught.value)
    assert str(caught.value).endswith("Ask for smaller pages.")


@pytest.mark.parametrize(
    ("body", "limits"),
    [
        (b'["%s"]' % (b"x" * 60), {"text": 61}),
        (b'[1,"%s",{"a":"%s"}]' % (b"x" * 50, b"x" * 40), {"item": 60}),
        (b"[%s]" % (b"1," * 500 + b"1"), {"skeleton": 60, "item": 10}),
    ],
)
def test_what_is_just_within_the_limits_is_read(path: Path, body: bytes, limits: dict[str, int]):
    find(path, body, **({"chunk": 4, "array": 0, "part": 8} | limits))


@pytest.mark.parametrize("body", [b"<html>" + b"x" * 200, b'<p class="' + b"x" * 200, b"<script>[" + b"x" * 200])
def test_a_large_page_that_is_no_json_is_told_so_and_not_its_size(path: Path, body: bytes):
    with pytest.raises(NotJson) as caught:
        find(path, body, chunk=10, skeleton=50, text=50, item=50)

    assert caught.value.at == 0


@pytest.mark.parametrize("start", [b"", b'{"a":', b"[1,", b'[{"a":'])
def test_a_thousand_levels_are_too_many(path: Path, start: bytes):
    with pytest.raises(NotJson, match="nested too deeply") as caught:
        find(path, start + b"[" * 2_000_000)

    assert caught.value.family == "Maximum stack depth exceeded"


def test_levels_are_counted_and_not_brackets(path: Path):
    find(path, b"[%s]" % b",".join([b"[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]"] * 1000), array=0, depth=40)


def test_a_text_may_be_cut_anywhere(path: Path):
    texts = [b'"\\"]"', b'"\\\\"', b'"\\\\\\""', '"é\\n"'.encode(), b'"\\u005b"', b'"["', b'"\\\xff""']
    body = b"[%s]" % b",".join(texts)
    expected = ['"]', "\\", '\\"', "é\n", "[", "[", '"']
    for chunk in range(1, len(body) + 1):
        path.write_bytes(body)
        records = find_large(path, ROWS, "rows", limits=Limits(chunk=chunk, array=0, part=1)).records

        assert isinstance(records, Slices)
        assert list(records) == expected


@pytest.mark.parametrize(
    "unit", [b"{}", b"[[[[[[[[[[[[", b'{"a":', b'"', b"[{},", b'[[[[[[[[[[1]]]]]]]]]],"a",', b"\\"]
)
def test_hostile_text_is_looked_through_in_time_that_grows_with_its_size(path: Path, unit: bytes):
    path.write_bytes(b"[" + unit * (2_000_000 // len(unit)))

    start = time.process_time()
    with pytest.raises((NotJson, UserError)):
        list(find_large(path, ROWS, "rows").records)

    assert time.process_time() - start < 200  # one or two; quadratic would be hours
