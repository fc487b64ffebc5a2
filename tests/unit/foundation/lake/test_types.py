"""Typed tables: values fit their columns, or the row and column are named."""

from __future__ import annotations

import pytest

from penstock.foundation.lake import (
    BadCsv,
    Column,
    LakeTable,
    Query,
    change_columns,
    create_table,
    find_misfit,
    read_rows,
)
from penstock.foundation.lake.rewrite import ColumnDoesNotFit
from tests.unit.foundation.lake.tables import USERS, Tables

TYPED = (
    Column("id", "DECIMAL(38,0)", nullable=False),
    Column("price", "DECIMAL(10,2)"),
    Column("share", "DOUBLE"),
    Column("is_new", "BOOLEAN", default="true"),
    Column("day", "DATE"),
    Column("at", "TIMESTAMP"),
    Column("zoned", "TIMESTAMPTZ"),
    Column("note"),
)
NAMES = tuple(column.name for column in TYPED)


def changed(column: Column) -> list[Column]:
    """All columns of the table, one of them changed."""
    return [column if each.name == column.name else each for each in TYPED]


def test_values_are_kept_as_their_types(tables: Tables) -> None:
    row = (
        "12345678901234567890",
        "1.5",
        "0.5",
        "false",
        "2026-02-28",
        "2026-02-28 10:00:00",
        "2026-02-28 10:00:00+02",
        "x",
    )
    tables.load([NAMES, row], types=TYPED, primary_key=("id",))

    expected = ("12345678901234567890", "1.50", "0.5", "false", "2026-02-28", "2026-02-28 10:00:00")
    assert tables.read(NAMES) == [(*expected, "2026-02-28 08:00:00+00", "x")]


def test_an_empty_field_is_null_or_whatever_else_is_said_to_be(tables: Tables) -> None:
    columns = (Column("id", "BIGINT"), Column("note"))
    tables.load([("id", "note"), ("1", ""), ("", "x")], types=columns)
    with tables.lake.session(USERS) as session:
        assert session.execute(f"SELECT id, note FROM {session.address}").fetchall() == [(1, None), (None, "x")]
    tables.load([("id", "note"), ("-", ""), ("2", "-")], types=columns, null_values=("-",))
    with tables.lake.session(USERS) as session:
        assert session.execute(f"SELECT id, note FROM {session.address}").fetchall() == [(None, ""), (2, None)]


def test_a_key_is_never_null_even_if_its_column_may_be(tables: Tables) -> None:
    columns = (Column("id", "BIGINT"), Column("note"))

    with pytest.raises(BadCsv, match='Row 3, column "id": the value may not be empty'):
        tables.load([("id", "note"), ("1", ""), ("", "x")], types=columns, primary_key=("id",))


def test_a_column_that_the_file_lacks_gets_its_default(tables: Tables) -> None:
    create_table(tables.lake, USERS, list(TYPED))
    tables.load([("id",), ("1",)], types=TYPED, incremental=True)

    assert tables.read(("id", "price", "is_new", "note")) == [("1", "", "true", "")]


def test_a_load_without_types_keeps_those_of_the_table(tables: Tables) -> None:
    create_table(tables.lake, USERS, list(TYPED))
    tables.load([("id", "price"), ("1", "2.5")])

    assert tables.read(("id", "price")) == [("1", "2.50")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("x", "1"), 'Row 4, column "id": "x" is not a valid DECIMAL(38,0).'),
        (("1" * 40, "1"), 'Row 4, column "id": "1111'),
        (("", "1"), 'Row 4, column "id": the value may not be empty.'),
        (("1", "1,5"), 'Row 4, column "price": "1,5" is not a valid DECIMAL(10,2).'),
        (("1", "x" * 500), f'"{"x" * 60}…" is not a valid DECIMAL(10,2).'),
    ],
)
def test_a_value_that_does_not_fit_is_named(tables: Tables, row: tuple[str, ...], reason: str) -> None:
    tables.load([NAMES[:2], ("1", "1")], types=TYPED)

    with pytest.raises(BadCsv) as caught:
        tables.load([NAMES[:2], ("1", "1"), ("2", ""), row, ("3", "wrong too")], types=TYPED)
    assert reason in caught.value.message
    assert tables.read(NAMES[:2]) == [("1", "1.00")]
    assert len(tables.files()) == 1


