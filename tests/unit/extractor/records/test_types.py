"""Types of columns, inferred from their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.types import ColumnType, Types
from tests.support.examples import examples

TEXT = {"base": {"type": "STRING"}}
INTEGER = {"base": {"type": "INTEGER"}}


def type_of(*pages: Sequence[Any]) -> Any:
    found = ColumnType()
    for page in pages:
        found.learn(Column(page))
    return found.data_type()


def decimal(scale: int) -> Any:
    return {"base": {"type": "NUMERIC", "length": f"38,{scale}"}}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, -2, None], INTEGER),
        ([int("9" * 38), -int("9" * 38)], INTEGER),
        ([10**38], TEXT),
        ([Float("1.50"), Float("0.125"), 3], decimal(3)),
        ([Float("1.0"), Float("1e3")], INTEGER),
        ([Float("1.2e-5")], decimal(6)),
        ([Float("1e400")], TEXT),
        ([Float("1e99999999999999999999")], TEXT),
        ([Float("1.2345678901234567890123e-3")], TEXT),
        ([Float("0.1234567890123456789")], decimal(19)),
        ([int("9" * 30), Float("0.123456789")], TEXT),
        ([True, False, None], {"base": {"type": "BOOLEAN"}}),
        ([True, 1], TEXT),
        (["2026-02-28", None], {"base": {"type": "DATE"}}),
        (["2026-02-30"], TEXT),
        (["0000-01-01"], TEXT),
        (["2026-02-28", ""], TEXT),
        (["", "2026-02-28"], TEXT),
        (["2026-02-28 10:00:00", "2026-02-28T10:00:00.5"], {"base": {"type": "TIMESTAMP"}}),
        (["2026-02-28T10:00:00.1234567"], TEXT),
        (["2026-02-28T24:00:00"], TEXT),
        (["2026-02-28T10:00:60"], TEXT),
        (["2026-02-28", "2026-02-28T10:00:00"], TEXT),
        (
            ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00.123456+02:00"],
            {"base": {"type": "TIMESTAMP"}, "snowflake": {"type": "TIMESTAMP_TZ"}},
        ),
        (["2026-02-28T10:00:00Z", "2026-02-28T10:00:00"], TEXT),
        (["\u0662026-02-28"], TEXT),
        (["2026-02-28\n2026-02-28"], TEXT),
        (["1", "2"], TEXT),
        ([[1]], TEXT),
        ([None], None),
        ([], None),
    ],
)
def test_the_type_fits_all_values(values: list[Any], expected: Any) -> None:
    assert type_of(values) == expected
    assert type_of(*[[value] for value in values]) == expected
    assert type_of(*[[value] for value in reversed(values)]) == expected


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: Float(f"{number:e}")),
    st.dates().map(str),
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.text(max_size=5),
)


@examples(100)
@given(st.lists(st.lists(scalars, max_size=4), max_size=4), st.randoms())
def test_neither_the_order_nor_the_pages_of_values_matter(pages: list[list[Any]], random: Any) -> None:
    values = [value for page in pages for value in page]
    expected = type_of(*pages)
    random.shuffle(values)

    assert type_of(values) == expected
    assert type_of(*[[value] for value in values]) == expected


def test_parts_of_a_bucket_are_joined() -> None:
    layout, types = Layout("t", "t", ("id", "flag")), Types()
    flattened, mapped = types.part(), types.part()
    flattened.learn(layout, [Column([1]), Column([True])])
    mapped.learn(layout, [Column([Float("0.5")]), None])

    assert types.schema(layout, ["id"]) == [
        {"name": "id", "data_type": decimal(1), "nullable": False, "primary_key": True},
        {"name": "flag", "data_type": TEXT, "nullable": True, "primary_key": False},
    ]
    flattened.discard()
    assert types.schema(layout, [])[1]["data_type"] == TEXT
