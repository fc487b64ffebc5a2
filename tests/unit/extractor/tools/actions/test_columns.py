from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.mapping import Mapper, check_mappings
from penstock.extractor.tools.actions.columns import WantedColumn, infer_columns
from tests.support.examples import examples


def infer(
    *records: Any, levels: int = 2, keys: list[str] | None = None, wanted: list[WantedColumn] | None = None
) -> Any:
    return infer_columns(list(records), levels, keys or [], wanted or [])


def as_json(destination: str) -> dict[str, Any]:
    return {"type": "column", "mapping": {"destination": destination}, "forceType": True}


def test_scalars_become_columns_in_the_order_in_which_they_are_met():
    assert infer({"b": 1, "a": None}, {"c": "x", "a": True}) == {"b": "b", "a": "a", "c": "c"}


def test_objects_are_descended_as_many_levels_as_asked():
    record = {"a": {"b": {"c": {"d": 1}}}, "e": 2}

    assert infer(record, levels=0) == {"a": as_json("a"), "e": "e"}
    assert infer(record, levels=1) == {"a.b": as_json("a_b"), "e": "e"}
    assert infer(record, levels=2) == {"a.b.c": as_json("a_b_c"), "e": "e"}
    assert infer(record, levels=3) == {"a.b.c.d": "a_b_c_d", "e": "e"}


@pytest.mark.parametrize("values", [[[1, 2]], [[]], [1, {"x": 1}], [1, [2]], [{"x": 1}, [1]], [{}]])
def test_lists_and_mixed_values_are_kept_as_json(values: list[Any]):
    assert infer(*({"a": value} for value in values)) == {"a": as_json("a")}


def test_null_goes_with_everything():
    assert infer({"a": None}, {"a": {"b": 1}}, {"a": None}) == {"a.b": "a_b"}
    assert infer({"a": [1]}, {"a": None}) == {"a": as_json("a")}


def test_primary_keys_are_marked():
    assert infer({"id": 1, "at": {"zip": 2}, "l": []}, keys=["at.zip", "id", "l"]) == {
        "id": {"mapping": {"destination": "id", "primaryKey": True}},
        "at.zip": {"mapping": {"destination": "at_zip", "primaryKey": True}},
        "l": {"type": "column", "mapping": {"destination": "l", "primaryKey": True}, "forceType": True},
    }


def test_a_primary_key_that_is_no_column_is_a_mistake():
    with pytest.raises(UserError, match="The primary key 'nope' is not a column of the records"):
        infer({"id": 1}, keys=["nope"])


@pytest.mark.parametrize(
    ("name", "column"),
    [("user-id", "user_id"), ("$ref", "ref"), ("__x", "_x"), ("a b", "a_b"), ("é", "column"), ("", "column")],
)
def test_columns_have_names_that_tables_can_have(name: str, column: str):
    assert infer({name: 1}) == {name: column}


def test_columns_of_one_name_are_numbered():
    records = {"a": {"b": 1}, "a_b": 2, "a-b": 3, "a_b_1": 4}

    assert list(infer(records).values()) == ["a_b", "a_b_1", "a_b_2", "a_b_1_1"]


def test_a_name_with_a_dot_gets_another_delimiter():
    assert infer({"a.b": {"c": 1}}) == {
        "a.b/c": {"type": "column", "mapping": {"destination": "a_b_c"}, "delimiter": "/"}
    }


def test_a_name_that_is_a_number_has_no_short_form():
    assert infer({"0": 1}) == {"0": {"type": "column", "mapping": {"destination": "0"}}}


def test_records_that_are_no_objects_are_one_column():
    assert infer(1, "x") == {".": "data"}
    assert infer([1], [2]) == {".": as_json("data")}
    assert infer({"a": 1}, 2) == {".": as_json("data")}


def test_columns_that_the_run_adds_come_last():
    wanted = [WantedColumn("source", "source"), WantedColumn("parent_id", "parent_id", is_key=True)]

    assert infer({"id": 1}, wanted=wanted) == {
        "id": "id",
        "source": {"type": "user", "mapping": {"destination": "source"}},
        "parent_id": {"type": "user", "mapping": {"destination": "parent_id", "primaryKey": True}},
    }


def test_a_column_that_the_run_adds_must_not_be_one_of_the_records():
    with pytest.raises(UserError, match="The column 'parent_id' is already among the columns of the records"):
        infer({"parent_id": 1}, wanted=[WantedColumn("parent_id", "parent_id", is_key=True)])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@examples(50)
@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "a_b", "c-d", "x"]), VALUES, min_size=1), min_size=1))
def test_an_inferred_mapping_maps_the_records_it_was_inferred_from(records: list[Any]):
    try:
        mapping = infer_columns(records, 2, [], [])
    except UserError:
        return  # two paths that no delimiter keeps apart
    tables: list[tuple[str, ...]] = []

    Mapper("t", check_mappings({"t": mapping})["t"]).write(
        records, {}, lambda table, _lines, _count: tables.append(table.header)
    )

    assert len(set(tables[0])) == len(tables[0]) == len(mapping)
