from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError, WrongParam
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.offset import Offset
from tests.unit.extractor.requests.pagination.model import by_offset, method_of, walk

USERS = Request("users")


def page_of(count: int) -> Page:
    return Page([{"id": number} for number in range(count)])


def params_of(step: Step | Stop) -> dict[str, Any]:
    assert isinstance(step, Step)
    return step.request.params


def test_offset_moves_by_limit_and_stops_after_a_short_page():
    offset = Offset(limit=2)

    assert params_of(offset.first(USERS)) == {"limit": 2, "offset": 0}
    assert params_of(offset.after(USERS, 0, page_of(2))) == {"limit": 2, "offset": 2}
    assert offset.after(USERS, 2, page_of(1)) == Stop("Offset limit reached, stopping scrolling.")


def test_steps_ahead_do_not_depend_on_pages():
    offset = Offset(limit=2)

    assert offset.ahead(USERS, 4) == offset.after(USERS, 4, page_of(2))


def test_a_page_larger_than_asked_for_goes_on():
    assert params_of(Offset(limit=2).after(USERS, 0, page_of(3))) == {"limit": 2, "offset": 2}


def test_parameters_of_the_job_keep_their_place_and_paging_comes_after():
    job = Request("users", {"offset": 9, "a": 1})

    assert list(params_of(Offset(limit=2).first(job)).items()) == [("offset", 0), ("a", 1), ("limit", 2)]


@pytest.mark.parametrize("empty", [None, "", "0", 0, [], {}, False, Float("0.0")])
def test_an_empty_page_size_of_the_job_counts_as_not_given(empty: Any):
    job = Request("users", {"limit": empty})

    assert params_of(Offset(limit=7).first(job)) == {"limit": 7, "offset": 0}


@pytest.mark.parametrize(("value", "size"), [("3", 3), (" 3", 3), ("1.5", 1), (2.9, 2), (Float("2.5"), 2), ("1e1", 10)])
def test_a_page_size_of_the_job_is_cut_to_a_whole_number(value: Any, size: int):
    assert params_of(Offset(limit=7).first(Request("users", {"limit": value}))) == {"limit": size, "offset": 0}


@pytest.mark.parametrize("value", ["many", -1, [1], {"a": 1}, "0.5", True, "9" * 5000, float("inf")])
def test_a_page_size_of_the_job_that_is_no_number_is_refused(value: Any):
    with pytest.raises(WrongParam, match="whole number of at least 1"):
        Offset(limit=7).first(Request("users", {"limit": value}))


def test_a_wrong_parameter_of_the_job_is_named_with_its_path():
    job = Request("users", {"variables": {"limit": "many"}})

    with pytest.raises(WrongParam) as raised:
        Offset(limit=7, params_within="variables").first(job)

    assert raised.value.name == "variables.limit"


@pytest.mark.parametrize(("value", "sent"), [("3", "3"), (3, 3), (3.0, 3), (Float("3.0"), 3)])
def test_an_offset_of_the_job_is_sent_as_written_and_counted_from(value: Any, sent: Any):
    offset, job = Offset(limit=2, offset_from_job=True), Request("users", {"offset": value})
    first = offset.first(job)

    assert first.request.params == {"offset": sent, "limit": 2}
    assert params_of(offset.after(job, first.position, page_of(2))) == {"offset": 5, "limit": 2}


@pytest.mark.parametrize("value", ["late", -1, [1], {"a": 1}, "1.5", True])
def test_an_offset_of_the_job_that_is_no_number_is_refused(value: Any):
    with pytest.raises(WrongParam, match="whole number of at least 0"):
        Offset(limit=2, offset_from_job=True).first(Request("users", {"offset": value}))


@pytest.mark.parametrize("within", ["", "body.variables"])
def test_a_first_request_without_paging_has_none_of_the_jobs_page_parameters(within: str):
    method = method_of(method="offset", limit=2, firstPageParams=False, paramsWithin=within)
    plain = Request("users").with_params({"state": "open"}, within)
    job = plain.with_params({"offset": 7, "limit": 2}, within)
    first = method.first(job)

    assert first == Step(plain, 0)
    assert params_of(method.after(job, first.position, page_of(2))) == job.with_params({"offset": 2}, within).params


def test_a_first_request_with_a_page_size_of_the_job_is_said_to_go_without_it():
    method = method_of(method="offset", limit=2, firstPageParams=False, forceStop={"pages": 3})

    assert method.caution(Request("users", {"limit": 5})).startswith("its first request goes without `limit`")
    assert method.caution(Request("users", {"offset": 5})) == ""
    assert Offset(limit=2).caution(Request("users", {"limit": 5})) == ""


def test_a_first_request_without_paging_has_the_offset_from_which_pages_are_counted():
    method = method_of(method="offset", limit=2, firstPageParams=False, offsetFromJob=True)
    job = Request("users", {"offset": 3})

    assert method.first(job) == Step(job, 3)


def test_paging_values_go_to_a_path_within_the_parameters():
    method = method_of(method="offset", limit=2, paramsWithin="body.variables", limitParam="first", offsetParam="skip")
    job = Request("graphql", {"body": {"query": "{ users }", "variables": {"first": 3, "of": "EU"}}})

    assert method.first(job).request.params == {
        "body": {"query": "{ users }", "variables": {"first": 3, "of": "EU", "skip": 0}}
    }


@pytest.mark.parametrize("limit", [None, "", 0, "0", [], {}])
def test_a_missing_limit_is_refused(limit: Any):
    with pytest.raises(UserError) as raised:
        method_of(method="offset", limit=limit)

    assert str(raised.value).startswith("Missing 'pagination.limit' attribute required for offset pagination")
    assert "`parameters.api.pagination.limit`" in str(raised.value)


@pytest.mark.parametrize(("limit", "shown"), [("ten", '"ten"'), (True, "true"), ([1], "[1]"), ("5 ", '"5 "')])
def test_a_limit_that_is_no_number_is_refused(limit: Any, shown: str):
    with pytest.raises(UserError) as raised:
        method_of(method="offset", limit=limit)

    assert str(raised.value).startswith(f"Parameter 'pagination.limit' is not numeric. Value '{shown}'.")


def test_a_negative_limit_is_refused():
    with pytest.raises(UserError, match=r"at least 1, got -1 - at `parameters\.api\.pagination\.limit`"):
        method_of(method="offset", limit=-1)


@given(total=st.integers(0, 40), limit=st.integers(1, 9), start=st.integers(0, 12))
def test_a_walk_from_the_jobs_offset_reads_each_item_exactly_once(total: int, limit: int, start: int):
    items = list(range(total))
    method = Offset(limit=limit, offset_from_job=True)
    whole = walk(method, Request("users", {"offset": start}), by_offset(items, limit))

    assert whole.items == items[start:]
    assert len(whole.steps) == len(items[start:]) // limit + 1
