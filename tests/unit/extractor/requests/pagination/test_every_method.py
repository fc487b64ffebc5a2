"""Every method against a model of an API that pages its way: each item once and in order, from any saved step on."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.http import Request
from penstock.extractor.requests.pagination import KNOWN
from tests.unit.extractor.requests.pagination.model import (
    Api,
    Items,
    Walk,
    by_cursor,
    by_link,
    by_next,
    by_offset,
    by_page,
    method_of,
    walk,
)

JOB = Request("list")


class Conversation(NamedTuple):
    """A configuration, and an API that pages accordingly."""

    pagination: dict[str, Any]
    api: Api
    job: Request = JOB


def conversation(method: str, items: Items, size: int, variant: bool) -> Conversation:
    return CONVERSATIONS[method](items, size, variant)


def _offset(items: Items, size: int, variant: bool) -> Conversation:
    if variant:
        job = Request("list", {"query": "{ list }", "variables": {"limit": str(size)}})
        return Conversation(
            {"method": "offset", "limit": 99, "paramsWithin": "variables"}, by_offset(items, 99, "variables"), job
        )
    return Conversation({"method": "offset", "limit": str(size)}, by_offset(items, size))


def _page_number(items: Items, size: int, variant: bool) -> Conversation:
    if variant:
        return Conversation(
            {"method": "pagenum", "firstPage": 0, "firstPageParams": False, "limit": size}, by_page(items, size, 0)
        )
    return Conversation({"method": "pagenum"}, by_page(items, size))


def _response_url(items: Items, size: int, variant: bool) -> Conversation:
    def show(start: int) -> dict[str, Any]:
        return {"links": {"next": f"?start={start}" if variant else f"/v2/list?start={start}"}}

    settings = {"method": "response.url", "urlKey": "links.next", "paramIsQuery": variant}
    return Conversation(settings, by_next(items, size, show))


def _zendesk(items: Items, size: int, variant: bool) -> Conversation:
    # The model's clock stands at 0, so that any start time after minus six minutes is too recent.
    when = "&start_time=-361" if variant else "&start_time=soon"
    api = by_next(items, size, lambda start: {"next_page": f"list?start={start}{when}"})
    return Conversation({"method": "zendesk.response.url"}, api)


def _response_param(items: Items, size: int, variant: bool) -> Conversation:
    settings = {"method": "response.param", "responseParam": "token", "queryParam": "start"}
    scroll = {"scrollRequest": {"endpoint": "more", "method": "POST"}} if variant else {}
    return Conversation({**settings, **scroll}, by_next(items, size, lambda start: {"token": start}))


def _cursor(items: Items, size: int, variant: bool) -> Conversation:
    return Conversation(
        {"method": "cursor", "idKey": "id", "param": "since", "increment": "1" if variant else 1},
        by_cursor(items, size),
    )


def _link(items: Items, size: int, variant: bool) -> Conversation:
    return Conversation({"method": "link", "includeParams": variant}, by_link(items, size))


def _multiple(items: Items, size: int, variant: bool) -> Conversation:
    scrollers = {"used": _offset(items, size, False).pagination, "other": {}}
    return Conversation({"method": "multiple", "scrollers": scrollers, "default": "used"}, by_offset(items, size))


CONVERSATIONS = {
    "offset": _offset,
    "pagenum": _page_number,
    "response.url": _response_url,
    "zendesk.response.url": _zendesk,
    "response.param": _response_param,
    "cursor": _cursor,
    "link": _link,
    "multiple": _multiple,
}
methods = st.sampled_from(sorted(CONVERSATIONS))
totals, sizes = st.integers(0, 30), st.integers(1, 7)


def read(talk: Conversation, **stops: Any) -> Walk:
    """The whole walk, which goes on the same from each of its steps."""
    method = method_of(**talk.pagination, **stops)
    whole = walk(method, talk.job, talk.api)
    for index, step in enumerate(whole.steps):
        again = walk(method, talk.job, talk.api, step)
        assert again.steps == whole.steps[index:]
        assert again.reason == whole.reason
    return whole


def test_every_method_is_walked_here():
    assert set(CONVERSATIONS) == set(KNOWN)


@given(method=methods, total=totals, size=sizes, variant=st.booleans())
def test_a_walk_reads_each_item_exactly_once_and_in_order(method: str, total: int, size: int, variant: bool):
    items = list(range(total))

    assert read(conversation(method, items, size, variant)).items == items


@given(method=methods, total=totals, size=sizes, pages=st.integers(1, 6))
def test_with_a_limit_of_pages_a_walk_reads_so_many(method: str, total: int, size: int, pages: int):
    items = list(range(total))
    whole = read(conversation(method, items, size, False), forceStop={"pages": pages})

    assert whole.items == items[: size * pages]
    assert len(whole.steps) <= pages


@given(method=methods, total=totals, size=sizes, count=st.integers(1, 40))
def test_with_a_limit_of_records_the_page_that_reaches_it_is_the_last(method: str, total: int, size: int, count: int):
    items = list(range(total))
    enough = -(-count // size) * size

    assert read(conversation(method, items, size, False), limitStop={"count": count}).items == items[:enough]


@given(method=methods, total=st.integers(1, 30), size=sizes)
def test_a_total_in_the_response_saves_the_empty_page(method: str, total: int, size: int):
    whole = read(conversation(method, list(range(total)), size, False), limitStop={"field": "total"})

    assert whole.items == list(range(total))
    assert len(whole.steps) == -(-total // size)


@given(method=st.sampled_from(["offset", "pagenum", "response.param", "cursor"]), total=st.integers(1, 30), size=sizes)
def test_a_flag_in_the_response_saves_the_empty_page(method: str, total: int, size: int):
    flag = {"field": "more", "stopOn": False}
    whole = read(conversation(method, list(range(total)), size, False), nextPageFlag=flag)

    assert whole.items == list(range(total))
    assert len(whole.steps) == -(-total // size)


@given(
    method=methods,
    total=totals,
    size=sizes,
    variant=st.booleans(),
    pages=st.none() | st.integers(1, 6),
    count=st.none() | st.integers(1, 40),
    guarded=st.booleans(),
)
def test_of_several_stops_the_first_to_be_reached_counts(
    method: str, total: int, size: int, variant: bool, pages: int | None, count: int | None, guarded: bool
):
    items = list(range(total))
    stops: dict[str, Any] = {"forceStop": {"pages": pages, "volume": 1_000_000}}
    if count:
        stops["limitStop"] = {"count": count}
    if guarded:
        stops["loopGuard"] = {"pages": 1, "idKey": "id"}
    whole = read(conversation(method, items, size, variant), **stops)
    enough = min(-(-(count or 10**9) // size), pages or 10**9) * size

    assert whole.items == items[:enough]
