from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("users", {"page": 1, "filter": {"a": 1, "b": 2}}, "GET", {"X-A": "1"})


def after(document: Any, headers: dict[str, str] | None = None, **settings: Any) -> Step | Stop:
    if "responseHeader" not in settings:
        settings = {"responseParam": "meta.next", **settings}
    method = method_of(**{"method": "response.param", "queryParam": "page", **settings})
    return method.after(JOB, None, Page([], document=document, headers=headers or {}))


def request_after(document: Any, headers: dict[str, str] | None = None, **settings: Any) -> Request:
    step = after(document, headers, **settings)
    assert isinstance(step, Step)
    return step.request


def test_the_first_request_is_the_job_itself():
    assert method_of(method="response.param", responseParam="a", queryParam="b").first(JOB) == Step(JOB)


def test_the_value_is_sent_alone_unless_parameters_are_included():
    assert request_after({"meta": {"next": 2}}) == Request("users", {"page": 2}, "GET", {"X-A": "1"})

    kept = request_after({"meta": {"next": 2}}, includeParams=True).params
    assert list(kept.items()) == [("page", 2), ("filter", {"a": 1, "b": 2})]


@pytest.mark.parametrize("value", [True, "x", Float("1.50"), [1], {}, {"a": 1}])
def test_the_value_may_be_of_any_type(value: Any):
    assert request_after({"meta": {"next": value}}).params == {"page": value}


@pytest.mark.parametrize("value", [None, False, 0, "", "0", []])
def test_an_empty_value_stops_the_scrolling(value: Any):
    assert after({"meta": {"next": value}}) == Stop("No more pages found, stopping pagination.")


@pytest.mark.parametrize("document", [{}, [], None, {"meta": 1}])
def test_a_missing_value_stops_the_scrolling(document: Any):
    assert isinstance(after(document), Stop)


def test_further_requests_may_differ_in_everything():
    scroll = {
        "endpoint": "scroll",
        "method": "POST",
        "params": {"filter": {"b": 3}, "page": 9, "size": 5},
        "headers": {"X-B": "2"},
    }
    request = request_after({"meta": {"next": 2}}, includeParams=True, scrollRequest=scroll)

    assert request == Request(
        "scroll", {"page": 2, "filter": {"a": 1, "b": 3}, "size": 5}, "POST", {"X-A": "1", "X-B": "2"}
    )


@pytest.mark.parametrize("empty", [None, [], {}, "", False])
def test_an_empty_scroll_request_changes_nothing(empty: Any):
    assert request_after({"meta": {"next": 2}}, scrollRequest=empty) == request_after({"meta": {"next": 2}})


def test_the_value_goes_to_a_path_within_the_parameters():
    request = request_after({"meta": {"next": 2}}, includeParams=True, paramsWithin="filter")

    assert request.params == {"page": 1, "filter": {"a": 1, "b": 2, "page": 2}}


def test_the_value_may_be_in_a_header_of_any_case():
    assert request_after(None, {"X-NEXT": "abc"}, responseHeader="x-next").params == {"page": "abc"}
    assert isinstance(after(None, responseHeader="x-next"), Stop)


@pytest.mark.parametrize("name", ["responseParam", "queryParam"])
def test_required_settings_are_told_by_name(name: str):
    with pytest.raises(UserError) as raised:
        after({}, None, **{name: ""})

    assert str(raised.value).startswith(f"Missing required 'pagination.{name}' parameter.")


def test_a_header_and_a_path_are_one_too_many():
    with pytest.raises(UserError, match="only one of 'responseParam' and 'responseHeader'"):
        after({}, responseParam="a", responseHeader="b")


@pytest.mark.parametrize("value", ["x", 5, True])
def test_a_scroll_request_that_is_no_map_is_refused(value: Any):
    with pytest.raises(UserError) as raised:
        after({}, scrollRequest=value)

    assert str(raised.value).startswith("'pagination.scrollRequest' must be a job-like array.")


@pytest.mark.parametrize("request_", [{"params": "x"}, {"headers": 5}, {"method": ["x"]}, {"endpoint": {"a": 1}}])
def test_nonsense_in_a_scroll_request_is_refused_with_its_path(request_: dict[str, Any]):
    with pytest.raises(UserError, match=rf"`parameters\.api\.pagination\.scrollRequest\.{next(iter(request_))}`"):
        after({}, scrollRequest=request_)


def test_a_scroll_request_to_nowhere_is_refused():
    with pytest.raises(UserError, match=r'^The "endpoint" property must be specified in request as a string'):
        after({}, scrollRequest={"endpoint": ""})
