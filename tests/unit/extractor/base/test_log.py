from __future__ import annotations

import asyncio
import io
import re
from pathlib import Path

import pytest

from penstock.extractor.base.log import Log, ProgressLog, heartbeat
from penstock.foundation.redaction import Redactor


def test_a_line_has_a_time_a_level_a_message_and_its_facts():
    out = io.StringIO()

    Log(out, Redactor()).warning("two\nlines", url="u")

    assert re.fullmatch(
        r'\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00\] logger\.WARNING: two lines \{"url":"u"\} \[\]\n',
        out.getvalue(),
    )


def test_secrets_are_hidden_in_messages_and_facts():
    out = io.StringIO()

    Log(out, Redactor(["s3cret/"])).info("with s3cret/", body="a s3cret%2F", again="s3cret/")

    assert "s3cret" not in out.getvalue()


def test_debug_lines_need_debug_mode():
    out = io.StringIO()

    Log(out, Redactor()).debug("quiet")
    Log(out, Redactor(), is_debug=True).debug("loud")

    assert "quiet" not in out.getvalue()
    assert "logger.DEBUG: loud [] []" in out.getvalue()


def test_on_a_terminal_progress_is_one_line_and_messages_are_short():
    out = io.StringIO()
    log = ProgressLog(out, Redactor())

    log.progress(2, 2000)
    log.warning("careful")

    assert re.search(r"\r\x1b\[K2 pages, 2,000 records, [\d,]+ records/s", out.getvalue())
    assert out.getvalue().endswith("\r\x1b[Kwarning: careful\n")


def test_a_secret_that_becomes_known_later_is_hidden_from_then_on():
    out = io.StringIO()
    log = Log(out, Redactor(["first"]))

    log.info("first t0k3n-1")
    log.hide(["t0k3n-1"])
    log.hide([])
    log.info("first t0k3n-1")

    before, after = out.getvalue().splitlines()
    assert ("first" in before, "t0k3n-1" in before) == (False, True)
    assert ("first" in after, "t0k3n-1" in after) == (False, False)


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb"])
def test_a_record_is_always_one_line(text: str):
    out = io.StringIO()

    Log(out, Redactor()).error(text, body=text)

    assert len(out.getvalue().splitlines()) == 1
    assert "logger.ERROR: a b {" in out.getvalue()


def test_a_secret_across_lines_is_hidden_too():
    out = io.StringIO()

    Log(out, Redactor(["s3cret\nkey"])).info("the s3cret\nkey is out")

    assert "logger.INFO: the [hidden] is out [] []" in out.getvalue()


def test_facts_may_be_of_any_type():
    out = io.StringIO()

    Log(out, Redactor()).info("x", at=Path("a"), n=None, number=1.5)

    assert '{"at":"a","n":null,"number":1.5} []' in out.getvalue()


def test_in_a_file_progress_is_a_line_once_in_an_interval():
    out, times = io.StringIO(), iter([100.0, 101.0, 129.9, 130.0, 131.0, 159.9, 1230.0])
    log = Log(out, Redactor(), interval=30.0, now=lambda: next(times))

    for pages in range(6):
        log.progress(pages, pages * 1000)

    lines = [line.partition("logger.")[2] for line in out.getvalue().splitlines()]
    assert lines == [
        "INFO: In progress: 2 pages, 2,000 records so far, after 30 seconds. [] []",
        "INFO: In progress: 5 pages, 5,000 records so far, after 1,130 seconds. [] []",
    ]


def test_while_tables_are_written_a_line_tells_so_once_in_an_interval():
    out, times = io.StringIO(), iter([100.0, 129.9, 131.0, 132.0])
    log = Log(out, Redactor(), interval=30.0, now=lambda: next(times))

    for thousands in range(3):
        log.writing(thousands * 1000)

    assert [line.partition("logger.")[2] for line in out.getvalue().splitlines()] == [
        "INFO: Writing the tables: 1,000 records so far, after 31 seconds. [] []"
    ]


def test_some_lines_are_only_for_long_runs():
    out, seconds = io.StringIO(), 0.0
    log = Log(out, Redactor(), interval=30.0, now=lambda: seconds)

    log.info_if_long("too early")
    seconds = 31.0
    log.info_if_long("at last")

    assert "too early" not in out.getvalue()
    assert "logger.INFO: at last [] []" in out.getvalue()


def test_on_a_terminal_the_facts_of_a_message_are_shown_too():
    out = io.StringIO()

    ProgressLog(out, Redactor(["s3cret"])).warning("careful", page=2, url="https://h/s3cret", body="")

    assert out.getvalue() == "\r\x1b[Kwarning: careful (page: 2; url: https://h/[hidden])\n"


def test_on_a_terminal_an_error_only_clears_the_line_because_standard_error_shows_it():
    out = io.StringIO()

    ProgressLog(out, Redactor()).error("it failed")

    assert out.getvalue() == "\r\x1b[K"


def test_what_would_move_the_cursor_or_is_no_text_is_replaced():
    out = io.StringIO()
    Log(out, Redactor()).error("a\x1b[2J\x07b\x9bc\udcff\u2028d\te")
    assert "a\ufffd[2J\ufffdb\ufffdc\ufffd\ufffdd\te" in out.getvalue()


def test_it_beats_while_the_block_waits_and_not_after():
    beats: list[int] = []
    waited = asyncio.Event()

    def beat() -> None:
        beats.append(len(beats))
        if len(beats) == 3:
            waited.set()

    async def run() -> int:
        """How many tasks are left."""
        async with heartbeat(beat, 0.001):
            await asyncio.wait_for(waited.wait(), 10)
        return len(asyncio.all_tasks())

    assert asyncio.run(run()) == 1


def test_a_log_that_nobody_reads_does_not_fail_the_block():
    has_failed = asyncio.Event()

    def beat() -> None:
        has_failed.set()
        raise BrokenPipeError

    async def run() -> str:
        async with heartbeat(beat, 0.001):
            await asyncio.wait_for(has_failed.wait(), 10)
        return "done"

    assert asyncio.run(run()) == "done"
