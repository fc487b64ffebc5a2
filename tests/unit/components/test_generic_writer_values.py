"""What rows become: objects, paths and texts, for any value that a table may contain."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.generic_writer.requests import Builder
from penstock.components.generic_writer.rows import RowShape
from penstock.components.generic_writer.settings import ColumnTypes, JsonMapping, Settings
from penstock.components.generic_writer.values import fill, resolve_map, resolve_parameters
from penstock.extractor.base.errors import UserError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NAMES = st.lists(st.text("abcd_", min_size=1, max_size=6), min_size=1, max_size=6, unique=True)


def to_json(shape: RowShape, row: dict[str, str]) -> Any:
    return json.loads(msgspec.json.encode(shape.to_object(row)))


@given(names=NAMES, value=TEXT)
def test_texts_arrive_as_they_are(names: list[str], value: str) -> None:
    row = dict.fromkeys(names, value)

    assert to_json(RowShape(names, JsonMapping()), row) == row


@given(names=NAMES, value=TEXT)
def test_nested_columns_are_all_sent_or_their_conflict_is_reported(names: list[str], value: str) -> None:
    mapping, row = JsonMapping(nesting_delimiter="__"), dict.fromkeys(names, value)
    paths = sorted(tuple(name.split("__")) for name in names)
    if any(longer[: len(path)] == path for path in paths for longer in paths if longer != path):
        with pytest.raises(UserError, match="The column"):
            RowShape(names, mapping)
    else:
        assert sorted(leaves(to_json(RowShape(names, mapping), row))) == paths


def leaves(document: dict[str, Any], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, value in document.items():
        found += leaves(value, (*above, name)) if isinstance(value, dict) else [(*above, name)]
    return found


@given(value=TEXT | st.integers().map(str) | st.decimals(allow_nan=False, allow_infinity=False).map(str))
def test_a_value_of_an_unknown_type_is_valid_json_that_means_the_same(value: str) -> None:
    shape = RowShape(["a"], JsonMapping(column_data_types=ColumnTypes(autodetect=True)))

    found = json.loads(msgspec.json.encode(shape.to_object({"a": value})), parse_float=str, parse_int=str)["a"]

    assert str(found).lower() == value.lower() if isinstance(found, bool) else found == value


@given(value=TEXT)
def test_a_value_in_a_path_stays_in_its_place(value: str) -> None:
    settings = {
        "api": {"base_url": "https://api.test/v1"},
        "request_parameters": {"endpoint_path": "/things/[[id]]/end"},
        "request_content": {"iterate_by_columns": ["id"]},
    }
    builder = Builder(msgspec.convert(settings, Settings))
    if value in ("", ".", ".."):
        with pytest.raises(UserError, match="cannot replace a placeholder"):
            builder.build(None, {"id": value})
        return

    found = urlsplit(builder.build(None, {"id": value}).url)

    assert found.netloc == "api.test"
    assert [unquote(part) for part in found.path.split("/")] == ["", "v1", "things", value, "end"]


@given(text=TEXT, row=st.dictionaries(TEXT, TEXT, max_size=3))
def test_a_text_without_placeholders_is_left_alone(text: str, row: dict[str, str]) -> None:
    plain = text.replace("[", "(")

    assert fill(plain, row) == plain


def test_placeholders_are_filled_once() -> None:
    assert fill("[[a]] and [[ b ]]", {"a": "[[b]]", "b": "2"}) == "[[b]] and 2"


def test_user_parameters_may_refer_to_those_before_them() -> None:
    raw = {"#key": "k", "header": {"function": "concat", "args": ["Token ", {"attr": "#key"}]}}

    assert resolve_parameters(raw)["header"] == "Token k"
    with pytest.raises(UserError, match="'later' not found"):
        resolve_parameters({"now": {"attr": "later"}, "later": 1})


def test_headers_may_be_a_map_or_pairs() -> None:
    assert resolve_map({"A": 1}, {}) == resolve_map([{"key": "A", "value": "1"}], {}) == {"A": "1"}
