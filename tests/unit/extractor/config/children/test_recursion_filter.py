from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.config.children.recursion_filter import hold, read_conditions
from tests.support.examples import examples

USER = {"id": 5, "name": "Ada", "age": "36", "ok": True, "no": False, "nil": None, "tags": ["x"], "box": {"size": 7}}


@pytest.mark.parametrize(
    ("text", "is_true"),
    [
        ("name==Ada", True),
        ("name==ada", False),
        ("name== Ada", False),
        ("name!=Ada", False),
        ("id==5", True),
        ("id==5.0", False),
        ("ok==1", True),
        ("no==", True),
        ("nil==", True),
        ("missing==", True),
        ("missing!=", False),
        ("box.size==7", True),
        ("tags.0==x", True),
        ("tags==Array", True),
        ("name==Ada==Eve", True),
        ("id>4", True),
        ("id>5", False),
        ("id>=5", True),
        ("id<=5", True),
        ("id<5", False),
        ("age<4", False),
        ("age<100", True),
        ("age<1e3", True),
        ("age> 4", True),
        ("age>4 ", False),
        ("name>Aaa", True),
        ("name<B", True),
        ("name>=Ada", True),
        ("id>abc", False),
        ("missing<a", True),
        ("id>=4<=9", True),
    ],
)
def test_a_row_is_compared_with_a_value(text: str, is_true: bool):
    assert hold(read_conditions(text), USER) is is_true


@pytest.mark.parametrize(
    ("text", "value", "is_true"),
    [
        ("a~~%min%", "admin", True),
        ("a~~min", "admin", False),
        ("a~~ad%", "admin", True),
        ("a~~%AD%", "admin", False),
        ("a~~a.min", "admin", False),
        ("a~~%", "", True),
        ("a~~%", "two\nlines", False),
        ("a~~one%", "one line\n", True),
        ("a~~one", "one\n", True),
        ("a~~one", "one\n\n", False),
        ("a~~%[x]%", "a[x]b", True),
        ("a!~%min%", "admin", False),
        ("a!~%min%", "user", True),
        ("a!~%", "two\nlines", True),
    ],
)
def test_a_percent_sign_stands_for_any_text_on_one_line(text: str, value: str, is_true: bool):
    assert hold(read_conditions(text), {"a": value}) is is_true


@pytest.mark.parametrize(
    ("text", "is_true"),
    [
        ("id==5&name==Ada", True),
        ("id==5&name==Eve", False),
        ("id==1|name==Ada", True),
        ("id==1|id==2", False),
        ("id==5|id==1&name==Eve", True),
        ("id==1&id==5|name==Ada", True),
        ("id==1&id==5|name==Eve", False),
    ],
)
def test_and_binds_tighter_than_or(text: str, is_true: bool):
    assert hold(read_conditions(text), USER) is is_true


@pytest.mark.parametrize(
    ("row", "text", "is_true"),
    [
        ("admin", "scalar==admin", True),
        (5, "scalar>4", True),
        (None, "scalar==", True),
        (5, "id==5", False),
        ([10, 20], "1==20", True),
        ({"scalar": 1}, "scalar==1", True),
    ],
)
def test_a_row_that_is_no_object_is_called_scalar(row: Any, text: str, is_true: bool):
    assert hold(read_conditions(text), row) is is_true


def test_whole_numbers_are_compared_exactly():
    row = {"id": 123456789012345678}

    assert hold(read_conditions("id>123456789012345677"), row)
    assert not hold(read_conditions("id>123456789012345678"), row)
    assert hold(read_conditions("id<1e30"), row)


def test_decimals_are_compared_as_numbers():
    assert hold(read_conditions("price>=9.5"), {"price": Float("9.50")})
    assert hold(read_conditions("price<10"), {"price": Float("9.50")})


@pytest.mark.parametrize(
    ("text", "wrong"), [("id", "id"), ("id=5", "id=5"), ("id==5&", ""), ("|id==5", ""), ("a==1&b|c==2", "b")]
)
def test_a_condition_without_an_operator_is_the_users_error(text: str, wrong: str):
    with pytest.raises(UserError) as caught:
        read_conditions(text)

    assert str(caught.value).startswith(
        f"Error creating a filter from {wrong}: Operator couldn't be determined. "
        "Please use one of [==, !=, >=, <=, >, <, ~~, !~, >, <]"
    )


def test_comparing_an_object_is_the_users_error():
    with pytest.raises(UserError, match="'box', which is an object"):
        hold(read_conditions("box==1"), USER)


paths = st.sampled_from(["id", "name", "box.size", "missing", "a b"])
plain = st.text("ab05 .%-", max_size=4)
operators = st.sampled_from(["==", "!=", ">=", "<=", "~~", "!~", ">", "<"])
conditions = st.tuples(paths, operators, plain)
groups = st.lists(st.lists(conditions, min_size=1, max_size=3), min_size=1, max_size=3)


@given(groups)
@examples(200)
def test_what_is_written_is_what_is_read(groups: list[list[tuple[str, str, str]]]):
    text = "|".join("&".join("".join(condition) for condition in group) for group in groups)

    found = read_conditions(text)

    assert [[(c.path, c.operator, c.value) for c in group] for group in found] == groups


@given(groups, st.dictionaries(st.sampled_from(["id", "name"]), st.none() | st.integers(-9, 9) | plain))
@examples(200)
def test_any_filter_holds_when_all_of_one_group_do(groups: list[list[tuple[str, str, str]]], row: dict[str, Any]):
    text = "|".join("&".join("".join(condition) for condition in group) for group in groups)
    alone = {condition: hold(read_conditions("".join(condition)), row) for group in groups for condition in group}

    assert hold(read_conditions(text), row) is any(all(alone[condition] for condition in group) for group in groups)


@given(paths, plain, st.dictionaries(st.sampled_from(["id", "name"]), st.none() | st.integers(-9, 9) | plain))
@examples(200)
def test_opposite_operators_never_agree(path: str, value: str, row: dict[str, Any]):
    def holds(operator: str) -> bool:
        return hold(read_conditions(f"{path}{operator}{value}"), row)

    assert holds("==") is not holds("!=")
    assert holds("~~") is not holds("!~")
    assert holds("<") is not holds(">=")
    assert holds(">") is not holds("<=")


@given(st.text(max_size=12), st.text(max_size=4))
@examples(200)
def test_any_text_is_a_filter_or_the_users_error(text: str, value: str):
    try:
        hold(read_conditions(text), {"a": value, "": value})
    except UserError:
        return


@pytest.mark.parametrize(("filter_", "value"), [("t~~" + "%a" * 30 + "%c", "a" * 5000), ("t>5", "1" * 100_000 + "x")])
def test_a_hostile_value_takes_no_time(filter_: str, value: str):
    assert not hold(read_conditions(filter_), {"t": value})


@given(st.text("ab%\n", max_size=8), st.text("ab\n", max_size=10))
def test_a_pattern_means_what_its_plain_regex_means(pattern: str, text: str):
    plain = ".*".join(map(re.escape, pattern.split("%")))
    assert hold(read_conditions(f"t~~{pattern}"), {"t": text}) is (re.fullmatch(rf"{plain}\n?", text) is not None)
