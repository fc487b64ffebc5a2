from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.legacy import Legacy
from penstock.extractor.records.row_ids import row_id
from penstock.extractor.records.serialized import ConfigMap
from tests.unit.extractor.records.legacy.reading import Batch, Lines, md5, read, tables


def test_the_parser_says_that_it_turns_single_values_into_lists():
    assert read([]).lines.of("DEBUG")[0] == ("Using automatic conversion of single values to arrays where required.")


def test_a_layout_holds_the_path_the_name_and_the_header():
    legacy, found = Legacy(None, Lines()), list[tuple[Layout, bytes]]()
    legacy.learn("v1/users", [{"x y": 1}])

    legacy.write("v1/users", [{"x y": 1}], {"tag": "T"}, lambda layout, lines, _count: found.append((layout, lines)))

    assert found == [(Layout("v1/users", "v1_users", ("x_y", "tag")), b'"1","T"\n')]


def test_every_header_is_that_of_all_pages():
    assert tables([{"a": 1}], [{"b": 2}]) == {"r": (["a", "b"], [["1", ""], ["", "2"]])}


def test_tables_of_different_data_types_know_nothing_of_each_other():
    found = tables(Batch([{"tag": 1}], {"tag": 2}, "one"), Batch([{"x": 1}], {"tag": 2}, "two"))

    assert found == {"one": (["tag", md5("tag")], [["2", ""]]), "two": (["x", "tag"], [["1", "2"]])}


def test_a_later_batch_with_fewer_extra_columns_is_padded():
    found = tables(Batch([{"a": 1}], {"u": 2, "v": 3}), Batch([{"a": 4}], {"v": 5}), Batch([{"a": 6}]))

    assert found == {"r": (["a", "u", "v"], [["1", "2", "3"], ["4", "", "5"], ["6", "", ""]])}


def test_extra_columns_are_found_by_their_key_and_not_by_their_place():
    found = tables(Batch([{"a": 1}], {"u": 2, "v": 3}), Batch([{"a": 4}], {"v": 5, "u": 6}))

    assert found["r"][1] == [["1", "2", "3"], ["4", "6", "5"]]


def test_without_the_extra_column_its_namesake_has_its_own_value():
    found = tables(Batch([{"tag": 1}], {"tag": "T"}), Batch([{"tag": 2}]))

    assert found == {"r": (["tag", md5("tag")], [["T", ""], ["2", ""]])}


def test_a_later_batch_with_a_new_extra_column_is_the_users_error():
    with pytest.raises(UserError, match=r"The table 'r' was begun without the column 'v'.*`dataType`"):
        tables(Batch([{"a": 1}], {"u": 2}), Batch([{"a": 4}], {"u": 5, "v": 3}))


def test_a_map_among_the_users_data_is_text_and_an_error_line_per_row():
    outcome = read(Batch([{"l": [1]}, {}], {"u": {"k": 1.5, "none": {}}}))

    text = '{"k":1.5,"none":[]}'
    link = row_id("r", {"l": [1], "u": ConfigMap(k=1.5, none=ConfigMap())})
    assert outcome.tables["r"] == (["l", "u"], [[link, text], ["", text]])
    message = "Data parse error in 'u' - unexpected 'object' where 'string' was expected!"
    assert outcome.lines.of("ERROR") == [message, message]


@pytest.mark.parametrize("value", [[], ["x"], {}, {"0": "x", "1": "y"}])
def test_a_list_among_the_users_data_is_the_users_error(value: Any):
    with pytest.raises(UserError) as caught:
        tables(Batch([{"a": 1}], {"u": value}))

    message = "Error assigning parentId to a CSV file! $parentId array cannot be multidimensional."
    assert str(caught.value).startswith(message)


def test_two_lists_of_one_name_have_a_table_each():
    found = tables([{"a": {"b": ["x"]}, "a_b": ["y"]}, {"a": {"b": ["z"]}}])

    (other,) = found.keys() - {"r", "r_a_b"}
    assert other == f"r_a_b_{md5('r' + chr(0) + 'a_b')[:8]}"
    assert [[row[0] for row in found[name][1]] for name in ("r_a_b", other)] == [["x", "z"], ["y"]]


def test_data_types_of_one_name_share_the_tables_of_their_lists_too():
    found = tables(Batch([{"l": [1]}], data_type="a/b"), Batch([{"l": [2]}], data_type="a.b"))

    assert set(found) == {"a_b", "a_b_l"}


def test_a_list_gives_way_to_a_data_type_and_to_mapped_tables():
    legacy, found = Legacy(None, Lines(), reserved={"r_m"}), list[Layout]()
    for data_type, records in [("r", [{"l": [1], "m": [2]}]), ("r_l", [{"x": 1}])]:
        legacy.learn(data_type, records)
    legacy.write("r", [{"l": [1], "m": [2]}], {}, lambda layout, lines, _count: found.append(layout))

    digits = [md5("r" + chr(0) + key)[:8] for key in "lm"]
    assert [layout.name for layout in found] == ["r", f"r_l_{digits[0]}", f"r_m_{digits[1]}"]


def test_a_list_whose_key_leaves_no_name_has_a_table_and_a_column_with_a_name():
    legacy, found = Legacy(None, Lines()), list[Layout]()
    legacy.learn("r", [{"é": [1]}])
    legacy.write("r", [{"é": [1]}], {}, lambda layout, lines, _count: found.append(layout))

    digits = md5("r" + chr(0) + "é")[:8]
    assert found == [Layout("r", "r", ("_u0",)), Layout("r.é", f"r_{digits}", ("data", "JSON_parentId"))]
