from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.children.placeholders import Parents, descend

NOBODY = Parents()
VALUE = {"placeholder": "value"}


def endpoints(template: str, row: Any, wanted: dict[str, Any], parents: Parents = NOBODY) -> list[str]:
    return [below.fill(template) for below in descend(parents, row, wanted)]


def below(row: Any, wanted: dict[str, Any], parents: Parents = NOBODY) -> Parents:
    (only,) = descend(parents, row, wanted)
    return only


@pytest.mark.parametrize(
    ("value", "text"), [(5, "5"), ("a b/c", "a b/c"), (True, "1"), (False, ""), (None, ""), (1.5, "1.5")]
)
def test_a_value_fills_the_endpoint_as_it_is(value: Any, text: str):
    assert endpoints("user/{id}/x/{id}", {"id": value}, {"id": "id"}) == [f"user/{text}/x/{text}"]


def test_a_path_may_be_nested_and_the_whole_row():
    assert endpoints("u/{a}", {"info": {"ids": [7, 8]}}, {"a": "info.ids.1"}) == ["u/8"]
    assert endpoints("u/{a}", 7, {"a": "."}) == ["u/7"]


def test_an_unknown_name_stays():
    assert endpoints("u/{id}/{other}", {"id": 1}, {"id": "id"}) == ["u/1/{other}"]


def test_a_list_multiplies_the_runs_and_the_last_placeholder_is_the_fastest():
    row = {"a": [1, 2], "b": ["x", "y"], "c": 0}

    assert endpoints("{a}{b}{c}", row, {"a": "a", "b": "b", "c": "c"}) == ["1x0", "1y0", "2x0", "2y0"]


def test_an_empty_list_means_no_run():
    assert endpoints("{a}{b}", {"a": [], "b": 1}, {"a": "a", "b": "b"}) == []


def test_without_any_placeholder_there_is_no_run():
    assert list(descend(NOBODY, {"id": 1}, {})) == []


def test_inherited_placeholders_are_enough():
    first = below({"id": 1}, {"id": "id"})

    again = below({"x": 2}, {}, first)

    assert again.fill("a/{id}") == "a/1"
    assert again.records == ({"x": 2}, {"id": 1})


def test_levels_count_upwards_from_the_nearest_row():
    grandparent = below({"id": "g"}, {"1:g": "id"})
    parent = below({"id": "p"}, {"1:p": "id", "2:q": "id"}, grandparent)

    found = below({"id": "c"}, {"c": "id", "2:p2": "id", "3:g3": "id"}, parent)

    assert found.fill("{c}{2:p2}{3:g3}{1:p}{2:q}{1:g}") == "cpgpgg"


@pytest.mark.parametrize(
    ("name", "level"), [("2:id", 2), ("0:id", 0), ("x:id", 0), (":id", 0), ("-1:id", 0), ("9999999999999:id", 0)]
)
def test_a_level_that_is_not_there_is_the_users_error(name: str, level: int):
    with pytest.raises(UserError) as caught:
        below({"id": 1}, {name: "id"})

    assert str(caught.value).startswith(f"Level {level} not found in parent results! Maximum level: 1")


@pytest.mark.parametrize(("row", "path"), [({}, "id"), ({"id": {}}, "id.x"), ({"id": [None]}, "id.0"), (5, "id")])
def test_a_missing_value_is_the_users_error(row: Any, path: str):
    with pytest.raises(UserError) as caught:
        below(row, {"1:user": path})

    assert str(caught.value).startswith("No value found for 1:user in parent result. (level: 1)")


@pytest.mark.parametrize("value", [{"a": 1}, {}, [[1]], [{"a": 1}]])
def test_a_value_without_a_text_is_the_users_error(value: Any):
    with pytest.raises(UserError, match="placeholder 'user' at 'id'"):
        below({"id": value}, {"user": "id"})


@pytest.mark.parametrize("source", [{"function": "md5"}, {}, [], None, True, "", {"path": ""}, {"path": ["x"]}])
def test_a_source_without_a_path_is_the_users_error(source: Any):
    with pytest.raises(UserError) as caught:
        below({"id": 1}, {"user": source})

    assert str(caught.value).startswith(
        "The path for placeholder 'user' must be a string value or an object containing 'path' and 'function'."
    )


def test_an_object_with_nothing_but_a_path_is_that_path():
    assert endpoints("{a}{b}", {"id": 1, "0": 2}, {"a": {"path": "id"}, "b": {"path": 0}}) == ["12"]


def test_a_value_may_go_through_a_function():
    padded = {"path": "id", "function": "sprintf", "args": ["%'.05d", VALUE]}
    encoded = {"path": "name", "function": "urlencode", "args": [VALUE]}

    found = below({"id": 3, "name": "a b"}, {"id": padded, "name": encoded, "same": {"path": "id", **VALUE}})

    assert found.fill("{id}/{name}/{same}") == "00003/a+b/3"
    assert found.columns == {"parent_id": 3, "parent_name": "a+b"}


def test_a_function_may_ask_for_nothing_but_the_value():
    with pytest.raises(UserError, match="placeholder 'other' not found!"):
        below({"id": 3}, {"id": {"path": "id", "function": "md5", "args": [{"placeholder": "other"}]}})


def test_columns_are_called_after_paths_with_one_prefix():
    found = below({"id": 1, "parent_x": "p", "a": {"b": True}}, {"u": "id", "v": "parent_x", "w": "a.b"})

    assert found.columns == {"parent_id": 1, "parent_x": "p", "parent_a.b": True}
    assert below("x", {"u": "."}).columns == {"parent_.": "x"}


def test_of_equal_columns_the_last_value_wins_in_the_first_place():
    parent = below({"id": 1, "name": "a"}, {"1:id": "id", "n": "name"})

    found = below({"id": 2}, {"own": "id"}, parent)

    assert list(found.columns.items()) == [("parent_id", 2), ("parent_name", "a")]
    assert found.fill("{1:id}/{own}") == "1/2"


def test_an_own_placeholder_replaces_the_inherited_one_of_its_full_name_in_its_place():
    parent = below({"a": 1, "b": 2}, {"1:x": "a", "y": "b"})

    found = below({"c": 3}, {"z": "c", "1:x": "c", "2:y": "b"}, parent)

    assert [(each.name, each.value) for each in found.placeholders] == [("1:x", 3), ("y", 2), ("z", 3), ("2:y", 2)]


def test_a_column_holds_the_element_that_a_run_is_for():
    runs = list(descend(NOBODY, {"ids": [1, "b", None]}, {"id": "ids"}))

    assert [run.columns for run in runs] == [{"parent_ids": 1}, {"parent_ids": "b"}, {"parent_ids": None}]


values = st.integers(0, 9) | st.lists(st.integers(0, 9), max_size=3)


@given(st.lists(values, min_size=1, max_size=4))
def test_runs_are_all_combinations_in_order(values: list[Any]):
    row = {str(index): value for index, value in enumerate(values)}
    lists = [value if isinstance(value, list) else [value] for value in values]

    template = "/".join(f"{{p{index}}}" for index in range(len(values)))
    found = endpoints(template, row, {f"p{key}": key for key in row})

    assert found == ["/".join(map(str, each)) for each in product(*lists)]
