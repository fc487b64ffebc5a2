from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.struct import read_struct, write_struct
from penstock.extractor.records.tree import Tree
from penstock.extractor.results.proof.rejected import Rejected, TypeChecker, refusals
from tests.support.examples import examples

keys = st.sampled_from(["a", "b", "a.b"])
values = st.recursive(
    st.none() | st.integers(0, 3) | st.text("xy", max_size=1),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=2),
    max_leaves=6,
)
pages = st.lists(st.lists(st.dictionaries(keys, values, max_size=3) | values, max_size=8), max_size=4)


def test_records_are_kept_in_a_file_per_table_with_their_reasons(tmp_path: Path):
    rejected = Rejected(tmp_path / "rejected", "shop")
    rejected.add("users", {"id": 1}, "too odd")
    rejected.add("orders", [None, "a\nb"], 'a "reason"')
    rejected.add("users", {"id": 2}, "as odd")
    rejected.close()

    assert rejected.counts == {"users": 2, "orders": 1}
    assert {path.name for path in (tmp_path / "rejected").iterdir()} == {"shop.users.ndjson", "shop.orders.ndjson"}
    assert [json.loads(line) for line in (tmp_path / "rejected/shop.users.ndjson").read_text().splitlines()] == [
        {"reason": "too odd", "record": {"id": 1}},
        {"reason": "as odd", "record": {"id": 2}},
    ]
    assert json.loads((tmp_path / "rejected/shop.orders.ndjson").read_text()) == {
        "reason": 'a "reason"',
        "record": [None, "a\nb"],
    }


def test_decimals_keep_their_digits(tmp_path: Path):
    rejected = Rejected(tmp_path)
    rejected.add("users", Float("0.1234567890123456789"), "x")
    rejected.close()

    assert (tmp_path / "users.ndjson").read_text() == '{"reason":"x","record":0.1234567890123456789}\n'


def test_without_records_there_is_no_folder(tmp_path: Path):
    Rejected(tmp_path / "rejected").close()

    assert not (tmp_path / "rejected").exists()


def silent(_message: str, _item: Any) -> None:
    pass


def learnt(*pages: list[Any]) -> Tree:
    tree = Tree()
    for page in pages:
        tree.learn("t", Column(page), silent)
    return tree


def refused_by(tree: Tree, checker: TypeChecker, page: list[Any]) -> dict[int, str]:
    """As a run does it: find the bad ones, then learn the others."""
    refused = checker.refusals("t", page, Column(page))
    tree.learn("t", Column(kept(page, refused)), silent)
    return refused


def kept(page: list[Any], refused: dict[int, str]) -> list[Any]:
    return [record for place, record in enumerate(page) if place not in refused]


def test_a_record_of_another_type_is_refused_with_the_reason():
    tree = Tree()

    refused = refused_by(tree, TypeChecker(tree), [{"a": 1}, {"a": {"b": 2}}, {"a": 3}])

    assert list(refused) == [1]
    assert 'Unhandled nodeType change from "scalar" to "object" in "t.[].a"' in refused[1]


def test_nothing_of_a_refused_record_stays_in_the_tree():
    tree = Tree()

    refused_by(tree, TypeChecker(tree), [{"a": 1}, {"new": 5, "a": {"b": 2}, "more": [1]}])

    assert write_struct(tree) == write_struct(learnt([{"a": 1}]))


def test_earlier_pages_decide_about_later_ones():
    tree = Tree()
    checker = TypeChecker(tree)

    assert refused_by(tree, checker, [{"a": {"b": 1}}]) == {}
    assert list(refused_by(tree, checker, [{"a": 1}, {"a": 2}, {"a": {"c": 1}}, {"a": 3}])) == [0, 1, 3]
    assert list(refused_by(tree, checker, [{"a": {"c": {"d": 1}}}, {"a": {"c": 2}}])) == [0]


def test_an_earlier_run_decides_too():
    tree = read_struct(write_struct(learnt([{"a": {"b": 1}}])))

    assert list(refused_by(tree, TypeChecker(tree), [{"a": 1}])) == [0]


def test_a_page_that_was_refused_as_a_whole_changes_nothing():
    tree = learnt([{"a": 1}])
    version, before = tree.version, write_struct(tree)

    assert list(TypeChecker(tree).refusals("t", [{"a": {}}], Column([{"a": {}}]))) == [0]
    assert (tree.version, write_struct(tree)) == (version, before)


def test_a_good_page_is_tried_once_and_a_bad_record_costs_little():
    tries: list[int] = []

    def accept(part: Sequence[Any]) -> str:
        tries.append(len(part))
        return "bad" if 700 in part else ""

    assert refusals(list(range(500)), accept) == {}
    assert tries == [500]
    assert refusals(list(range(1000)), accept) == {700: "bad"}
    assert len(tries) < 25


def test_no_records_are_not_even_tried():
    assert refusals([], lambda part: "bad") == {}


@given(pages)
@examples(300)
def test_any_pages_keep_what_trying_one_record_after_another_would_keep(pages: list[list[Any]]):
    tree, one_by_one = Tree(), Tree()
    checker = TypeChecker(tree)
    for page in pages:
        refused = refused_by(tree, checker, page)
        expected: list[int] = []
        for place, record in enumerate(page):
            trial = copy.deepcopy(one_by_one)
            try:
                trial.learn("t", Column([record]), silent)
            except UserError:
                expected.append(place)
            else:
                one_by_one = trial
        assert sorted(refused) == expected


@given(pages)
@examples(200)
def test_any_pages_leave_the_tree_that_the_records_that_stayed_make(pages: list[list[Any]]):
    tree = Tree()
    checker = TypeChecker(tree)

    stayed = [kept(page, refused_by(tree, checker, page)) for page in pages]

    assert write_struct(tree) == write_struct(learnt(*stayed))
