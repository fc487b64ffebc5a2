from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError, WrongParam
from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.page_number import PageNumber
from tests.unit.extractor.requests.pagination.model import method_of

USERS = Request("users", {"a": 1})


def page_of(count: int) -> Page:
    return Page([{"id": number} for number in range(count)])


def params_after(method: PageNumber, position: int, count: int, job: Request = USERS) -> dict[str, Any]:
    step = method.after(job, position, page_of(count))
    assert isinstance(step, Step)
    return step.request.params


def test_without_a_limit_pages_are_counted_until_one_is_empty():
    method = PageNumber()

    assert method.first(USERS) == Step(Request("users", {"a": 1, "page": 1}), 1)
    assert params_after(method, 1, 1) == {"a": 1, "page": 2}
    assert method.after(USERS, 2, page_of(0)) == Stop("Pagination stopped, response is empty.")


def test_with_a_limit_a_short_page_is_the_last_and_the_page_goes_before_the_limit():
    method = PageNumber(limit=2, page_param="set", limit_param="count")

    assert list(method.first(USERS).request.params.items()) == [("a", 1), ("set", 1), ("count", 2)]
    assert params_after(method, 1, 2) == {"a": 1, "set": 2, "count": 2}
    assert method.after(USERS, 2, page_of(1)) == Stop("Pagination stopped, response is smaller than limit.")


def test_a_limit_of_the_job_wins_and_is_sent_as_a_number():
    job = Request("users", {"limit": "3"})

    assert list(params_after(PageNumber(limit=2), 1, 3, job).items()) == [("limit", 3), ("page", 2)]
    assert isinstance(PageNumber(limit=2).after(job, 1, page_of(2)), Stop)
    assert isinstance(PageNumber().after(job, 1, page_of(2)), Stop)


def test_after_a_first_request_without_paging_comes_the_second_page():
    method = method_of(method="pagenum", firstPage="0", firstPageParams=False)

    assert method.first(USERS) == Step(USERS, 0)
    assert method.after(USERS, 0, page_of(1)) == Step(Request("users", {"a": 1, "page": 1}), 1)


@pytest.mark.parametrize(("setting", "first"), [(None, 1), (0, 0), ("0", 0), (-1, -1), (2.9, 2), ("7", 7)])
def test_the_first_page_is_a_whole_number(setting: Any, first: int):
    assert method_of(method="pagenum", firstPage=setting).first(USERS).position == first


@pytest.mark.parametrize("empty", [None, 0, "", "0", [], False])
def test_an_empty_limit_is_none(empty: Any):
    assert method_of(method="pagenum", limit=empty) == PageNumber()


@pytest.mark.parametrize(
    "settings",
    [
        {"limit": "ten"},
        {"limit": -1},
        {"limit": True},
        {"firstPage": "one"},
        {"firstPage": []},
        {"pageParam": ["p"]},
        {"limitParam": {"a": 1}},
        {"firstPageParams": "never"},
    ],
)
def test_nonsense_is_refused_with_its_path(settings: dict[str, Any]):
    with pytest.raises(UserError, match=rf"- at `parameters\.api\.pagination\.{next(iter(settings))}`"):
        method_of(method="pagenum", **settings)


def test_a_limit_of_the_job_that_is_no_number_is_refused():
    with pytest.raises(WrongParam):
        PageNumber().first(Request("users", {"limit": "many"}))


def test_steps_ahead_do_not_depend_on_pages():
    assert PageNumber(limit=2).ahead(USERS, 4) == PageNumber(limit=2).after(USERS, 4, page_of(2))


def test_paging_values_go_to_a_path_within_the_parameters():
    method = method_of(method="pagenum", limit=2, paramsWithin="variables")
    job = Request("graphql", {"query": "{ users }", "variables": {"limit": 5}})

    assert method.first(job).request.params == {"query": "{ users }", "variables": {"limit": 5, "page": 1}}
