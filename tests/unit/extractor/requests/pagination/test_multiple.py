from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.pagination import OnePage
from penstock.extractor.requests.pagination.cursor import Cursor
from penstock.extractor.requests.pagination.offset import Offset
from penstock.extractor.requests.pagination.stops import ForceStop, LimitStop
from tests.unit.extractor.requests.pagination.model import method_of

SCROLLERS: dict[str, Any] = {
    "rows": {"method": "offset", "limit": 2},
    "events": {"method": "cursor", "idKey": "id", "param": "since"},
    "whole": [],
}


def choose(scroller: Any, **settings: Any) -> Any:
    return method_of(scroller, **{"method": "multiple", "scrollers": SCROLLERS, **settings})


def test_a_job_uses_the_scroller_it_names():
    assert choose("rows") == Offset(limit=2)
    assert choose("events") == Cursor(id_key="id", param="since")
    assert choose("whole") == OnePage()


@pytest.mark.parametrize("empty", [None, "", [], "0", 0, False])
def test_a_job_that_names_none_uses_the_default_or_reads_one_page(empty: Any):
    assert choose(empty) == OnePage()
    assert choose(empty, default="rows") == Offset(limit=2)


def test_scrollers_in_a_list_are_named_by_their_numbers():
    assert choose(1, scrollers=[{}, {"method": "offset", "limit": 2}]) == Offset(limit=2)


def test_stops_of_a_scroller_are_inside_those_of_all():
    scrollers = {"rows": {**SCROLLERS["rows"], "limitStop": {"count": 3}}}

    method = choose("rows", scrollers=scrollers, forceStop={"pages": 2})
    assert method == ForceStop(pages=2, inner=LimitStop(limit=3, inner=Offset(limit=2)))
    assert choose(None, scrollers=scrollers, forceStop={"pages": 2}) == ForceStop(pages=2)


def test_a_scroller_may_again_be_several():
    inner = {"method": "multiple", "scrollers": {"a": SCROLLERS["rows"]}}

    assert choose("a", scrollers={"a": inner}) == Offset(limit=2)


def test_the_scroller_of_a_job_is_ignored_where_there_is_one_method():
    assert method_of("nobody", method="offset", limit=2) == Offset(limit=2)


@pytest.mark.parametrize("name", ["none", 7, ["rows"], {"rows": 1}])
def test_an_unknown_scroller_is_refused_with_a_list_of_those_there_are(name: Any):
    with pytest.raises(
        UserError, match=r"^Scroller '.*' not set in API definitions\. Scrollers defined: rows, events, whole$"
    ):
        choose(name)


@pytest.mark.parametrize("scrollers", [None, {}, [], "", "x", 5])
def test_there_must_be_a_scroller(scrollers: Any):
    with pytest.raises(UserError, match=r'^At least one scroller must be configured for "multiple" scroller.'):
        choose("rows", scrollers=scrollers)


@pytest.mark.parametrize("value", [None, "x", 5, False])
def test_a_scroller_is_a_map(value: Any):
    with pytest.raises(UserError, match=r"^Scroller configuration for rowsmust be array\."):
        choose("rows", scrollers={"rows": value})


def test_the_default_must_be_there():
    with pytest.raises(UserError, match=r"^Default scroller 'none' does not exist"):
        choose("rows", default="none")


def test_a_mistake_in_a_scroller_is_found_before_a_job_uses_it():
    with pytest.raises(UserError, match=r"`parameters\.api\.pagination\.scrollers\.b\.limit`"):
        choose("rows", scrollers={**SCROLLERS, "b": {"method": "offset", "limit": -5}})
