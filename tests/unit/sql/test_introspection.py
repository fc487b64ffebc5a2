"""What the database knows of the machine: nothing that a statement can ask for shows the folder of the stack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.sql import StatementFailed
from penstock.sql.process.introspection import check_introspection
from penstock.sql.process.tokens import read_tokens
from tests.unit.sql.workbench import BUCKET, Workbench

FUNCTIONS = """SELECT DISTINCT function_name, function_type FROM duckdb_functions()
    WHERE function_type IN ('table', 'pragma', 'table_macro') ORDER BY ALL"""
TABLES = "SELECT schema_name, view_name FROM duckdb_views() WHERE internal ORDER BY ALL"
HIDDEN = ("duckdb_databases", "duckdb_settings", "pragma_database_list", "pg_settings")


def list_questions() -> Iterator[str]:
    """Every table function and pragma without arguments, every table of the catalog, and every setting."""
    with duckdb.connect() as database:
        for name, kind in database.execute(FUNCTIONS).fetchall():
            yield f"PRAGMA {name}" if kind == "pragma" else f"FROM {name}()"
        for schema, name in database.execute(TABLES).fetchall():
            yield f'FROM "{schema}"."{name}"'
        for (name,) in database.execute("SELECT name FROM duckdb_settings() ORDER BY 1").fetchall():
            yield f"SELECT current_setting('{name}')"


def show(bench: Workbench, sql: str) -> str:
    try:
        bench.run(sql)
        return str(bench.page().rows)
    except StatementFailed as error:
        return str(error)


def test_no_function_pragma_table_or_setting_shows_the_folder_of_the_stack(bench: Workbench) -> None:
    bench.load("customers", [["id"], ["1"]])
    bench.run(f'CREATE VIEW own AS SELECT * FROM "{BUCKET}".customers')
    more = (
        f'EXPLAIN SELECT * FROM "{BUCKET}".customers',
        "SELECT sql FROM duckdb_views() WHERE NOT internal",
        "FROM read_parquet('none.parquet')",
        "FROM read_parquet('../tables/none.parquet')",
    )
    hidden = {str(folder) for folder in (bench.stack.folder, bench.stack.folder.resolve(), Path.home())}
    answers = {sql: show(bench, sql) for sql in (*list_questions(), *more)}
    shown = {sql: text for sql, text in answers.items() if any(folder in text for folder in hidden)}

    assert shown == {}
    assert bench.rows(f'SELECT * FROM "{BUCKET}".customers') == [["1"]]
    assert "../tables/" in show(bench, "SELECT sql FROM duckdb_views() WHERE view_name = 'customers'")


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA database_list",
        'PRAGMA "Database_List"',
        "SELECT * FROM duckdb_settings()",
        'SELECT * FROM system.main."DUCKDB_SETTINGS"()',
        "SELECT * FROM 'pragma_database_list'",
        r"SELECT * FROM E'pragma\x5fdatabase_list'",
        "SELECT * FROM $$pragma_database_list$$",
        "SUMMARIZE 'pragma_database_list'",
        "CREATE VIEW spy AS SELECT * FROM duckdb_databases()",
        "CREATE MACRO spy() AS current_setting('allowed_directories')",
        "SELECT current_setting('allowed_' || 'directories')",
        r"SELECT current_setting(E'allowed\x5fdirectories')",
        "SELECT system.main.current_setting('Allowed_Paths')",
        "SELECT * FROM query('FROM duckdb_' || 'settings()')",
        "SELECT * FROM query_table('duckdb_databases')",
        "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM duckdb_settings()'))",
        "EXPLAIN ANALYZE SELECT * FROM duckdb_settings()",
    ],
)
def test_no_spelling_of_such_a_question_is_run(bench: Workbench, sql: str) -> None:
    with pytest.raises(StatementFailed, match="not available in a workspace"):
        bench.run(sql)


FORMS = st.sampled_from(["{}", '"{}"', "'{}'", "main.{}", "$${}$$"])


@given(st.sampled_from(HIDDEN), st.lists(st.booleans(), min_size=30, max_size=30), FORMS)
def test_neither_case_nor_quotes_matter(name: str, is_upper: list[bool], form: str) -> None:
    written = "".join(letter.upper() if upper else letter for letter, upper in zip(name, is_upper, strict=False))
    sql = f"SELECT * /* {name} */ FROM {form.format(written)} -- comment"

    with pytest.raises(StatementFailed, match="shows folders"):
        check_introspection(read_tokens(sql), sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 AS query, 'text about duckdb_settings' AS text",
        "SELECT query FROM (SELECT 1 AS query)",
        "SELECT current_setting('TimeZone')",
        "SELECT count(*) FROM duckdb_tables()",
        "SHOW DATABASES",
        "SHOW ALL TABLES",
    ],
)
def test_other_questions_are_answered(bench: Workbench, sql: str) -> None:
    bench.run(sql)
