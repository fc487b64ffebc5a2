"""What exists, as Snowflake lists it: queries over DuckDB's own lists of tables, views and columns.

The tables of buckets are views here. Snowflake's clients expect tables, so that only views of the own schema are views.
"""

from __future__ import annotations

from penstock.sql.dialect.context import Context
from penstock.sql.dialect.names import quote

_NUMBERS = "('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT')"
TYPE = f"""CASE WHEN data_type IN {_NUMBERS} OR data_type LIKE 'DECIMAL%' THEN 'NUMBER'
    WHEN data_type = 'VARCHAR' THEN 'TEXT' WHEN data_type IN ('DOUBLE', 'FLOAT') THEN 'FLOAT'
    WHEN data_type LIKE 'TIMESTAMP%ZONE' THEN 'TIMESTAMP_TZ' WHEN data_type LIKE 'TIMESTAMP%' THEN 'TIMESTAMP_NTZ'
    WHEN data_type = 'JSON' THEN 'VARIANT' WHEN data_type = 'BLOB' THEN 'BINARY' WHEN data_type LIKE '%[]' THEN 'ARRAY'
    WHEN data_type LIKE 'STRUCT%' OR data_type LIKE 'MAP%' THEN 'OBJECT' ELSE data_type END"""
PRECISION = "CASE WHEN data_type LIKE 'DECIMAL%' THEN numeric_precision ELSE 38 END"
SCALE = "CASE WHEN data_type LIKE 'DECIMAL%' THEN numeric_scale ELSE 0 END"
FULL_TYPE = f"""CASE {TYPE} WHEN 'TEXT' THEN 'VARCHAR(16777216)'
    WHEN 'NUMBER' THEN 'NUMBER(' || {PRECISION} || ',' || {SCALE} || ')'
    WHEN 'TIMESTAMP_NTZ' THEN 'TIMESTAMP_NTZ(9)' WHEN 'TIMESTAMP_TZ' THEN 'TIMESTAMP_TZ(9)' WHEN 'TIME' THEN 'TIME(9)'
    WHEN 'BINARY' THEN 'BINARY(8388608)' ELSE {TYPE} END"""
_TEXT_LENGTH = "CASE WHEN data_type = 'VARCHAR' THEN 16777216 END"
_HIDDEN = "('information_schema', 'pg_catalog')"


def _where(context: Context) -> str:
    hidden = "" if context.schema.lower() == "main" else " AND schema_name <> 'main'"
    return f"database_name = {quote(context.database)} AND schema_name NOT IN {_HIDDEN}{hidden}"


def objects(context: Context) -> str:
    """All tables and views: database_name, schema_name, name, kind (TABLE or VIEW), rows, text."""
    own, where = quote(context.schema), _where(context)
    return f"""(SELECT database_name, schema_name, table_name AS name, 'TABLE' AS kind, estimated_size AS row_count,
        '' AS text, temporary FROM duckdb_tables() WHERE {where} AND NOT internal
        UNION ALL SELECT database_name, schema_name, view_name,
        CASE WHEN lower(schema_name) = lower({own}) THEN 'VIEW' ELSE 'TABLE' END, NULL, sql, temporary
        FROM duckdb_views() WHERE {where} AND NOT internal)"""


def columns(context: Context) -> str:
    return f"""(SELECT database_name, schema_name, table_name, column_name, column_index, data_type, is_nullable,
        column_default, numeric_precision, numeric_scale FROM duckdb_columns()
        WHERE {_where(context)} AND NOT internal)"""


def schemata(context: Context) -> str:
    return f"(SELECT database_name, schema_name FROM duckdb_schemas() WHERE {_where(context)})"


def information_schema(context: Context) -> dict[str, str]:
    owner = quote(context.schema)
    moments = 'NULL::TIMESTAMPTZ AS "CREATED", NULL::TIMESTAMPTZ AS "LAST_ALTERED"'
    names = 'database_name AS "TABLE_CATALOG", schema_name AS "TABLE_SCHEMA"'
    return {
        "TABLES": f"""SELECT {names}, name AS "TABLE_NAME", {owner} AS "TABLE_OWNER", CASE kind WHEN 'VIEW' THEN 'VIEW'
            WHEN 'TABLE' THEN CASE WHEN temporary THEN 'LOCAL TEMPORARY' ELSE 'BASE TABLE' END END AS "TABLE_TYPE",
            'NO' AS "IS_TRANSIENT", row_count::BIGINT AS "ROW_COUNT", NULL::BIGINT AS "BYTES", {moments},
            NULL::VARCHAR AS "COMMENT" FROM {objects(context)}""",
        "VIEWS": f"""SELECT {names}, name AS "TABLE_NAME", {owner} AS "TABLE_OWNER", text AS "VIEW_DEFINITION",
            {moments},
            NULL::VARCHAR AS "COMMENT" FROM {objects(context)} WHERE kind = 'VIEW'""",
        "COLUMNS": f"""SELECT {names}, table_name AS "TABLE_NAME", column_name AS "COLUMN_NAME",
            column_index::BIGINT AS "ORDINAL_POSITION", column_default AS "COLUMN_DEFAULT",
            CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END AS "IS_NULLABLE", {TYPE} AS "DATA_TYPE",
            {_TEXT_LENGTH} AS "CHARACTER_MAXIMUM_LENGTH", {_TEXT_LENGTH} AS "CHARACTER_OCTET_LENGTH",
            CASE WHEN {TYPE} = 'NUMBER' THEN {PRECISION} END AS "NUMERIC_PRECISION",
            CASE WHEN {TYPE} = 'NUMBER' THEN 10 END AS "NUMERIC_PRECISION_RADIX",
            CASE WHEN {TYPE} = 'NUMBER' THEN {SCALE} END AS "NUMERIC_SCALE", NULL::VARCHAR AS "COMMENT"
            FROM {columns(context)}""",
        "SCHEMATA": f"""SELECT database_name AS "CATALOG_NAME", schema_name AS "SCHEMA_NAME", {owner} AS "SCHEMA_OWNER",
            'NO' AS "IS_TRANSIENT", {moments}, NULL::VARCHAR AS "COMMENT" FROM {schemata(context)}""",
        "DATABASES": f"""SELECT {quote(context.database)} AS "DATABASE_NAME", {owner} AS "DATABASE_OWNER",
            'NO' AS "IS_TRANSIENT", {moments}, NULL::VARCHAR AS "COMMENT" """,
    }
