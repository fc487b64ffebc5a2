"""From SQL of Snowflake to SQL of DuckDB, statement by statement."""

from __future__ import annotations

import msgspec
from sqlglot import exp
from sqlglot.errors import SqlglotError

from penstock.sql.dialect import listing, statements
from penstock.sql.dialect.context import Context
from penstock.sql.dialect.errors import SqlError, SqlTooLarge
from penstock.sql.dialect.expressions import translate_tree
from penstock.sql.dialect.names import TableName, fold_names, list_tables
from penstock.sql.dialect.parsing import Source, parse, refuse, split_statements, too_deep, with_deep_stack
from penstock.sql.dialect.syntax import check_syntax
from penstock.sql.dialect.variables import check_stages

MAX_TRANSLATED = 8_000_000
"""Characters: functions become expressions, so a translation is longer than its statement."""


class Translated(msgspec.Struct, frozen=True):
    sql: str
    """One statement of DuckDB."""
    position: int
    """Where the statement begins in what was given, in characters."""
    source: str
    """The statement as written."""
    tables: tuple[TableName, ...] = ()
    """The tables that it names, without its own common table expressions."""
    lists_objects: bool = False
    """It lists what exists: SHOW, DESCRIBE, INFORMATION_SCHEMA."""


def translate(sql: str, *, database: str, schema: str) -> list[Translated]:
    """Raises SqlError."""
    return [_translate(source, database, schema) for source in split_statements(sql)]


def _translate(source: Source, database: str, schema: str) -> Translated:
    try:
        return with_deep_stack(source, lambda: _translate_statement(source, Context.of(database, schema)))
    except RecursionError as error:
        raise too_deep() from error


def _translate_statement(source: Source, context: Context) -> Translated:
    if name := _unset(source):
        return Translated(f'RESET VARIABLE "{name}"', source.start, source.text)
    tree = parse(source)
    if isinstance(tree, exp.Command):
        return _translate_command(source, tree, context)
    fold_names(tree)
    check_syntax(tree)
    check_stages(source, tree)
    tables = list_tables(tree)
    if isinstance(tree, exp.Show | exp.Describe):
        sql = listing.show(tree, context) if isinstance(tree, exp.Show) else listing.describe(tree, context)
        return Translated(sql, source.start, source.text, tables, lists_objects=True)
    return _translate_tree(source, tree, tables, context)


def _translate_tree(source: Source, tree: exp.Expr, tables: tuple[TableName, ...], context: Context) -> Translated:
    if isinstance(tree, exp.Use):
        return Translated(statements.use(tree, context), source.start, source.text)
    if isinstance(tree, exp.Alter) and str(tree.args.get("kind")).upper() == "SESSION":
        return Translated(statements.alter_session(tree.args["actions"][0]), source.start, source.text)
    if change := statements.CHANGES.get(type(tree)):
        tree = change(tree)
    tree = translate_tree(tree, context)
    lists_objects = listing.replace_information_schema(tree, context)
    return Translated(_write(tree), source.start, source.text, tables, lists_objects)


def _write(tree: exp.Expr) -> str:
    try:
        sql = statements.WRITERS.get(type(tree), statements.write)(tree)
    except (SqlglotError, ValueError) as error:
        raise SqlError(f"The statement is not translated to this engine: {error}") from error
    if len(sql) > MAX_TRANSLATED:
        raise SqlTooLarge(f"The translated statement has {len(sql)} characters. The limit is {MAX_TRANSLATED}.")
    return sql


def _translate_command(source: Source, tree: exp.Command, context: Context) -> Translated:
    """EXPLAIN and the statement after it; the parser does not know others."""
    name, text = str(tree.this).upper(), _text(tree.args.get("expression"))
    rest = list(split_statements(text)) if name == "EXPLAIN" else []
    if len(rest) != 1:
        kind = text.upper().split()[:1] if name == "SHOW" else []
        raise refuse(f"The statement type '{' '.join([name, *kind])}'")
    explained = _translate_statement(rest[0], context)
    return msgspec.structs.replace(explained, sql=f"EXPLAIN {explained.sql}", position=source.start, source=source.text)


def _text(value: object) -> str:
    return value.name if isinstance(value, exp.Expr) else str(value or "")


def _unset(source: Source) -> str:
    """The variable of `UNSET name`."""
    [first, *rest] = source.tokens
    return rest[0].text.upper() if first.text.upper() == "UNSET" and len(rest) == 1 else ""
