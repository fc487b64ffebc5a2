"""Runs against APIs that do not send UTF-8, or put a byte-order mark before it; small and large, packed or not."""

from __future__ import annotations

import asyncio
import codecs
import gzip
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.requests.journal import Entry
from penstock.extractor.requests.journal.entry import read_entry
from tests.support.api import Api, Response, Seen
from tests.support.extraction import parameters, run_extraction, try_extraction
from tests.unit.extractor.loop_api import LoopApi

SMALL, LARGE = 1, 2_600
"""Records on a page; a large page has more than four megabytes in UTF-8."""
TEXT = "příliš žluťoučký kůň"
JOB = {"endpoint": "users", "dataField": "data"}


def page(count: int, text: str = TEXT) -> str:
    rows = [{"id": number, "name": text, "more": f"{number}-{text}" * 60} for number in range(count)]
    return json.dumps({"data": rows}, ensure_ascii=False)


def declared(body: bytes, charset: str, *, is_zipped: bool = False) -> Response:
    headers = {"Content-Type": f"application/json; charset={charset}" if charset else "application/json"}
    packed = gzip.compress(body, 1) if is_zipped else body
    return Response(200, packed, {**headers, "Content-Encoding": "gzip"} if is_zipped else headers)


def names(tmp_path: Path, response: Response, job: dict[str, Any] | None = None) -> list[str]:
    with Api() as api:
        api.on("/users", response)
        return run_extraction(parameters(api.url, job or JOB), tmp_path).column("test.users", "name")


@pytest.mark.parametrize("count", [SMALL, LARGE])
@pytest.mark.parametrize("charset", ["windows-1250", "iso-8859-2", "utf-16", "utf-32-be"])
@pytest.mark.parametrize("is_zipped", [False, True])
def test_json_is_read_in_the_charset_that_the_response_declares(
    tmp_path: Path, count: int, charset: str, is_zipped: bool
):
    response = declared(page(count).encode(charset), charset, is_zipped=is_zipped)

    assert names(tmp_path, response) == [TEXT] * count


@pytest.mark.parametrize("count", [SMALL, LARGE])
@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "utf-32-be"])
@pytest.mark.parametrize("stated", ["", "utf-8", "iso-8859-1"])
def test_a_byte_order_mark_before_json_is_skipped(tmp_path: Path, count: int, charset: str, stated: str):
    body = f"\ufeff{page(count)}".encode(charset)

    assert names(tmp_path, declared(body, stated)) == [TEXT] * count


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_lines_of_json_have_charsets_and_marks_too(tmp_path: Path, count: int):
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in json.loads(page(count))["data"])
    job = {"endpoint": "users", "responseFormat": "ndjson"}

    assert names(tmp_path / "charset", declared(lines.encode("windows-1250"), "windows-1250"), job) == [TEXT] * count
    assert names(tmp_path / "mark", declared(codecs.BOM_UTF8 + lines.encode(), ""), job) == [TEXT] * count


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_pages_that_are_read_again_are_in_the_same_charset(tmp_path: Path, count: int):
    """Every page, though only the first was learnt from and the last one brings a new key."""
    bodies = [page(count), page(count, "kůň"), json.dumps({"data": [{"name": "Šárka", "late": 1}]}, ensure_ascii=False)]
    responses = [declared(body.encode("windows-1250"), "windows-1250") for body in bodies]
    with Api() as api:
        api.on("/users", [*responses, Response.json({"data": []})])
        result = run_extraction(parameters(api.url, JOB, pagination={"method": "pagenum"}), tmp_path)

    assert result.column("test.users", "name") == [TEXT] * count + ["kůň"] * count + ["Šárka"]


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_bytes_that_the_charset_does_not_know_are_left_out_with_a_warning(tmp_path: Path, count: int):
    body = page(count).encode("windows-1250").replace("kůň".encode("windows-1250"), b"k\x81\x83", 1)
    with Api() as api:
        api.on("/users", declared(body, "windows-1250"))
        result = run_extraction(parameters(api.url, JOB), tmp_path)

    assert result.column("test.users", "name")[0] == TEXT.replace("ůň", "")
    assert result.warnings == ["Left out 2 bytes or escapes that are not Unicode text, on page 1 of 'users'."]


def damaged(count: int) -> Response:
    """A page with a byte that its charset does not know."""
    return declared(page(count).encode("windows-1250").replace(b"k", b"k\x81", 1), "windows-1250")


