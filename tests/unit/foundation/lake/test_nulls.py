"""NULL and the empty string in typed tables, and columns that get wider types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.lake import Column, LakeTable, Query, copy_table, export_file
from penstock.foundation.lake.maintenance import maintain_table
from penstock.foundation.lake.relations import find_columns
from penstock.foundation.lake.rewrite import ColumnDoesNotFit, rewrite
from tests.unit.foundation.lake.tables import USERS, Tables


def typed(*columns: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, kind, is_typed=True) for name, kind in columns)


COLUMNS = typed(("id", "DECIMAL(38,0)"), ("note", "VARCHAR"))


def load(tables: Tables, text: str, types: tuple[Column, ...] = COLUMNS, **options: Any) -> None:
    file = tables.folder / "file.csv"
    file.write_text(text)
    names = tuple(text.split("\n", 1)[0].split(","))
    tables.load_file(file, names, types=types, null_values=(), **options)


def values(tables: Tables, table: LakeTable = USERS) -> list[tuple[Any, ...]]:
    with tables.lake.session(table) as session:
        return session.execute(f"SELECT * EXCLUDE (_timestamp, _digest) FROM {session.address} ORDER BY 1").fetchall()


def test_an_empty_field_is_null_and_in_quotes_it_is_an_empty_text(tables: Tables) -> None:
    load(tables, 'id,note\n1,""\n2,\n3,x\n,y\n')

    assert values(tables) == [(1, ""), (2, None), (3, "x"), (None, "y")]


def test_an_upsert_tells_null_from_an_empty_text(tables: Tables) -> None:
    upsert: dict[str, Any] = {"primary_key": ("id",), "incremental": True}
    load(tables, 'id,note\n1,""\n2,\n', **upsert)
    load(tables, 'id,note\n1,\n2,""\n', **upsert)

    assert values(tables) == [(1, None), (2, "")]


def test_an_upsert_does_so_after_the_table_was_rewritten_and_copied(tables: Tables) -> None:
    upsert: dict[str, Any] = {"primary_key": ("id",), "incremental": True}
    load(tables, 'id,note\n1,""\n2,\n', **upsert)
    with tables.lake.one_writer(USERS), tables.lake.session(USERS) as session:
        rewrite(session, find_columns(session) or [])
        maintain_table(session, find_columns(session) or [])
    copy_table(tables.lake, USERS, LakeTable(1, "copy"))
    copy_table(tables.lake, LakeTable(1, "copy"), USERS)
    load(tables, 'id,note\n1,\n2,""\n', **upsert)

    assert values(tables) == [(1, None), (2, "")]


def test_a_text_column_that_is_added_is_null_in_old_rows(tables: Tables) -> None:
    load(tables, "id,note\n1,a\n")
    load(tables, 'id,note,more\n2,b,""\n', (*COLUMNS, *typed(("more", "VARCHAR"))), incremental=True)

    assert values(tables) == [(1, "a", None), (2, "b", "")]


def test_an_export_leaves_null_without_quotes(tables: Tables, tmp_path: Path) -> None:
    load(tables, 'id,note\n1,""\n2,\n')

    def export(*columns: str) -> str:
        export_file(tables.lake, USERS, Query(columns=columns), tmp_path / "out.csv", has_nulls=True)
        return (tmp_path / "out.csv").read_text()

    assert export("id", "note") == '"id","note"\n"1",""\n"2",\n'
    assert export("note") == '"note"\n""\n""\n'


@pytest.mark.parametrize(
    ("kind", "first", "wider", "then", "expected"),
    [
        ("DECIMAL(38,0)", "12", "DECIMAL(38,2)", "0.25", ["0.25", "12.00"]),
        ("DECIMAL(38,2)", "1.50", "VARCHAR", "many", ["1.50", "many"]),
        ("BOOLEAN", "false", "VARCHAR", "", ["", "false"]),
        ("DATE", "2026-02-28", "VARCHAR", "today", ["2026-02-28", "today"]),
        ("TIMESTAMPTZ", "2026-02-28T10:00:00+02:00", "VARCHAR", "x", ["2026-02-28 08:00:00+00", "x"]),
    ],
)
@pytest.mark.parametrize("key", [(), ("id",)])
def test_an_incremental_load_may_bring_wider_types(
    tables: Tables, kind: str, first: str, wider: str, then: str, expected: list[str], key: tuple[str, ...]
) -> None:
    def types(name: str) -> tuple[Column, ...]:
        return (Column("id", "DECIMAL(38,0)", is_typed=True), Column("value", name, is_typed=True))

    load(tables, f'id,value\n1,"{first}"\n', types(kind), primary_key=key)
    load(tables, f'id,value\n2,"{then}"\n', types(wider), primary_key=key, incremental=True)
    load(tables, f'id,value\n2,"{then}"\n3,\n', types(wider), primary_key=key, incremental=True)

    texts = sorted(text for _id, text in tables.read(("id", "value")) if text or then == "")
    assert sorted(set(texts)) == expected
    assert len(values(tables)) == (3 if key else 4)


def test_types_that_stay_the_same_rewrite_nothing(tables: Tables) -> None:
    columns = typed(("id", "DECIMAL(38,0)"), ("at", "TIMESTAMPTZ"))
    load(tables, "id,at\n1,2026-02-28T10:00:00Z\n", columns)
    before = tables.files()
    load(tables, "id,at\n2,2026-02-28T10:00:00Z\n", columns, incremental=True)

    assert set(before) < set(tables.files())


def test_rows_that_do_not_fit_the_new_type_are_named_and_nothing_changes(tables: Tables) -> None:
    load(tables, f"id,note\n{'9' * 38},a\n")

    with pytest.raises(ColumnDoesNotFit, match=r'"id" cannot become DECIMAL\(38,2\)'):
        load(tables, "id,note\n1.5,b\n", typed(("id", "DECIMAL(38,2)"), ("note", "VARCHAR")), incremental=True)

    assert [str(row[0]) for row in values(tables)] == ["9" * 38]
