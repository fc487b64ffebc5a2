"""SHOW and DESCRIBE, with the columns of Snowflake; and INFORMATION_SCHEMA in queries."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.dialect import catalog
from penstock.sql.dialect.context import Context
from penstock.sql.dialect.names import quote
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import parse_duckdb

_CREATED = "NULL::TIMESTAMPTZ AS created_on"
_TERSE = f"SELECT {_CREATED}, name, kind, database_name, schema_name FROM {{source}}"


def show(node: exp.Show, context: Context) -> str:
    kind = str(node.this).upper()
    queries = {"TABLES": _tables, "VIEWS": _views, "SCHEMAS": _schemas, "DATABASES": _databases, "COLUMNS": _columns}
    if kind not in queries:
        raise refuse(f"SHOW {kind}", "TABLES, VIEWS, SCHEMAS, DATABASES and COLUMNS are.")
    query = queries[kind](context, bool(node.args.get("terse")))
    name = "column_name" if kind == "COLUMNS" else "name"
    return f"SELECT * FROM ({query}) AS listed{_filters(node, name)}{_limit(node)}"


def _tables(context: Context, terse: bool) -> str:
    if terse:
        return f"{_TERSE.format(source=catalog.objects(context))} WHERE kind = 'TABLE'"
    owner = quote(context.schema)
    return f"""SELECT {_CREATED}, name, database_name, schema_name, kind, '' AS comment, '' AS cluster_by,
        row_count::BIGINT AS rows, NULL::BIGINT AS bytes, {owner} AS owner, '1' AS retention_time
        FROM {catalog.objects(context)} WHERE kind = 'TABLE'"""


def _views(context: Context, terse: bool) -> str:
    if terse:
        return f"{_TERSE.format(source=catalog.objects(context))} WHERE kind = 'VIEW'"
    owner = quote(context.schema)
    return f"""SELECT {_CREATED}, name, '' AS reserved, database_name, schema_name, {owner} AS owner, '' AS comment,
        text,
        'false' AS is_secure, 'false' AS is_materialized FROM {catalog.objects(context)} WHERE kind = 'VIEW'"""


def _schemas(context: Context, terse: bool) -> str:
    own = quote(context.schema)
    if terse:
        source = f"(SELECT schema_name AS name, 'SCHEMA' AS kind, * FROM {catalog.schemata(context)})"
        return _TERSE.format(source=source)
    return f"""SELECT {_CREATED}, schema_name AS name, 'N' AS is_default,
        CASE WHEN lower(schema_name) = lower({own}) THEN 'Y' ELSE 'N' END AS is_current, database_name,
        {own} AS owner, '' AS comment, '' AS options, '1' AS retention_time FROM {catalog.schemata(context)}"""


def _databases(context: Context, terse: bool) -> str:
    name, owner = quote(context.database), quote(context.schema)
    if terse:
        return f"SELECT {_CREATED}, {name} AS name, 'STANDARD' AS kind, '' AS database_name, '' AS schema_name"
    return f"""SELECT {_CREATED}, {name} AS name, 'N' AS is_default, 'Y' AS is_current, '' AS origin, {owner} AS owner,
        '' AS comment, '' AS options, '1' AS retention_time"""


def _columns(context: Context, _terse: bool) -> str:
    return f"""SELECT table_name, schema_name, column_name,
        to_json({{'type': CASE {catalog.TYPE} WHEN 'NUMBER' THEN 'FIXED'
        WHEN 'FLOAT' THEN 'REAL' ELSE {catalog.TYPE} END, 'nullable': is_nullable}})::VARCHAR AS data_type,
        is_nullable::VARCHAR AS "null?", coalesce(column_default, '') AS "default", 'COLUMN' AS kind, '' AS expression,
        '' AS comment, database_name, '' AS autoincrement FROM {catalog.columns(context)}
        ORDER BY schema_name, table_name, column_index"""


def _filters(node: exp.Show, name: str) -> str:
    found: list[str] = []
    if like := node.args.get("like"):
        found.append(f"{name} ILIKE {quote(like.name)}")
    if start := node.args.get("starts_with"):
        found.append(f"starts_with({name}, {quote(start.name)})")
    found += _scope(node)
    return f" WHERE {' AND '.join(found)}" if found else ""


def _scope(node: exp.Show) -> list[str]:
    scope, kind = node.args.get("scope"), str(node.args.get("scope_kind") or "").upper()
    if not isinstance(scope, exp.Table) or kind == "ACCOUNT" or str(node.this).upper() == "DATABASES":
        return []
    places = {
        "DATABASE": ("database_name",),
        "SCHEMA": ("schema_name", "database_name"),
        "TABLE": ("table_name", "schema_name", "database_name"),
        "VIEW": ("table_name", "schema_name", "database_name"),
    }
    if str(node.this).upper() == "SCHEMAS":
        kind = "DATABASE"
    if kind not in places:
        raise refuse(f"SHOW … IN {kind}")
    parts = [part for part in (scope.name, scope.db, scope.catalog) if part]
    return [f"lower({each}) = lower({quote(part)})" for each, part in zip(places[kind], parts, strict=False)]


def _limit(node: exp.Show) -> str:
    limit = node.args.get("limit")
    return f" LIMIT {int(limit.expression.name)}" if limit and limit.expression.name.isdecimal() else ""


def describe(node: exp.Describe, context: Context) -> str:
    """An object that does not exist is an error."""
    table, kind = node.this, str(node.args.get("kind") or "TABLE").upper()
    if kind not in ("TABLE", "VIEW") or not isinstance(table, exp.Table):
        raise refuse(f"DESCRIBE {kind}", "TABLE and VIEW are.")
    places = ((table.name, "table_name"), (table.db or context.schema, "schema_name"), (table.catalog, "database_name"))
    where = " AND ".join(f"lower({each}) = lower({quote(part)})" for part, each in places if part)
    missing = quote(f"Table '{table.name}' does not exist or not authorized.")
    return f"""SELECT column_name AS name, {catalog.FULL_TYPE} AS type, 'COLUMN' AS kind,
        CASE WHEN is_nullable THEN 'Y' ELSE 'N' END AS "null?", column_default AS "default", 'N' AS "primary key",
        'N' AS "unique key", NULL::VARCHAR AS "check", NULL::VARCHAR AS expression, NULL::VARCHAR AS comment,
        NULL::VARCHAR AS "policy name" FROM {catalog.columns(context)} WHERE {where}
        AND CASE WHEN EXISTS (SELECT 1 FROM {catalog.columns(context)} WHERE {where}) THEN TRUE
        ELSE error({missing}) END
        ORDER BY column_index"""


def is_information_schema(table: exp.Table) -> bool:
    return table.db.upper() == "INFORMATION_SCHEMA"


def replace_information_schema(tree: exp.Expr, context: Context) -> bool:
    """Whether there was one."""
    found = [table for table in tree.find_all(exp.Table) if is_information_schema(table)]
    queries = catalog.information_schema(context) if found else {}
    for table in found:
        query = queries.get(table.name.upper())
        if query is None:
            raise refuse(f"INFORMATION_SCHEMA.{table.name.upper()}", f"{', '.join(queries)} are.")
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name.upper(), quoted=True))
        joins = table.args.get("joins")
        table.replace(exp.Subquery(this=parse_duckdb(query), alias=alias, joins=joins))
    return bool(found)
