"""Whatever a pagination, a reason to stop, a total or a placeholder asks of a response, a large one answers as a small
one does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.path import look_up
from penstock.extractor.config.children.placeholders import Parents, descend
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import KNOWN, Step, Stop, read_pagination
from penstock.extractor.responses.large import Limits
from penstock.extractor.responses.tally import JobTally
from tests.support.examples import examples
from tests.unit.extractor.responses.large.documents import NAMES, SCALARS, TIGHT, VALUES
from tests.unit.extractor.responses.large.two_ways import TwoWays

JOB = Request("rows", {"mine": 1})
LINK = '<rows?page=2>; rel="next"'
_DIGESTS = re.compile(r"'digests': \[[^]]*\]")
"""What the loop guard remembers of the bytes of a page, which is not the same for one in a file."""
ROWS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 99) | st.text("0123456789", max_size=3), "tags": st.lists(SCALARS)})
    | VALUES,
    max_size=8,
)
MEMBERS = st.dictionaries(NAMES | st.sampled_from(["next", "total", "a.b", "a/b"]), VALUES, max_size=3)
DOCUMENTS = (
    st.builds(lambda rows, more: {"data": rows, **more}, ROWS, MEMBERS)
    | st.builds(lambda rows, more: {"data": {"items": rows, **more}, **more}, ROWS, MEMBERS)
    | ROWS
)
ODD_KEYS = st.sampled_from(["-1", "99", "00", "+1", "1.0", "x", "id", "tags", "0", "1", "", " 0", "٣"])
FIELDS = ("data", "data.items", "data.items.0", ".", "data.0.tags", "no.where")


@st.composite
def paths_in(draw: st.DrawFn, document: Any, delimiter: str = ".") -> str:
    """To anything: an item, an array, a member, something inside an item, or nothing at all."""
    keys, value = list[str](), document
    for _ in range(draw(st.integers(1, 4))):
        there: list[str] = list(map(str, value if isinstance(value, dict) else range(len(value)))) if value else []
        keys.append(draw(st.sampled_from(there) if there and draw(st.integers(0, 5)) else ODD_KEYS))
        value = look_up(keys[-1], value, "\0") if isinstance(value, (dict, list)) else None
        value = value if isinstance(value, (dict, list)) else ()
    return draw(st.sampled_from([delimiter.join(keys)] * 9 + [delimiter]))


def methods(path: str, id_path: str) -> dict[str, dict[str, Any]]:
    """Every method that there is, asking for a path where it can ask for one."""
    param = {"method": "response.param", "responseParam": path, "queryParam": "q"}
    return {
        "offset": {"method": "offset", "limit": 2},
        "pagenum": {"method": "pagenum", "limit": 3},
        "response.url": {"method": "response.url", "urlKey": path, "includeParams": True},
        "response.param": {**param, "includeParams": True},
        "cursor": {"method": "cursor", "idKey": id_path, "param": "since", "increment": 1},
        "zendesk.response.url": {"method": "zendesk.response.url", "urlKey": path},
        "link": {"method": "link"},
        "multiple": {"method": "multiple", "scrollers": {"one": param}, "default": "one"},
    }


@st.composite
def paginations(draw: st.DrawFn, document: Any) -> dict[str, Any]:
    delimiter = draw(st.sampled_from([".", ".", "/"]))
    path, id_path = draw(paths_in(document, delimiter)), draw(st.sampled_from(["id", "tags.0", "0", "no"]))
    method = draw(st.sampled_from(sorted(methods(path, id_path))))
    settings_ = methods(path, id_path)[method]
    if method == "response.url":
        settings_["delimiter"] = delimiter
    flag = {"stopOn": draw(st.booleans()), "ifNotSet": draw(st.booleans())}
    stops: list[dict[str, Any]] = [
        {},
        {"nextPageFlag": {"path": draw(paths_in(document)), **flag}},
        {"nextPageFlag": {"field": draw(st.sampled_from(["data", "total", "a.b", "no"])), **flag}},
        {"limitStop": {"field": draw(paths_in(document))}},
        {"limitStop": {"count": draw(st.integers(1, 9))}},
        {"forceStop": {"volume": draw(st.integers(1, 300))}},
        {"loopGuard": {"pages": 1, "idKey": id_path}},
    ]
    return {**settings_, **draw(st.sampled_from(stops))}


def asked_after(page: Page, pagination: dict[str, Any]) -> str:
    """What is asked for after a page, or why nothing is; as text, in which a list is what C code takes it for."""
    try:
        method = read_pagination(pagination).method_for(None)
        step: Step | Stop = method.after(JOB, method.first(JOB).position, page)
    except UserError as error:
        return f"error: {error}"
    return _DIGESTS.sub("", repr(step))


def claimed(page: Page, path: str) -> int | None:
    tally = JobTally("0", "rows", path)
    tally.page(items=0, expected=look_up(path, page.document))
    return tally.expected


def placeholders(page: Page, path: str) -> list[str]:
    try:
        return [repr(below.columns) for each in page.records for below in descend(Parents(), each, {"id": path})]
    except UserError as error:
        return [str(error)]


def test_every_method_is_asked_here():
    assert set(methods("a", "b")) == set(KNOWN)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, TwoWays]]:
    """One for each data field."""
    made = {field: TwoWays(tmp_path_factory.mktemp("pages"), field) for field in FIELDS}
    yield made
    for reader in made.values():
        reader.close()


@examples(120)
@given(st.data(), DOCUMENTS, TIGHT, st.sampled_from(FIELDS))
def test_a_page_in_a_file_is_followed_by_what_follows_it_in_memory(
    readers: dict[str, TwoWays], data: st.DataObject, document: Any, limits: Limits, field: str
):
    pages = readers[field].read(json.dumps(document).encode(), limits, Link=LINK)
    if pages is None:
        return

    for _ in range(4):
        pagination = data.draw(paginations(document))
        assert asked_after(pages.from_file, pagination) == asked_after(pages.in_memory, pagination)


@examples(80)
@given(st.data(), DOCUMENTS, TIGHT, st.sampled_from(FIELDS))
def test_totals_and_placeholders_are_those_of_the_page_in_memory(
    readers: dict[str, TwoWays], data: st.DataObject, document: Any, limits: Limits, field: str
):
    pages = readers[field].read(json.dumps(document).encode(), limits)
    if pages is None:
        return
    placeholder = data.draw(paths_in(next(iter(pages.in_memory.records), {})))
    totals = [f"{field}.{place}.id" for place in range(1, len(pages.in_memory.records))]

    for total in (*totals, data.draw(paths_in(document))):
        assert claimed(pages.from_file, total) == claimed(pages.in_memory, total)
    assert placeholders(pages.from_file, placeholder) == placeholders(pages.in_memory, placeholder)


@examples(40)
@given(DOCUMENTS, DOCUMENTS, TIGHT)
def test_pages_are_the_same_whatever_their_white_space_and_wherever_they_are(
    readers: dict[str, TwoWays], document: Any, other: Any, limits: Limits
):
    compact = readers["."].read(json.dumps(document).encode(), limits, "compact")
    spaced = readers["."].read(json.dumps(document, indent=3).encode(), limits, "spaced")
    another = readers["."].read(json.dumps(other).encode(), limits, "another")
    assert compact is not None
    assert spaced is not None
    assert another is not None
    is_same = json.dumps(document) == json.dumps(other)

    for page in (*compact, *spaced):
        assert all(page.trace.repeats(each.trace) for each in (*compact, *spaced))
        assert [page.trace.repeats(each.trace) for each in another] == [is_same, is_same]