def said(told: io.StringIO) -> list[str]:
    return [line.partition(".WARNING: ")[2] for line in told.getvalue().splitlines() if ".WARNING: " in line]


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_a_run_that_goes_on_warns_again_of_bytes_that_were_left_out(tmp_path: Path, count: int):
    asked: list[str] = []

    async def response(seen: Seen) -> Response:
        asked.append(seen.query)
        if len(asked) == 2:
            api.stop()
        return damaged(count) if seen.params["page"] == "1" else Response.json({"data": []})

    first, second = io.StringIO(), io.StringIO()
    with closing(LoopApi()) as api:
        document = {"parameters": parameters(api.url, JOB, pagination={"method": "pagenum"})}
        with pytest.raises(asyncio.CancelledError):
            api.extract(document, tmp_path / "out", response, first)
        api.extract(document, tmp_path / "out", response, second)

    assert asked == ["page=1", "page=2", "page=2"]
    for told in (first, second):
        (warning,) = (each for each in said(told) if "Left out" in each)
        assert warning.startswith("Left out 1 bytes or escapes that are not Unicode text, on page 1 of 'users'.")


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_a_page_beyond_the_last_one_warns_of_nothing(tmp_path: Path, count: int):
    beyond = asyncio.Event()

    async def response(seen: Seen) -> Response:
        number = int(seen.params["page"])
        if number == 3:  # the last one is awaited until the one after it has arrived
            await beyond.wait()
            await wait_for_page(tmp_path / "out" / ".extracting", 3)
        if number > 3:
            beyond.set()
        return Response.json({"data": [{"name": number}] if number < 3 else []}) if number <= 3 else damaged(count)

    told = io.StringIO()
    with closing(LoopApi()) as api:
        made = parameters(api.url, JOB, pagination={"method": "pagenum"})
        made["api"]["parallelism"] = 3
        api.extract({"parameters": made}, tmp_path / "out", response, told)

    assert beyond.is_set()
    assert not [each for each in said(told) if "Left out" in each]


async def wait_for_page(folder: Path, number: int) -> None:
    """Until the journal has a page of this number, from 0."""
    for _ in range(1_000):
        if number in (entry.number for entry in entries_in(folder / "pages")):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"page {number} did not arrive")


def entries_in(path: Path) -> Iterator[Entry]:
    with path.open("rb") as file:
        end = 0
        while (kept := read_entry(file, end)) is not None:
            yield kept.entry
            end = kept.end


@pytest.mark.parametrize("count", [SMALL, LARGE])
def test_an_unknown_charset_is_a_clear_error_unless_the_response_is_utf_8(tmp_path: Path, count: int):
    assert names(tmp_path / "utf-8", declared(page(count).encode(), "klingon")) == [TEXT] * count

    with Api() as api:
        api.on("/users", declared(page(count).encode("windows-1250"), "klingon"))
        error = try_extraction(parameters(api.url, JOB), tmp_path / "other").error or ""
    assert error.startswith("The API declares the charset 'klingon' in the Content-Type of its response, which is not")
    assert error.endswith("It is page 1 of 'users'.")


def test_an_ignored_error_is_told_in_its_charset(tmp_path: Path):
    with Api() as api:
        headers = {"Content-Type": "text/plain; charset=windows-1250"}
        api.on("/users", Response(404, "nenalezen žádný kůň".encode("windows-1250"), headers))
        document = parameters(api.url, {"endpoint": "users", "dataField": "."})
        document["api"]["http"] = {"ignoreErrors": [404]}
        result = run_extraction(document, tmp_path)

    assert result.column("test.users", "errorData") == ["nenalezen žádný kůň"]


def test_a_login_may_answer_with_a_mark_or_in_another_charset(tmp_path: Path):
    with Api() as api:
        api.on("/login", declared('\ufeff{"token":"kůň"}'.encode("utf-16-le"), ""))
        api.on("/users", lambda seen: Response.json({"data": [{"name": seen.params["token"]}]}))
        document = parameters(api.url, JOB)
        document["api"]["authentication"] = {
            "type": "login",
            "loginRequest": {"endpoint": "login"},
            "apiRequest": {"query": {"token": "token"}},
        }
        result = run_extraction(document, tmp_path)

    assert result.column("test.users", "name") == ["kůň"]
