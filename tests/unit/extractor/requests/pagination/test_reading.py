"""Reading `api.pagination`: whatever it holds, it is understood or refused with a sentence."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import KNOWN, OnePage, Step, Stop, read_pagination
from penstock.extractor.requests.pagination.offset import Offset
from penstock.extractor.requests.pagination.stops import ForceStop, LimitStop, NextPageFlag
from tests.unit.extractor.requests.pagination.model import method_of


@pytest.mark.parametrize("raw", [None, {}, [], "", 0, False, {"method": ""}, {"method": None}, {"limit": 5}, [1]])
def test_without_a_method_there_is_one_page(raw: Any):
    assert read_pagination(raw).method_for(None) == OnePage()


def test_stops_need_no_method():
    assert read_pagination({"forceStop": {"pages": 2}}).method_for(None) == ForceStop(pages=2)


def test_the_limit_is_asked_first_and_the_flag_last():
    method = method_of(
        method="offset",
        limit=2,
        limitStop={"count": 3},
        nextPageFlag={"field": "more", "stopOn": False},
        forceStop={"pages": 2},
    )
    flag = NextPageFlag(field="more", stop_on=False, if_not_set=False, inner=Offset(limit=2))

    assert method == LimitStop(limit=3, inner=ForceStop(pages=2, inner=flag))


@pytest.mark.parametrize(
    ("method", "shown"), [("pages", "pages"), (5, "5"), (True, "true"), (["offset"], '["offset"]')]
)
def test_an_unknown_method_is_refused_with_a_list_of_those_there_are(method: Any, shown: str):
    with pytest.raises(UserError) as raised:
        method_of(method=method)

    assert str(raised.value).startswith(f"Unknown pagination method '{shown}'. ")
    assert str(raised.value).endswith(f"to one of {', '.join(KNOWN)}.")


@pytest.mark.parametrize("raw", ["offset", 5, True])
def test_a_pagination_that_is_no_map_is_refused(raw: Any):
    with pytest.raises(UserError, match=r"Expected an object, got .* - at `parameters\.api\.pagination`"):
        read_pagination(raw)


@pytest.mark.parametrize("pages", [5, "5", "007", None, -1])
def test_a_number_of_pages_has_no_effect(pages: Any):
    assert method_of(pages=pages) == OnePage()


@pytest.mark.parametrize(
    ("pages", "given_"),
    [
        *((text, "string") for text in ("", "five", "-5")),
        *((number, "double") for number in (1.5, Float("1.5"))),
        *((other, "array") for other in ([], {"a": 1})),
        (True, "boolean"),
    ],
)
def test_any_other_pages_are_refused(pages: Any, given_: str):
    with pytest.raises(UserError) as raised:
        method_of(pages=pages)

    assert str(raised.value).startswith(f'Value "pages" in "api.pagination" has to be int, {given_} given.')


@pytest.mark.parametrize(
    ("flag", "is_on"), [(True, True), ("1", True), (1, True), ("true", True), ("0", False), ("", False)]
)
def test_true_and_false_may_be_written_loosely(flag: Any, is_on: bool):
    assert method_of(method="offset", limit=1, offsetFromJob=flag) == Offset(limit=1, offset_from_job=is_on)


scalars = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(allow_nan=False) | st.sampled_from(["id", "2", "x"])
)
anything = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.sampled_from(["id", "method"]), scalars)
SETTINGS = (
    *("limit", "limitParam", "offsetParam", "firstPageParams", "offsetFromJob", "pageParam", "firstPage", "urlKey"),
    *("delimiter", "urlHeader", "includeParams", "paramIsQuery", "responseParam", "queryParam", "scrollRequest"),
    *("responseHeader", "idKey", "param", "increment", "reverse", "scrollers", "default", "rel", "paramsWithin"),
    *("pages", "loopGuard"),
)
settings = st.dictionaries(st.sampled_from(SETTINGS), anything, max_size=6)
stop_settings = st.fixed_dictionaries(
    {},
    optional={
        "nextPageFlag": anything | st.fixed_dictionaries({"field": anything, "stopOn": st.booleans()}),
        "forceStop": anything | st.fixed_dictionaries({"pages": anything, "volume": anything}),
        "limitStop": anything | st.fixed_dictionaries({"field": anything}),
    },
)


@given(
    method=st.sampled_from(KNOWN) | scalars,
    chosen=settings,
    stops=stop_settings,
    scroller=scalars,
    document=anything,
    records=st.lists(anything, max_size=3),
    params=st.dictionaries(st.sampled_from(["limit", "offset", "id"]), anything),
)
def test_whatever_comes_is_a_step_or_a_stop_or_the_users_error(
    method: Any,
    chosen: dict[str, Any],
    stops: dict[str, Any],
    scroller: Any,
    document: Any,
    records: list[Any],
    params: dict[str, Any],
):
    job, page = Request("x", params), Page(records, document=document)
    with suppress(UserError):
        found = read_pagination({"method": method, **chosen, **stops}).method_for(scroller)
        assert isinstance(found.after(job, found.first(job).position, page), (Step, Stop))
