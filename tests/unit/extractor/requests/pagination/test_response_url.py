from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.response_url import query_params
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("users", {"page": 1, "account": 123}, "POST", {"X-A": "1"})


def after(document: Any, headers: dict[str, str] | None = None, **settings: Any) -> Step | Stop:
    return method_of(method="response.url", **settings).after(
        JOB, None, Page([], document=document, headers=headers or {})
    )


def request_after(document: Any, headers: dict[str, str] | None = None, **settings: Any) -> Request:
    step = after(document, headers, **settings)
    assert isinstance(step, Step)
    return step.request


def test_the_first_request_is_the_job_itself():
    assert method_of(method="response.url").first(JOB) == Step(JOB)


def test_the_address_takes_the_place_of_endpoint_and_parameters():
    assert request_after({"next_page": "/users?page=2"}) == Request("/users?page=2", {}, "POST", {"X-A": "1"})


def test_parameters_of_the_job_may_go_along():
    request = request_after({"next_page": "/users?page=2"}, includeParams=True)

    assert request == Request("/users?page=2", {"page": 1, "account": 123}, "POST", {"X-A": "1"})


def test_an_address_that_is_a_query_replaces_parameters_in_their_place():
    query = "?page=2&tag=a%20b&tag=c&flag"
    request = request_after({"next_page": query}, includeParams=True, paramIsQuery=True)

    assert request.endpoint == "users"
    assert list(request.params.items()) == [("page", "2"), ("account", 123), ("tag", ["a b", "c"]), ("flag", None)]
    assert request_after({"next_page": "page=2"}, paramIsQuery=True).params == {"page": "2"}


def test_a_query_goes_to_a_path_within_the_parameters():
    request = request_after({"next_page": "?p=2"}, includeParams=True, paramIsQuery=True, paramsWithin="variables")

    assert request.params == {"page": 1, "account": 123, "variables": {"p": "2"}}


@pytest.mark.parametrize("key", ["links.next", "links.1"])
def test_the_address_is_looked_up_by_its_path(key: str):
    document = {"links": {"next": "x"}} if key == "links.next" else {"links": ["y", "x"]}

    assert request_after(document, urlKey=key).endpoint == "x"


def test_the_path_may_have_another_delimiter():
    assert request_after({"@odata.next": {"a": "x"}}, urlKey="@odata.next/a", delimiter="/").endpoint == "x"


@pytest.mark.parametrize(
    "document", [{}, [], None, 5, *({"next_page": value} for value in (None, False, "", 0, "0", [], Float("0.0")))]
)
def test_without_an_address_the_scrolling_stops(document: Any):
    assert after(document) == Stop("No more pages, stopping pagination.")


@pytest.mark.parametrize("value", [True, 5, Float("1.5"), ["x"], {}, {"a": 1}])
@pytest.mark.parametrize("is_query", [True, False])
def test_anything_else_is_the_users_error(value: Any, is_query: bool):
    with pytest.raises(UserError) as raised:
        after({"next_page": value}, paramIsQuery=is_query)

    assert str(raised.value).startswith('The "endpoint" property must be specified in request as a string.')


def test_the_address_may_be_in_a_header_of_any_case():
    assert request_after({"next_page": "y"}, {"X-NEXT-page": "x"}, urlHeader="x-Next-Page").endpoint == "x"
    assert isinstance(after({"next_page": "y"}, urlHeader="x-next-page"), Stop)


def test_a_header_and_a_path_are_one_too_many():
    with pytest.raises(UserError, match="only one of 'urlKey' and 'urlHeader'"):
        method_of(method="response.url", urlKey="a", urlHeader="b")


@pytest.mark.parametrize(
    ("query", "parsed"),
    [
        ("", {}),
        ("a", {"a": None}),
        ("a&a=1", {"a": "1"}),
        ("a=1&a", {"a": ["1", None]}),
        ("a=1&a=2&a=3", {"a": ["1", "2", "3"]}),
        ("a%5B%5D=1+2=3&b=", {"a[]": "1 2=3", "b": ""}),
        ("a=1&&b=2", {"a": "1", "": None, "b": "2"}),
    ],
)
def test_a_query_is_parsed_flat(query: str, parsed: dict[str, Any]):
    assert query_params(query) == parsed


@given(st.text())
def test_any_query_can_be_parsed(query: str):
    assert all(value is None or isinstance(value, (str, list)) for value in query_params(query).values())


def test_a_name_that_is_repeated_endlessly_takes_no_time():
    assert query_params("&".join(["a=1"] * 200_000)) == {"a": ["1"] * 200_000}
