"""Pages into tables: that they are drafted, spooled and written again must never show."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.row_ids import row_id
from penstock.extractor.records.struct import read_struct, write_struct
from penstock.extractor.records.tree import Tree
from tests.support.examples import examples
from tests.unit.extractor.records import reference
from tests.unit.extractor.results.writing import Rows, flattened, users


def test_pages_of_one_layout_are_written_in_order():
    assert users([{"a": 1}], [{"a": 2}], [{"a": 3}]) == {"users": '"a"\n"1"\n"2"\n"3"\n'}


def test_pages_before_a_new_column_are_written_again():
    assert users([{"a": 1}], [{"a": 2, "b": 3}], [{"a": 4}]) == {"users": '"a","b"\n"1",""\n"2","3"\n"4",""\n'}


def test_a_value_that_later_becomes_a_list_moves_to_its_own_table():
    tables = users([{"a": 1}], [{"a": [2, 3]}])

    assert [line.split(",")[0] for line in tables["users_a"].splitlines()] == ['"data"', '"1"', '"2"', '"3"']


@pytest.mark.parametrize("page", [[], [None]])
def test_pages_without_records_leave_no_table_and_are_told_in_debug_mode(page: list[Any]):
    log = io.StringIO()

    assert flattened([("users", page, {"team": "a"})], log=log) == {}
    assert "logger.DEBUG: No data returned in 'users' [] []" in log.getvalue()


@pytest.mark.parametrize("page", [[{}, {}], [None, None]])
def test_records_that_hold_nothing_are_blank_lines(page: list[Any]):
    assert users(page) == {"users": "\n\n"}


def test_a_list_directly_inside_a_list_is_a_warning_with_an_example():
    log = io.StringIO()

    flattened([("rows", [[1, 2], ["x"]], {})], log=log)

    assert "logger.WARNING: Converting nested array 'rows.[]' to JSON string. " in log.getvalue()
    assert '{"item":"[1,2]"}' in log.getvalue()


def test_the_same_columns_of_one_table_name_are_one_table_in_the_order_of_the_pages():
    tables = flattened([("a/b", [{"x": 1}], {}), ("a.b", [{"x": 2}], {}), ("a/b", [{"x": 3}], {})])

    assert tables == {"a_b": '"x"\n"1"\n"2"\n"3"\n'}


def test_different_columns_of_data_types_of_one_table_name_are_the_users_error():
    with pytest.raises(UserError, match=r"^Multiple results for 'a_b' table have different columns!"):
        flattened([("a/b", [{"x": 1}], {}), ("a.b", [{"y": 2}], {})])


@pytest.mark.parametrize("key", ["日本", "@", "é", "_", ""])
def test_a_list_under_a_key_without_letters_has_a_table_called_after_its_place(key: str):
    digits = hashlib.md5(f"users\0{key}".encode()).hexdigest()[:8]
    tables = users([{"id": 1, key: [2]}])

    assert set(tables) == {"users", f"users_{digits}"}
    assert tables["users"].startswith('"id","_u0"\n"1","users_')
    assert tables[f"users_{digits}"].startswith('"data","JSON_parentId"\n"2","users_')


@pytest.mark.parametrize("items", [[2], [{"x": 2}]])
def test_lists_whose_keys_differ_only_in_signs_have_a_table_each(items: list[Any]):
    digits = hashlib.md5(b"users\0a.b").hexdigest()[:8]
    tables = users([{"a b": [1], "a.b": items, "a_c": [3], "a": {"c": [4]}}])

    assert len(tables) == 5
    assert tables["users_a_b"].splitlines()[1].startswith('"1"')
    assert tables[f"users_a_b_{digits}"].splitlines()[1].startswith('"2"')
    assert tables["users_a_c"].splitlines()[1].startswith('"3"')


def test_a_key_and_the_same_keys_in_an_object_have_a_table_each():
    tables = users([{"a.b": [1], "a": {"b": [2]}}])

    assert [tables[name].splitlines()[1][:3] for name in sorted(tables)[1:]] == ['"1"', '"2"']


def test_a_list_gives_way_to_a_data_type_of_its_name_whichever_comes_first():
    batches: list[Rows] = [("users", [{"tags": [1]}], {}), ("users/tags", [{"id": 2}], {})]
    tables = flattened(batches)

    digits = hashlib.md5(b"users\0tags").hexdigest()[:8]
    assert tables["users_tags"] == '"id"\n"2"\n'
    assert tables[f"users_tags_{digits}"].startswith('"data","JSON_parentId"\n"1"')
    assert flattened(batches[::-1]) == tables


def test_data_types_that_share_a_table_share_those_of_their_lists():
    tables = flattened([("a/b", [{"l": [1]}], {}), ("a.b", [{"l": [2]}], {})])

    assert set(tables) == {"a_b", "a_b_l"}


def test_tables_of_lists_keep_their_names_when_a_later_run_brings_a_list_of_the_same_name():
    tree = Tree()
    first = flattened([("users", [{"a": {"x": 1}, "a_b": [1]}], {})], tree)
    state = json.loads(json.dumps(write_struct(tree)))
    tree = read_struct(state)
    second = flattened([("users", [{"a": {"b": [2]}, "a_b": [1]}], {})], tree)
    third = flattened([("users", [{"a": {"b": [2]}, "a_b": [1]}], {})], read_struct(write_struct(tree)))

    assert set(first) == {"users", "users_a_b"}
    assert second["users_a_b"].startswith('"data","JSON_parentId"\n"1"')
    assert len(second) == 3
    assert third == second


def owners(tables: dict[str, str]) -> dict[str, str]:
    """Table of each list, by the text that all its items have."""
    return {line.split(",")[0].strip('"'): name for name, text in tables.items() for line in text.splitlines()[1:]}


looks_alike = st.dictionaries(st.sampled_from(["a b", "a_b", "a.b", "a-b", "a b "]), st.booleans(), min_size=1)


@given(st.lists(looks_alike, min_size=2, max_size=4))
def test_a_list_keeps_its_table_in_all_later_runs(runs: list[dict[str, bool]]):
    tree, known = Tree(), dict[str, str]()
    for run in runs:
        row = {key: [f"in {key}"] if is_list else f"in {key}" for key, is_list in run.items()}
        tables = flattened([("x", [{"id": 1, **row}], {})], tree)
        lists = owners({name: text for name, text in tables.items() if name != "x"})
        assert len(set(lists.values())) == len(lists)
        assert {place: lists[place] for place in known if place in lists}.items() <= known.items()
        known |= lists
        tree = read_struct(json.loads(json.dumps(write_struct(tree))))


def test_a_list_that_comes_later_does_not_take_the_table_of_one_that_is_known():
    tree = Tree()
    first = flattened([("x", [{"a b": 1, "a_b": ["known"]}], {})], tree)
    for _ in range(2):
        tree = read_struct(json.loads(json.dumps(write_struct(tree))))
        later = flattened([("x", [{"a b": ["new"], "a_b": ["known"]}], {})], tree)

        assert owners(first)["known"] == owners(later)["known"] == "x_a_b"


def test_a_table_without_a_name_is_the_users_error():
    with pytest.raises(UserError, match="Set the job's `dataType`"):
        flattened([("é", [{"a": 1}], {})])


def test_extra_columns_come_last_in_the_order_given():
    tables = flattened([("users", [{"id": 1}, {"id": 2}], {"team": "a", "year": 2024, "ok": True, "no": None})])

    assert tables == {"users": '"id","team","year","ok","no"\n"1","a","2024","1",""\n"2","a","2024","1",""\n'}


def test_extra_columns_are_no_columns_of_the_tables_below():
    tables = flattened([("users", [{"tags": ["x"]}], {"team": "a"})])

    assert tables["users_tags"].startswith('"data","JSON_parentId"\n"x",')


def test_an_extra_column_is_part_of_what_identifies_the_row():
    tables = flattened([("users", [{"tags": ["x"]}], {"team": "a"})])

    assert row_id("users", {"tags": ["x"], "team": "a"}) in tables["users"]


def test_an_extra_column_called_like_a_data_column_is_renamed():
    tables = flattened([("users", [{"parent_id": 7}], {"parent_id": 1})])

    assert tables == {"users": '"parent_id","parent_id_u0"\n"7","1"\n'}


def test_a_renamed_extra_column_identifies_the_row_under_its_new_name():
    tables = flattened([("users", [{"tag": 1, "list": ["x"]}], {"tag": "mine"})])

    assert row_id("users", {"tag": 1, "list": ["x"], "tag_u0": "mine"}) in tables["users"]


def test_a_renamed_extra_column_stays_renamed_in_the_tables_that_follow():
    tag = {"tag": "x"}
    tables = flattened([("plain", [{"id": 1}], tag), ("users", [{"tag": 1}], tag), ("orders", [{"id": 2}], tag)])

    assert [tables[name].splitlines()[0] for name in ("plain", "users", "orders")] == [
        '"id","tag"',
        '"tag","tag_u0"',
        '"id","tag_u0"',
    ]


def test_the_clash_may_come_with_the_last_page():
    tables = flattened([("users", [{"id": 1}], {"tag": "x"}), ("users", [{"tag": 5}], {"tag": "x"})])

    assert tables == {"users": '"id","tag","tag_u0"\n"1","","x"\n"","5","x"\n'}


def test_an_extra_column_that_only_looks_like_a_data_column_gets_a_number():
    tables = flattened([("users", [{"parent_id": 7}], {"parent.id": 1})])

    assert tables == {"users": '"parent_id","parent_id_u0"\n"7","1"\n'}


def test_pages_may_bring_different_extra_columns():
    tables = flattened([("users", [{"id": 1}], {"a": 1}), ("users", [{"id": 2}], {"b": 2}), ("users", [{"id": 3}], {})])

    assert tables == {"users": '"id","a","b"\n"1","1",""\n"2","","2"\n"3","",""\n'}


def test_a_clash_on_the_link_at_the_root_renames_the_links_below():
    tables = flattened([("users", [{"JSON_parentId": 1, "tags": ["x"]}], {"JSON_parentId": "mine"})])

    assert tables["users"].startswith('"JSON_parentId","tags","JSON_parentId_u0"\n"1",')
    assert tables["users_tags"].startswith('"data","JSON_parentId_u0"\n')


@pytest.mark.parametrize(
    ("record", "extra", "header"),
    [
        ({"@": 1}, {}, '"_u0"'),
        ({"@": 1, "ů": 2, "a": 3, "": 4}, {}, '"_u2","_u0","a","_u1"'),
        ({"@": 1, "_u0": 2}, {}, '"_u0","u0"'),
        ({"日": {"本": 1}, "é": {"a": 2}}, {}, '"_u0","a"'),
        ({"id": 1}, {"@": 2}, '"id","_u0"'),
        ({"é": 1}, {"@": 2}, '"_u0","_u1"'),
    ],
)
def test_a_column_without_letters_has_a_number_for_a_name(record: dict[str, Any], extra: dict[str, Any], header: str):
    assert flattened([("users", [record], extra)])["users"].splitlines()[0] == header


def test_a_column_that_the_state_knows_without_a_name_gets_one():
    tree = Tree()
    tree.learn("users", Column([{"@": 1}]), lambda message, item: None)
    struct = write_struct(tree)
    struct["data"]["_users"]["[]"]["_@"]["headerNames"] = ""

    assert flattened([("users", [{"@": 2}], {})], read_struct(struct)) == {"users": '"_u0"\n"2"\n'}


def test_an_object_among_the_extra_columns_is_json_text():
    tables = flattened([("users", [{"id": 1}], {"who": {"a": [1, "x/y"]}})])

    assert tables == {"users": '"id","who"\n"1","{""a"":[1,""x\\/y""]}"\n'}


def test_columns_known_from_an_earlier_run_appear_in_front_and_empty():
    tree = Tree()
    tree.learn("users", Column([{"old": 1, "gone": ["x"]}]), lambda message, item: None)

    tables = flattened([("users", [{"new": 1, "old": 2}], {})], read_struct(write_struct(tree)))

    assert tables == {"users": '"old","gone","new"\n"2","","1"\n'}


# Names that become equal when they are tidied, names of lists that end in one table, and the name of the link.
keys = st.sampled_from(["id", "a", "b", "a.b", "a_b", "_x", "x", "é", "JSON_parentId", "JSON.parentId", "[]", "tag"])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(['"', 'a"b', "a\r\nb", ","])
floats = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: Float(repr(value)))
scalars = st.none() | st.booleans() | st.integers() | floats | texts
nested = st.recursive(
    st.integers(0, 3) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=10,
)
listed = st.lists(st.dictionaries(keys, scalars | st.lists(scalars, max_size=2), max_size=3), max_size=3)
records = st.dictionaries(keys, scalars | nested | listed, max_size=4) | st.none()
extras = st.dictionaries(st.sampled_from(["tag", "a", "a_u0", "a.b", "JSON_parentId", "id"]), scalars, max_size=3)
batches: st.SearchStrategy[list[Rows]] = st.lists(
    st.tuples(st.sampled_from(["t", "t.a", "t_a", "u"]), st.lists(records, max_size=3), extras), max_size=4
)


@given(batches)
@examples(400)
def test_any_pages_become_the_tables_that_the_rules_say(batches: list[Rows]):
    assert_same(reference.Model(), Tree(), batches)


@given(batches, batches)
@examples(200)
def test_any_pages_after_an_earlier_run_become_the_tables_that_the_rules_say(before: list[Rows], batches: list[Rows]):
    model, tree = reference.Model(), Tree()
    assume(assert_same(model, tree, before))

    remembered = json.loads(json.dumps(write_struct(tree)))

    assert_same(model.later(), read_struct(remembered), batches)


def assert_same(model: reference.Model, tree: Tree, batches: list[Rows]) -> bool:
    """Whether there are tables at all."""
    try:
        expected = model.tables(batches)
    except reference.TooLong:
        return False
    except reference.Refused:
        with pytest.raises(UserError):
            flattened(batches, tree)
        return False
    assert flattened(batches, tree) == expected
    return True
