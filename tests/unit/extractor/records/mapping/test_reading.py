from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.mapping import check_mappings
from tests.unit.extractor.records.mapping.writing import DISABLED, ID, column, table

BAD = "Bad Json to CSV Mapping configuration: "


def check(mapping: Any) -> Layout:
    return check_mappings({"users": mapping})["users"].table


def complaint(mapping: Any, **more: Any) -> str:
    with pytest.raises(UserError) as refused:
        check_mappings({"users": mapping}, **more)
    return str(refused.value)


@pytest.mark.parametrize("nothing", [None, {}, [], "", 0, False])
def test_no_mappings_are_no_tables(nothing: Any):
    assert check_mappings(nothing) == {}


@pytest.mark.parametrize("mapping", [None, {}, [], "", "0", 0, False])
def test_an_empty_mapping_is_refused(mapping: Any):
    assert complaint(mapping) == "Empty mapping for 'users' data type in 'mappings' config."


@pytest.mark.parametrize(("mapping", "name"), [("id", "string"), (5, "integer"), (True, "boolean"), (1.5, "double")])
def test_a_mapping_must_be_a_map(mapping: Any, name: str):
    assert complaint(mapping) == (
        f"Mapping must be 'array' type, '{name}' type given, for 'users' data type in 'mappings' config."
    )


def test_mappings_must_be_a_map():
    with pytest.raises(UserError, match="'mappings' property must be an array"):
        check_mappings("users")


def test_the_short_and_the_long_form_of_a_column_are_the_same():
    short = check_mappings({"users": {"id": "ID"}})

    assert short == check_mappings({"users": {"id": {"mapping": {"destination": "ID"}}}})
    assert short == check_mappings({"users": {"id": column("ID")}})


@pytest.mark.parametrize(
    ("entry", "key"), [("x", "0"), ("x", "-5"), ({}, "id"), (7, "id"), ("", "id"), ({"mapping": "x"}, "id")]
)
def test_a_column_without_a_destination_is_refused(entry: Any, key: str):
    assert complaint({key: entry}) == f"{BAD}Key 'mapping.destination' is not set for column '{key}'."


@pytest.mark.parametrize("key", ["00", "-0", "1.0", "+1", " 1", "9223372036854775808", "٣", "a", ""])
def test_a_key_that_only_looks_like_a_number_can_be_short(key: str):
    assert check({key: "x"}).header == ("x",)


def test_a_list_is_a_mapping_by_index():
    assert check([column("first"), column("second")]).header == ("first", "second")


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        ({"destination": "tags"}, "tableMapping"),
        ({"destination": "tags", "tableMapping": []}, "tableMapping"),
        ({}, "tableMapping"),
        ({"tableMapping": {"a": "a"}}, "destination"),
        ({"tableMapping": {"a": "a"}, "destination": ""}, "destination"),
    ],
)
def test_a_table_without_its_pieces_is_refused(entry: Any, missing: str):
    assert complaint({"tags": {"type": "table", **entry}}) == f"{BAD}Key '{missing}' is not set for table 'tags'."


def test_mistakes_in_child_tables_are_found_too():
    assert complaint({"tags": table("tags", {"a": {}})}) == f"{BAD}Key 'mapping.destination' is not set for column 'a'."
    assert complaint({"tags": table("tags", {"a": column("a", type="odd")})}).startswith('Invalid mapping type "odd".')


@pytest.mark.parametrize(("kind", "shown"), [("date", "date"), (5, "5"), (["user"], "Array"), ({"a": 1}, "Array")])
def test_an_unknown_type_is_refused(kind: Any, shown: str):
    assert complaint({"a": column("a", type=kind)}).startswith(f'Invalid mapping type "{shown}".')


def test_what_the_first_rows_would_miss_is_told_before_an_unknown_type():
    mapping = {"a": column("a", type="date"), "b": {}}

    assert complaint(mapping) == f"{BAD}Key 'mapping.destination' is not set for column 'b'."


@pytest.mark.parametrize("kind", [None, "", 0, False])
def test_an_empty_type_is_a_column(kind: Any):
    assert check({"a": column("b", type=kind)}).header == ("b",)


@pytest.mark.parametrize(("kind", "shown"), [({}, "column"), ({"type": "user"}, "user")])
def test_a_mapping_that_no_job_uses_has_a_message_of_its_own(kind: dict[str, str], shown: str):
    assert complaint({"a": kind}, used=["orders"]) == f'Missing mapping key at item with type "{shown}"'
    assert complaint({"a": kind}, used=["users"]).startswith(f"{BAD}Key 'mapping.destination'")


@pytest.mark.parametrize("parent_key", [{}, {"disable": False}, {"destination": "x"}, None])
def test_items_of_the_same_table_need_a_disabled_parent_key(parent_key: Any):
    mapping = {**ID, "replies": {"type": "table", "destination": "users", "parentKey": parent_key}}

    assert complaint(mapping) == f"{BAD}'parentKey.disable' must be true to parse child values into parent's table"


@pytest.mark.parametrize(("key", "delimiter"), [(".", "."), ("/", "/"), ("", ".")])
def test_a_row_cannot_be_its_own_item(key: str, delimiter: str):
    mapping = {key: table("users", {}, parentKey=DISABLED, delimiter=delimiter)}

    assert "without end" in complaint(mapping)


@pytest.mark.parametrize("name", ["a/b", "/", "a\0b"])
def test_a_table_that_cannot_be_a_file_is_refused(name: str):
    with pytest.raises(UserError, match="cannot be a file"):
        check_mappings({name: {"id": "id"}})
    assert "cannot be a file" in complaint({"tags": table(name, {".": "tag"})})


def test_a_mapping_without_a_data_type_is_refused():
    with pytest.raises(UserError, match="cannot be a file"):
        check_mappings({"": {"id": "id"}})


def test_column_names_may_hold_anything():
    assert check({"a": "per/cent", "b": "a b", "c": 'q"'}).header == ("per/cent", "a b", 'q"')


@pytest.mark.parametrize(
    "mapping",
    [
        {"a": "x", "b": "x"},
        {"a": "x", "b": column("x", type="user")},
        {"a": "tags", "tags": table("tags", {".": "tag"})},
        {"tags": table("tags", {".": "users_pk"})},
        {"a": table("tags", {".": "a"}), "b": table("tags", {".": "a"})},
    ],
)
def test_two_columns_of_one_name_are_refused(mapping: Any):
    assert "Two columns of the mapped table" in complaint(mapping)


def test_a_disabled_or_renamed_link_may_give_its_name_to_a_column():
    tags = table("tags", {".": "users_pk"}, parentKey=DISABLED)
    notes = table("notes", {".": "users_pk"}, parentKey={"destination": "user"})

    assert check({"a": "tags", "tags": tags, "notes": notes}).header == ("tags", "notes")


def test_tables_inside_each_other_have_an_end():
    mapping: dict[str, Any] = {"a": "a"}
    for level in range(60):
        mapping = {"a": table(f"t{level}", mapping)}

    assert "stand inside each other" in complaint(mapping)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "0", "a", ".", "table", "users"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "mapping", "destination", "tableMapping", "parentKey", "disable", "a", "0", ""]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(mappings=JSON)
def test_any_mapping_is_read_or_refused_with_a_sentence(mappings: Any):
    with suppress(UserError):
        check_mappings(mappings)
    with suppress(UserError):
        check_mappings(mappings, used=())