def test_a_column_that_may_not_be_empty_may_not_be_missing(tables: Tables) -> None:
    with pytest.raises(BadCsv, match='column "id" may not be empty'):
        tables.load([("price",), ("1",)], types=TYPED)


def test_a_file_may_be_held_to_all_columns(tables: Tables) -> None:
    tables.load([("id", "name"), ("1", "Ada")])

    with pytest.raises(BadCsv, match='lacks columns of the table: "name"'):
        tables.load([("id",), ("2",)], fill_missing=False)


def test_an_upsert_of_equal_values_written_differently_changes_nothing(tables: Tables) -> None:
    columns = TYPED[:2]
    tables.load([NAMES[:2], ("1", "1.5")], types=columns, primary_key=("id",))
    before = tables.read(("id", "price", "_timestamp"))
    tables.load([NAMES[:2], ("01", "1.50")], types=columns, primary_key=("id",), incremental=True)

    assert tables.read(("id", "price", "_timestamp")) == before


def test_a_column_can_be_changed_as_long_as_its_values_fit(tables: Tables) -> None:
    tables.load([("id", "price"), ("1", "1.5"), ("2", "")], types=TYPED)
    for _ in range(2):
        change_columns(tables.lake, USERS, changed(Column("price", "DECIMAL(20,4)", default="7")))
    tables.load([("id",), ("3",)], incremental=True)

    assert tables.read(("id", "price")) == [("1", "1.5000"), ("2", ""), ("3", "7.0000")]
    with pytest.raises(ColumnDoesNotFit):
        change_columns(tables.lake, USERS, changed(Column("price", "DECIMAL(4,4)")))
    assert tables.read(("price",)) == [("1.5000",), ("",), ("7.0000",)]


def test_another_default_rewrites_no_row(tables: Tables) -> None:
    tables.load([("id", "price"), ("1", "1.5"), ("2", "")], types=TYPED)
    files = tables.files()
    change_columns(tables.lake, USERS, changed(Column("price", "DECIMAL(10,2)", default="7")))
    tables.load([("id",), ("3",)], incremental=True)
    assert set(files) < set(tables.files())
    change_columns(tables.lake, USERS, changed(Column("price", "DECIMAL(10,2)")))
    tables.load([("id",), ("4",)], incremental=True)

    assert tables.read(("id", "price")) == [("1", "1.50"), ("2", ""), ("3", "7.00"), ("4", "")]


def test_a_default_that_is_not_a_value_of_its_type_is_named(tables: Tables) -> None:
    tables.load([("id",), ("1",)], types=TYPED)
    fits, does_not = Column("price", "DECIMAL(10,2)", default="7"), Column("day", "DATE", default="soon")

    assert find_misfit(tables.lake, USERS, [fits, Column("note")]) is None
    assert find_misfit(tables.lake, USERS, [fits, does_not]) == "day"


def test_rows_keep_their_times_when_a_column_gets_another_type(tables: Tables) -> None:
    columns = (Column("id", "DECIMAL(38,0)"), Column("price", "DECIMAL(10,2)"), Column("note", is_typed=True))
    names = tuple(column.name for column in columns)
    tables.load([names, ("1", "1.5", '""')], types=columns, primary_key=("id",), null_values=())
    wider = [columns[0], Column("price", "DECIMAL(12,2)"), columns[2]]
    change_columns(tables.lake, USERS, wider)
    before = tables.read(("id", "note", "_timestamp"))
    tables.load([names, ("1", "1.5", '""')], types=tuple(wider), primary_key=("id",), null_values=(), incremental=True)

    assert tables.read(("id", "note", "_timestamp")) == before


def test_a_type_that_is_none_is_not_taken() -> None:
    with pytest.raises(ValueError, match="not a column type"):
        Column("id", "VARCHAR); DROP TABLE x; --")


def test_old_rows_have_the_default_of_a_column_that_comes(tables: Tables) -> None:
    table = LakeTable(1, "typed")
    tables.load([("id",), ("1",)], table, types=TYPED[:1])
    create_table(tables.lake, table, [*TYPED[:1], Column("price", "DECIMAL(10,2)", default="2.5"), Column("note")])

    assert read_rows(tables.lake, table, Query()) == [("1", "2.50", "")]
