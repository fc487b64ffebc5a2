from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.link_header import Target, parse_links
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("issues", {"state": "open"}, "POST", {"X-A": "1"})
GITHUB = '<https://api.example.com/issues?page=2>; rel="next", <https://api.example.com/issues?page=9,10>; rel="last"'


def after(header: str, **settings: object) -> Step | Stop:
    return method_of(method="link", **settings).after(JOB, None, Page([], headers={"LINK": header}))


def test_the_next_link_is_followed_without_parameters_unless_they_are_included():
    following = "https://api.example.com/issues?page=2"

    assert after(GITHUB) == Step(Request(following, {}, "POST", {"X-A": "1"}))
    assert after(GITHUB, includeParams=True) == Step(Request(following, {"state": "open"}, "POST", {"X-A": "1"}))


def test_another_relation_can_be_followed():
    assert after(GITHUB, rel="LAST") == Step(
        Request("https://api.example.com/issues?page=9,10", {}, "POST", {"X-A": "1"})
    )


@pytest.mark.parametrize("header", ["", "nonsense", '<a>; rel="prev"', "<a>", '<>; rel="next"', '<a; rel="next"'])
def test_without_such_a_link_the_scrolling_stops(header: str):
    assert after(header) == Stop("No more pages, stopping pagination.")


def test_without_the_header_the_scrolling_stops():
    assert isinstance(method_of(method="link").after(JOB, None, Page([])), Stop)


@pytest.mark.parametrize(
    ("header", "links"),
    [
        ("<a>;rel=next", [Target("a", ("next",))]),
        ('<a> ; REL = "Next Last" ;x', [Target("a", ("next", "last"))]),
        ('<a>; title="b, <c>; rel=next"; rel=prev', [Target("a", ("prev",))]),
        ('<a>; title="say \\"rel=next\\", please"; rel=prev, <b>', [Target("a", ("prev",)), Target("b", ())]),
        ("<a>; rel=prev; rel=next", [Target("a", ("prev",))]),
        ("<a>;; rel=next", [Target("a", ("next",))]),
        ("junk, <a>; rel=next; hreflang", [Target("a", ("next",))]),
        ("<a,b;c>; rel=next,<d>;rel=x", [Target("a,b;c", ("next",)), Target("d", ("x",))]),
    ],
)
def test_a_header_is_read_as_the_standard_says(header: str, links: list[Target]):
    assert parse_links(header) == links


names = st.from_regex(r"[a-z][a-z0-9.*-]{0,8}", fullmatch=True).filter(lambda name: name != "rel")
addresses = st.text(st.characters(codec="ascii", exclude_characters="<>", exclude_categories=["Cc", "Zs"]))
rels = st.lists(st.from_regex(r"[a-z][a-z:/.-]{0,8}", fullmatch=True), max_size=3)
others = st.lists(st.tuples(names, st.text(st.characters(exclude_categories=["Cc", "Cs"])), st.booleans()), max_size=3)


def written(address: str, rel: list[str], other: list[tuple[str, str, bool]]) -> str:
    params = [f'rel="{" ".join(rel)}"'] if rel else []
    for at, (name, value, is_first) in enumerate(other):
        quoted = re.sub(r'(["\\])', r"\\\1", value)
        params.insert(0 if is_first else at, f'{name}="{quoted}"')
    return "; ".join([f"<{address}>", *params])


@given(st.lists(st.tuples(addresses, rels, others), max_size=4))
def test_what_is_written_is_read_again(links: list[tuple[str, list[str], list[tuple[str, str, bool]]]]):
    header = ", ".join(written(*link) for link in links)

    assert parse_links(header) == [Target(address, tuple(rel)) for address, rel, _other in links]


@given(st.text(st.sampled_from('<>;,"\\ =rel next')))
def test_any_header_can_be_read(header: str):
    assert all("<" not in link.address for link in parse_links(header))
