from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.zendesk import show_time, start_time
from tests.unit.extractor.requests.pagination.model import method_of

NOW = 1_700_000_000.5
ZENDESK = method_of(method="zendesk.response.url", delimiter="/")
TICKETS = Request("tickets")


def after(address: object) -> Step | Stop:
    return ZENDESK.after(TICKETS, None, Page([], document={"next_page": address}, received=NOW))


@pytest.mark.parametrize(
    "query", ["start_time=1699999640", "start_time=soon", "start_time=", "start_time[]=1700000000", "x=1", ""]
)
def test_an_address_of_long_ago_or_without_a_time_is_followed(query: str):
    assert after(f"https://h/x?{query}") == Step(Request(f"https://h/x?{query}"))


@pytest.mark.parametrize(
    "query", ["start_time=1699999641", "a=1&start_time=1699999641#x", "start_time=1&start_time=1699999641"]
)
def test_an_address_of_less_than_six_minutes_ago_is_not_followed(query: str):
    assert after(f"https://h/x?{query}") == Stop(
        'Next page start_time "2023-11-14 22:07:21" is too recent, skipping...'
    )


def test_a_time_in_the_fragment_does_not_count():
    assert isinstance(after("https://h/x#?start_time=1800000000"), Step)


@pytest.mark.parametrize("address", [None, "", False])
def test_without_an_address_the_scrolling_stops(address: object):
    assert after(address) == Stop("No more pages to scroll.")


def test_there_is_no_other_delimiter():
    assert method_of(method="zendesk.response.url", delimiter="/") == method_of(method="zendesk.response.url")


@given(st.integers(-62_135_596_800, 253_402_300_799))
def test_times_are_shown_in_utc(seconds: int):
    moment = datetime.fromtimestamp(0, UTC).timestamp() + seconds

    assert show_time(seconds) == f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}".rjust(19, "0")


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_any_time_can_be_shown(seconds: int):
    assert start_time(f"x?start_time={seconds}") == seconds
    assert show_time(seconds)


@given(st.text())
def test_any_address_can_be_looked_at(address: str):
    assert isinstance(after(f"?{address}"), (Step, Stop))
