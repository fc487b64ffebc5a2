"""Names: without quotes they are in upper case, with quotes they stay. DuckDB finds a table or column whatever the
case."""

from __future__ import annotations

import msgspec
from sqlglot import exp

from penstock.sql.dialect.lexing import MARK


class TableName(msgspec.Struct, frozen=True):
    """A table as a statement names it; empty where it does not say."""

    database: str
    schema: str
    name: str


def fold_names(tree: exp.Expr) -> None:
    for identifier in list(tree.find_all(exp.Identifier)):
        if isinstance(identifier.parent, exp.PropertyEQ):
            continue  # a key of an object keeps its case
        text = identifier.name.removeprefix(MARK)
        identifier.set("this", text if identifier.args.get("quoted") else text.upper())
        identifier.set("quoted", True)


def list_tables(tree: exp.Expr) -> tuple[TableName, ...]:
    """Names of common table expressions are left out: what they shadow is not read."""
    own = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
    found = {
        TableName(table.catalog, table.db, table.name): None
        for table in tree.find_all(exp.Table)
        if table.name and not (table.name in own and not table.db)
    }
    return tuple(found)


def column(name: str, table: str = "") -> exp.Column:
    return exp.column(
        exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True) if table else None
    )


def name_of(node: exp.Expr) -> str:
    """The bare word that a node was written as; empty for anything else."""
    if isinstance(node, exp.Column) and not node.table:
        return node.name
    return node.name if isinstance(node, exp.Var | exp.Identifier) else ""


def quote(text: str) -> str:
    """A string literal of DuckDB."""
    return "'" + text.replace("'", "''") + "'"
