from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.stops.loop_guard import (
    IDS_REMEMBERED,
    PAGES_REMEMBERED,
    compute_digest,
    fingerprint,
)
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("users")


def page_of(*ids: Any, body: str = "") -> Page:
    return Page([{"id": id_} for id_ in ids], (body or json.dumps(ids)).encode())


def read(pages: list[Page], guard: Any, **settings: Any) -> Step | Stop:
    method = method_of(**{"method": "pagenum", **settings}, loopGuard=guard)
    step: Step | Stop = method.first(JOB)
    for page in pages:
        assert isinstance(step, Step)
        step = method.after(JOB, step.position, page)
    return step


def test_a_page_that_equals_an_earlier_one_is_an_error():
    numbers = [0, 1, 2, 3, 4, 5, 4]

    with pytest.raises(UserError, match=r"^Page 7 is the same as page 5: the API goes round in circles\."):
        read([page_of(number) for number in numbers], True)


def test_a_page_that_equals_the_one_before_is_left_to_the_walk():
    assert isinstance(read([page_of(1), page_of(1), page_of(2)], {"pages": 3}), Step)


def test_without_a_body_the_records_are_compared():
    with pytest.raises(UserError, match=r"^Page 3 is the same as page 1"):
        read([Page([1]), Page([2]), Page([1])], True)


def test_without_a_guard_there_is_no_error():
    assert isinstance(read([page_of(1), page_of(2), page_of(1)], False), Step)
    assert isinstance(read([page_of(1), page_of(2), page_of(1)], {}), Step)


def test_pages_that_bring_no_new_ids_are_an_error_when_they_are_enough():
    pages = [page_of(1, 2), page_of(3), *(page_of(1, 3, body=f"{at}") for at in range(3))]
    guard = {"idKey": "id"}

    assert isinstance(read(pages[:4], guard), Step)
    with pytest.raises(UserError, match=r"^Pages 3 to 5 brought no new value of `id`"):
        read(pages, guard)
    with pytest.raises(UserError, match=r"^Page 3 brought no new value of `id`"):
        read(pages[:3], {"idKey": "id", "pages": "1"})


def test_a_page_with_something_new_starts_the_count_again():
    pages = [page_of(1), page_of(1, body="a"), page_of(1, 2, body="b"), page_of(1, body="c")]

    assert isinstance(read(pages, {"idKey": "id", "pages": 2}), Step)


def test_records_without_the_id_bring_nothing_new():
    pages = [Page([{"other": at}], f"{at}".encode()) for at in range(3)]

    with pytest.raises(UserError, match=r"^Pages 1 to 3 brought no new value of `a\.id`"):
        read(pages, {"idKey": "a.id"})


def test_an_id_that_no_record_has_is_named_with_the_keys_that_are_there():
    with pytest.raises(UserError, match=r"no record has it\. Set .*loopGuard\.idKey.* The record has the keys `id`\."):
        read([page_of(1), page_of(2), page_of(3)], {"idKey": "uuid"})


def test_an_empty_last_page_needs_to_bring_nothing():
    assert isinstance(read([page_of(1), page_of()], {"idKey": "id", "pages": 1}), Stop)


def test_a_repeated_last_page_is_an_error_all_the_same():
    pages = [page_of(1, 2, body="a"), page_of(3, 4), page_of(1, body="a")]

    with pytest.raises(UserError, match=r"^Page 3 is the same as page 1"):
        read(pages, True, limit=2)


def test_what_is_remembered_is_bounded():
    method = method_of(method="pagenum", loopGuard={"idKey": "id", "pages": 2})
    oldest, newest = page_of("a"), page_of("b", "c")
    digests = [compute_digest(oldest), *("" for _ in range(PAGES_REMEMBERED - 1))]
    ids = [fingerprint("a"), *range(IDS_REMEMBERED - 1)]
    step = method.after(JOB, [{"number": 5000, "digests": digests, "ids": ids, "stale": 1}, 5001], newest)

    assert isinstance(step, Step)
    assert step.position[0] == {
        "number": 5001,
        "digests": [*digests[1:], compute_digest(newest)],
        "ids": [*ids[2:], fingerprint("b"), fingerprint("c")],
        "stale": 0,
    }
    assert isinstance(method.after(JOB, step.position, oldest), Step), "the oldest page is forgotten"


def test_pages_are_numbered_from_the_start_however_many_are_remembered():
    page, last = page_of("a"), page_of("b")
    seen = {"number": 5000, "digests": [*[""] * 989, compute_digest(page), *[""] * 10], "ids": [], "stale": 0}

    with pytest.raises(UserError, match=r"^Page 5001 is the same as page 4990"):
        method_of(method="pagenum", loopGuard=True).after(JOB, [seen, 1], page)
    assert isinstance(method_of(method="pagenum", loopGuard=True).after(JOB, [seen, 1], last), Step)


@pytest.mark.parametrize(
    ("guard", "where"),
    [
        ("yes", "loopGuard"),
        (5, "loopGuard"),
        ({"pages": 0}, "loopGuard.pages"),
        ({"pages": "x"}, "loopGuard.pages"),
        ({"pages": 1.5}, "loopGuard.pages"),
        ({"idKey": ["id"]}, "loopGuard.idKey"),
    ],
)
def test_nonsense_is_refused_with_its_path(guard: Any, where: str):
    with pytest.raises(UserError, match=rf"- at `parameters\.api\.pagination\.{where}`"):
        method_of(loopGuard=guard)
