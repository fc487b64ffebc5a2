from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from tests.unit.extractor.requests.pagination.model import method_of, saved

JOB = Request("users")
START = 1_700_000_000.0


def read(responses: list[Page], **limits: Any) -> tuple[int, str]:
    """How many of the pages are read before the stop, and why; all of them when there is none."""
    method = method_of(method="pagenum", forceStop=limits)
    step: Step | Stop = method.first(JOB)
    for number, page in enumerate(responses, 1):
        step = saved(step)
        step = method.after(JOB, step.position, page)
        if isinstance(step, Stop):
            return number, step.reason
    return len(responses), ""


def seconds_apart(*seconds: float) -> list[Page]:
    """Answers so many seconds after the first request."""
    return [Page([1], asked=START + 100 * (number > 0), received=START + at) for number, at in enumerate(seconds)]


@pytest.mark.parametrize("pages", [2, "2", 2.0, Float("2.0")])
def test_so_many_pages_are_read(pages: Any):
    assert read([Page([1])] * 5, pages=pages) == (2, "Force stopping: page limit reached (2 pages).")


@pytest.mark.parametrize("pages", [1, -1])
def test_at_least_one_page_is_read(pages: int):
    assert read([Page([1])] * 5, pages=pages)[0] == 1


@pytest.mark.parametrize("empty", [None, 0, "0", "", [], False])
def test_empty_limits_are_none(empty: Any):
    assert read(seconds_apart(0, 10, 9999), pages=empty, time=empty, volume=empty) == (3, "")


@pytest.mark.parametrize(("seconds", "pages"), [(10, 3), (9, 2), (11, 4), (1, 2)])
def test_time_is_counted_in_whole_seconds_from_the_first_request(seconds: int, pages: int):
    reason = f"Force stopping: time limit reached ({seconds} seconds)."

    assert read(seconds_apart(0.2, 9.9, 10.1, 11.5, 20), time=seconds) == (pages, reason)


@pytest.mark.parametrize(("text", "seconds"), [("10 minutes", 600), ("1 hour", 3600), ("-5 minutes", -300)])
def test_time_may_be_a_text(text: str, seconds: int):
    pages, reason = read(seconds_apart(0, 599, 600, 3599, 3600), time=text)

    assert pages == {600: 3, 3600: 5, -300: 1}[seconds]
    assert reason == f"Force stopping: time limit reached ({seconds} seconds)."


@pytest.mark.parametrize("text", ["2", "soon enough"])
def test_a_text_that_is_no_duration_is_no_time_and_the_reason_says_so(text: str):
    pages, reason = read(seconds_apart(0, 1), time=text)

    assert pages == 1
    assert reason.startswith("Force stopping: time limit reached (0 seconds). `forceStop.time` is not a valid duration")


@pytest.mark.parametrize(("volume", "pages"), [(8, 1), (9, 2), (17, 2), (18, 3), ("18", 3), (18.9, 3), (" 18", 3)])
def test_volume_is_exceeded_only_by_more(volume: Any, pages: int):
    document = {"a": 123}  # nine bytes
    limit = int(float(volume))

    assert read([Page([1], b"  spaces do not count", document)] * 9, volume=volume) == (
        pages,
        f"Force stopping: volume limit reached ({limit} bytes).",
    )


@given(sizes=st.lists(st.integers(0, 20), min_size=1, max_size=8), volume=st.integers(1, 200))
def test_the_page_that_exceeds_the_volume_is_the_last(sizes: list[int], volume: int):
    documents = [["x" * size] for size in sizes]
    totals = [sum(len(json_text(one)) for one in documents[: at + 1]) for at in range(len(documents))]
    pages = next((at for at, total in enumerate(totals, 1) if total > volume), len(sizes))

    assert read([Page([1], document=document) for document in documents], volume=volume)[0] == pages


def test_pages_come_before_time_and_time_before_volume():
    page = Page([1], document=["much"], asked=START, received=START + 99)

    assert "page limit" in read([page], pages=1, time=1, volume=1)[1]
    assert "time limit" in read([page], pages=2, time=1, volume=1)[1]
    assert "volume limit" in read([page], pages=2, time=100, volume=1)[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("pages", value) for value in ("two", 1.5, [1], True)),
        *(("time", value) for value in (1.5, [1], True, {"a": 1})),
        *(("volume", value) for value in ("10MB", [1], True)),
    ],
)
def test_nonsense_is_refused_with_its_path(name: str, value: Any):
    with pytest.raises(UserError, match=rf"- at `parameters\.api\.pagination\.forceStop\.{name}`"):
        method_of(forceStop={name: value})


@pytest.mark.parametrize("value", ["x", 5, True])
def test_a_stop_that_is_no_map_is_refused(value: Any):
    with pytest.raises(UserError, match=r"Expected an object, got .* - at `parameters\.api\.pagination\.forceStop`"):
        method_of(forceStop=value)
