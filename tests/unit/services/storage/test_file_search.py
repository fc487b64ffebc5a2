"""The search for files: any text is parsed as well as possible, and finds what it asks for."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.storage.models.file_search import NESTING, TERMS, AllOf, AnyOf, Node, Not, Term, parse_search
from tests.support.examples import examples
from tests.support.files import prepare
from tests.support.http import Http
from tests.support.stacks import ServicesOnly

FILES = "/v2/storage/files"


@pytest.fixture(scope="module")
def storage(shared: ServicesOnly) -> Http:
    return shared.service("storage")


def found_by(storage: Http, text: str) -> set[int]:
    response = storage.get(f"{FILES}?{urlencode({'q': text, 'limit': 1000})}")
    assert response.status == 200, response.text
    return {file["id"] for file in response.json}


TREES = st.recursive(
    st.builds(
        Term,
        field=st.sampled_from(["", "tags", "name", "id"]),
        text=st.text("ab_%1", max_size=3),
        is_open_left=st.booleans(),
        is_open_right=st.booleans(),
    ),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
    ),
    max_leaves=6,
)


def written(node: Node) -> str:
    match node:
        case Term(field, text, left, right):
            value = f"{'*' * left}{text}{'*' * right}"
            quoted = f'"{text}"' if not (left or right) else value
            return f"{field}:{quoted}" if field else quoted
        case Not(of):
            return f"NOT ({written(of)})"
        case AllOf(of):
            return " AND ".join(f"({written(part)})" for part in of)
        case AnyOf(of):
            return " OR ".join(f"({written(part)})" for part in of)


def holds(node: Node, file: dict[str, Any]) -> bool:
    match node:
        case Not(of):
            return not holds(of, file)
        case AllOf(of):
            return all(holds(part, file) for part in of)
        case AnyOf(of):
            return any(holds(part, file) for part in of)
        case Term("id", text):
            return text == str(file["id"])
        case Term("tags"):
            return any(_fits(node, tag, is_whole=True) for tag in file["tags"])
        case Term("name"):
            return _fits(node, file["name"], is_whole=False)
        case Term():
            return _fits(node, file["name"], is_whole=False) or any(_fits(node, t, is_whole=True) for t in file["tags"])


def _fits(term: Term, text: str, *, is_whole: bool) -> bool:
    if not (term.is_open_left or term.is_open_right):
        return text == term.text if is_whole else term.text in text
    starts, ends = text.startswith(term.text), text.endswith(term.text)
    if term.is_open_left and term.is_open_right:
        return term.text in text
    return ends if term.is_open_left else starts


@pytest.fixture(scope="module")
def searched(storage: Http) -> list[dict[str, Any]]:
    return [
        prepare(storage, name, tags=tags)
        for name in ("a", "b.a", "ab1", "b_")
        for tags in ([], ["a"], ["ab", "1"], ["b%", "_"])
    ]


@given(tree=TREES)
@examples(120)
def test_a_search_finds_what_it_asks_for(storage: Http, searched: list[dict[str, Any]], tree: Node) -> None:
    found = found_by(storage, written(tree)) & {file["id"] for file in searched}

    assert found == {file["id"] for file in searched if holds(tree, file)}


@given(text=st.one_of(st.text(max_size=80), st.text(alphabet='()"\\ ANDORT!-+:*tagsnamei1&|', max_size=80)))
@examples(150)
def test_no_search_is_too_strange(storage: Http, text: str) -> None:
    assert storage.get(f"{FILES}?{urlencode({'q': text})}").status == 200


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", None),
        ('tags:"a" AND tags:"b"', AllOf((Term("tags", "a"), Term("tags", "b")))),
        ("a b", AllOf((Term("", "a"), Term("", "b")))),
        ("a OR b c", AnyOf((Term("", "a"), AllOf((Term("", "b"), Term("", "c")))))),
        ("(a || b) && c", AllOf((AnyOf((Term("", "a"), Term("", "b"))), Term("", "c")))),
        ("NOT a", Not(Term("", "a"))),
        ("-a !b +c", AllOf((Not(Term("", "a")), Not(Term("", "b")), Term("", "c")))),
        ("NOT NOT a", Term("", "a")),
        ("a-b", Term("", "a-b")),
        ("name:rep*", Term("name", "rep", is_open_right=True)),
        (r'"say \"hi\""', Term("", 'say "hi"')),
        ('"open', Term("", "open")),
        ("tags:", Term("", "tags:")),
        ("foo:bar", Term("", "foo:bar")),
        ("AND", None),
        ("a AND", Term("", "a")),
        ("OR a", Term("", "a")),
        (")a(", Term("", "a")),
        ("(" * 5 + "a", Term("", "a")),
        ("(" * 10 * NESTING + "a" + ")" * 10 * NESTING + " b", AllOf((Term("", "a"), Term("", "b")))),
        ("!" * 3000 + "a", Not(Term("", "!" * 2999 + "a"))),
        ("NOT " * 900 + "a", Term("", "a")),
    ],
)
def test_a_search_text_is_read_as_well_as_it_can_be(text: str, tree: Node | None) -> None:
    assert parse_search(text) == tree


def test_a_search_that_is_too_long_is_refused(storage: Http) -> None:
    for text in ("x" * 4001, "x " * (TERMS + 1)):
        response = storage.get(f"{FILES}?{urlencode({'q': text})}")
        assert response.status == 400
        assert "more than" in response.json["error"]
    assert storage.get(f"{FILES}?{urlencode({'q': 'x ' * TERMS})}").status == 200
    assert storage.get(f"{FILES}?{urlencode({'q': 'x' * 4000})}").status == 200
