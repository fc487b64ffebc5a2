from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.records.page import Page
from penstock.extractor.records.trace import Trace
from penstock.extractor.requests.pagination.stops.loop_guard import compute_digest
from penstock.extractor.responses.large import Limits
from tests.unit.extractor.responses.large.two_ways import TwoWays

TIGHT = Limits(chunk=16, array=0, part=8)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[TwoWays]:
    reader = TwoWays(tmp_path, "data")
    yield reader
    reader.close()


def page_in_file(reader: TwoWays, body: bytes, name: str) -> Page:
    pages = reader.read(body, TIGHT, name)
    assert pages is not None
    return pages.from_file


def without_rereading(page: Page) -> Trace:
    def fail() -> Any:
        raise AssertionError("the page was read again")

    return Trace(page.body, len(page.records), page.start, fail)


def test_a_page_of_the_same_bytes_is_recognized_without_reading_it_again(reader: TwoWays):
    body = b'{"data":[{"id":1},{"id":2}]}'
    first, second = (without_rereading(page_in_file(reader, body, name)) for name in ("first", "second"))

    assert second.repeats(first)


def test_pages_of_equal_size_and_checksum_are_told_apart(reader: TwoWays):
    one, other = (json.dumps({"data": [{"id": 1}, {"name": name}]}).encode() for name in ("zutdocbjiv", "xvmxlgbdlh"))
    assert (len(one), zlib.crc32(one)) == (len(other), zlib.crc32(other))
    first, second = page_in_file(reader, one, "one"), page_in_file(reader, other, "other")

    assert compute_digest(first) != compute_digest(second)
    assert not second.trace.repeats(first.trace)
