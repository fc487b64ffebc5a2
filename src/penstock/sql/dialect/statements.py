"""Statements that are no queries: some mean something else here, some mean nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from penstock.sql.dialect.context import Context
from penstock.sql.dialect.errors import SqlError
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import DUCKDB

DONE = "Statement executed successfully."
_HARMLESS = frozenset(
    {
        *("QUERY_TAG", "STATEMENT_TIMEOUT_IN_SECONDS", "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS", "LOCK_TIMEOUT"),
        *("USE_CACHED_RESULT", "ABORT_DETACHED_QUERY", "CLIENT_SESSION_KEEP_ALIVE", "JSON_INDENT", "LOG_LEVEL"),
        *("CLIENT_RESULT_COLUMN_CASE_INSENSITIVE", "CLIENT_METADATA_REQUEST_USE_CONNECTION_CTX", "TRACE_LEVEL"),
        *("CLIENT_TIMESTAMP_TYPE_MAPPING", "MULTI_STATEMENT_COUNT", "CLIENT_PREFETCH_THREADS", "ROWS_PER_RESULTSET"),
    }
)
"""Parameters that change no result."""
_DEFAULTS = {
    "TIMEZONE": ("UTC", "ETC/UTC"),
    "WEEK_START": ("0",),
    "WEEK_OF_YEAR_POLICY": ("0",),
    "AUTOCOMMIT": ("TRUE",),
    "TIMESTAMP_TYPE_MAPPING": ("TIMESTAMP_NTZ",),
    "QUOTED_IDENTIFIERS_IGNORE_CASE": ("FALSE",),
    "ERROR_ON_NONDETERMINISTIC_MERGE": ("FALSE",),
}
"""Parameters that have one value here."""
_LEFT_OUT = (exp.TransientProperty, exp.SchemaCommentProperty, exp.ClusterProperty)


def status(message: str = DONE) -> str:
    return f"""SELECT '{message.replace("'", "''")}' AS "status\""""


def write(tree: exp.Expr) -> str:
    return tree.sql(dialect=DUCKDB, comments=False, copy=False)


def use(node: exp.Use, context: Context) -> str:
    kind = node.args["kind"].name.upper() if node.args.get("kind") else ""
    table = node.this
    if kind in ("WAREHOUSE", "ROLE", "SECONDARY ROLES", "SECONDARY"):
        return status()
    names = [part for part in (table.catalog, table.db, table.name) if part]
    wanted = [context.schema] if kind == "SCHEMA" else [context.database]
    wanted = [context.database, context.schema] if len(names) > 1 else wanted
    if [each.lower() for each in names] != [each.lower() for each in wanted]:
        raise SqlError(
            f"{kind or 'USE'} {'.'.join(names)} cannot be used. The session stays in {context.database}."
            f"{context.schema}: write the schema before the name of a table."
        )
    return status()


def alter_session(node: exp.AlterSession) -> str:
    for item in node.expressions:
        if not node.args.get("unset"):
            _check_parameter(item.this.this.name.upper(), item.this.expression.name.upper())
    return status()


def _check_parameter(name: str, value: str) -> None:
    if name not in _HARMLESS and value not in _DEFAULTS.get(name, ()):
        only = f"The only value here is {_DEFAULTS[name][0]}." if name in _DEFAULTS else ""
        raise refuse(f"ALTER SESSION SET {name}", only)


def set_variable(node: exp.Set) -> str:
    [item, *more] = node.expressions
    if more or not isinstance(item.this, exp.EQ) or not isinstance(item.this.this, exp.Column | exp.Identifier):
        raise refuse("SET of several variables", "Write one SET for each.")
    name = exp.to_identifier(item.this.this.name, quoted=True)
    return f"SET VARIABLE {write(name)} = ({write(item.this.expression)})"


def create(node: exp.Create) -> exp.Expr:
    """CLONE and LIKE copy a table; properties that change no result are left out."""
    if str(node.args.get("kind")).upper() not in ("TABLE", "VIEW"):
        raise refuse(f"CREATE {node.args.get('kind')}")
    properties = node.args.get("properties")
    for each in list(properties.expressions) if properties else []:
        if isinstance(each, exp.LikeProperty):
            node.set("expression", exp.select("*").from_(each.this.copy()).limit(0))
        if isinstance(each, (exp.LikeProperty, *_LEFT_OUT)):
            each.pop()
    if properties and not properties.expressions:
        node.set("properties", None)
    return _clone(node)


def _clone(node: exp.Create) -> exp.Create:
    clone = node.args.get("clone")
    if clone:
        node.set("expression", exp.select("*").from_(clone.this.copy()))
        node.set("clone", None)
    return node


def alter(node: exp.Alter) -> exp.Expr:
    actions: list[exp.Expr] = node.args.get("actions") or []
    if str(node.args.get("kind")).upper() != "TABLE":
        raise refuse(f"ALTER {node.args.get('kind')}")
    if len(actions) != 1:
        raise refuse("ALTER TABLE with several changes", "Write one statement for each.")
    return node


def drop(node: exp.Drop) -> exp.Expr:
    if str(node.args.get("kind")).upper() not in ("TABLE", "VIEW"):
        raise refuse(f"DROP {node.args.get('kind')}")
    return node


def insert(node: exp.Insert) -> str:
    """INSERT OVERWRITE as one statement: every old row is deleted and every new one inserted, or nothing is."""
    if not node.args.get("overwrite"):
        return write(node)
    target, query = node.this, node.expression
    names = [exp.to_identifier(f"c{number}", quoted=True) for number in range(1, _width(target) + 1)]
    columns = f" ({', '.join(write(each) for each in target.expressions)})" if isinstance(target, exp.Schema) else ""
    table = target.this if isinstance(target, exp.Schema) else target
    listed = ", ".join(write(name) for name in names)
    source = f"(SELECT * FROM ({write(query)}) AS q{f'({listed})' if names else ''}) AS s"
    values = f" VALUES ({', '.join(f's.{write(name)}' for name in names)})" if names else ""
    return (
        f"MERGE INTO {write(table)} USING {source} ON FALSE WHEN NOT MATCHED BY SOURCE THEN DELETE "
        f"WHEN NOT MATCHED THEN INSERT{columns}{values}"
    )


def _width(target: exp.Expr) -> int:
    """How many columns are named; 0 if all of the table are meant, in their order."""
    return len(target.expressions) if isinstance(target, exp.Schema) else 0


def update(node: exp.Update | exp.Merge) -> exp.Expr:
    """Columns that are set have no table in DuckDB."""
    for change in [node, *node.find_all(exp.Update)]:
        for each in change.expressions if isinstance(change, exp.Update) else []:
            if isinstance(each, exp.EQ) and isinstance(each.this, exp.Column):
                each.this.set("table", None)
    return node


def transaction(_node: exp.Transaction) -> str:
    return "BEGIN TRANSACTION"


WRITERS: dict[type[exp.Expr], Callable[[Any], str]] = {
    exp.Set: set_variable,
    exp.Insert: insert,
    exp.Transaction: transaction,
    exp.Commit: lambda _node: "COMMIT",
    exp.Rollback: lambda _node: "ROLLBACK",
}
CHANGES: dict[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.Create: create,
    exp.Alter: alter,
    exp.Drop: drop,
    exp.Update: update,
    exp.Merge: update,
}
