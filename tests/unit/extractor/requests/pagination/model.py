"""APIs as pure functions from a request to a page, and a walk over them that saves and restores every position."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Method, Step, Stop, read_pagination

Api = Callable[[Request], Page]
Items = list[int]
MAX_PAGES = 500


class Walk(msgspec.Struct):
    steps: list[Step]
    items: Items
    reason: str


def method_of(scroller: Any = None, **pagination: Any) -> Method:
    return read_pagination(pagination).method_for(scroller)


def saved(step: Step) -> Step:
    """The step after a trip to disk and back, which must not change its position."""
    position = json.loads(json.dumps(step.position))
    assert position == step.position
    return Step(step.request, position)


def walk(method: Method, job: Request, api: Api, resume: Step | None = None) -> Walk:
    steps, items = list[Step](), Items()
    step: Step | Stop = resume or method.first(job)
    while isinstance(step, Step):
        assert len(steps) < MAX_PAGES, "the walk does not end"
        step = saved(step)
        page = api(step.request)
        steps.append(step)
        items += [record["id"] for record in page.records]
        step = method.after(job, step.position, page)
    return Walk(steps, items, step.reason)


def page_of(items: Items, headers: dict[str, str] | None = None, **meta: Any) -> Page:
    records = [{"id": item} for item in items]
    document = {"items": records, **meta}
    return Page(records, json.dumps(document).encode(), document, headers or {})


def params_of(request: Request) -> dict[str, Any]:
    """As the server sees them: those of the address first, the others over them."""
    return {**dict(parse_qsl(request.endpoint.partition("?")[2])), **request.params}


def by_offset(items: Items, size: int, within: str = "") -> Api:
    """Pages of `size` unless asked otherwise; `more` says whether there is another."""

    def response(request: Request) -> Page:
        asked = request.params_within(within)
        start, limit = int(asked.get("offset", 0)), int(asked.get("limit", size))
        return page_of(items[start : start + limit], more=start + limit < len(items), total=len(items), at=start)

    return response


def by_page(items: Items, size: int, first: int = 1) -> Api:
    def response(request: Request) -> Page:
        limit = int(request.params.get("limit", size))
        start = (int(request.params.get("page", first)) - first) * limit
        return page_of(items[start : start + limit], more=start + limit < len(items), total=len(items), at=start)

    return response


def by_next(items: Items, size: int, show: Callable[[int], dict[str, Any]], read: str = "start") -> Api:
    """Pages from a start on; `show` says where the next one starts, in the body."""

    def response(request: Request) -> Page:
        start = int(params_of(request).get(read, 0))
        following = start + size
        shown = show(following) if following < len(items) else {}
        return page_of(items[start:following], more=following < len(items), total=len(items), at=start, **shown)

    return response


def by_link(items: Items, size: int) -> Api:
    def response(request: Request) -> Page:
        start = int(params_of(request).get("start", 0))
        following = start + size
        links = [f'<list?start={max(start - size, 0)}>; rel="prev, or \\"before\\""; title="a, <b>; rel=next"']
        links += [f'<list?start={following}>; title="x"; rel="last next"'] if following < len(items) else []
        return page_of(items[start:following], {"link": ", ".join(links)}, total=len(items), at=start)

    return response


def by_cursor(items: Items, size: int) -> Api:
    """Items in order, from an id on."""

    def response(request: Request) -> Page:
        since = request.params.get("since")
        left = [item for item in items if since is None or item >= int(since)]
        return page_of(left[:size], more=len(left) > size, total=len(items))

    return response
