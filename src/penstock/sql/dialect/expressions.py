"""The tree of a statement, rewritten node by node, the innermost first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from penstock.sql.dialect import dates, objects, regexps, sources, variants
from penstock.sql.dialect.aggregates import finish_aggregates, translate_window, translate_within_group
from penstock.sql.dialect.calls import translate_call
from penstock.sql.dialect.context import Context
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call, expand
from penstock.sql.dialect.types import as_text, translate_cast, translate_type

Handler = Callable[[Any], exp.Expr | None]
ContextHandler = Callable[[Any, Context], exp.Expr | None]


def translate_tree(tree: exp.Expr, context: Context) -> exp.Expr:
    """Raises SqlError."""
    sources.note_flattened(tree, context)
    for node in reversed(list(tree.walk())):
        new = _translate_node(node, context)
        if new is not None and new is not node:
            tree = new if node is tree else tree
            node.replace(new)
    sources.translate_sources(tree)
    finish_aggregates(tree)
    return tree


def _translate_node(node: exp.Expr, context: Context) -> exp.Expr | None:
    if handler := _HANDLERS.get(type(node)):
        return handler(node)
    in_context = _IN_CONTEXT.get(type(node))
    return in_context(node, context) if in_context else None


def _function(node: exp.Anonymous, context: Context) -> exp.Expr | None:
    is_table = isinstance(node.parent, exp.Lateral | exp.TableFromRows | exp.Table)
    return None if is_table else translate_call(node, context)


def _column(node: exp.Column, context: Context) -> exp.Expr | None:
    if node.args.get("join_mark"):
        raise refuse("The join operator (+)", "Write LEFT JOIN.")
    if isinstance(node.this, exp.Parameter):
        return sources.translate_positional(node)
    if node.name not in ("VALUE", "THIS") or not (
        node.table in context.flattened or (not node.table and context.flattened)
    ):
        return None
    return variants.extract(node, node.copy(), "$") if variants.is_text_wanted(node) else None


def _divide(node: exp.Binary) -> exp.Expr | None:
    """A division by zero is an error, as it is in Snowflake."""
    by = node.expression
    if isinstance(by, exp.Literal) and not by.is_string and by.name.strip("0.") != "":
        return None
    return expand("DIVIDE" if isinstance(node, exp.Div) else "MOD", node.this, by)


def _parameter(node: exp.Parameter) -> exp.Expr | None:
    if isinstance(node.parent, exp.Column):
        return None
    if isinstance(node.this, exp.Literal):
        return exp.column(exp.to_identifier(f"COLUMN{node.this.name}", quoted=True))
    return call("GETVARIABLE", exp.Literal.string(node.this.name.upper()))


def _like(node: exp.Binary) -> exp.Expr | None:
    if isinstance(node.parent, exp.Escape) and isinstance(node.expression, exp.Any | exp.All):
        raise refuse("LIKE ANY with ESCAPE")
    if isinstance(node.this, exp.Column):
        node.set("this", as_text(node.this))
    return None


def _join_texts(node: exp.DPipe) -> exp.Expr | None:
    for side in ("this", "expression"):
        if isinstance(node.args[side], exp.Column):
            node.set(side, as_text(node.args[side]))
    return None


def _definition(node: exp.ColumnDef) -> exp.Expr | None:
    if isinstance(node.kind, exp.DataType):
        node.set("kind", translate_type(node.kind))
    return None


def _position(node: exp.StrPosition) -> exp.Expr:
    start = [node.args["position"]] if node.args.get("position") else []
    return expand("POSITION", node.args["substr"], node.this, *start)


def _session(_node: exp.Expr, context: Context) -> exp.Expr:
    return exp.Literal.string(context.schema)


def _from(node: exp.From) -> exp.Expr | None:
    """DUAL is a dummy table with one row: a SELECT without FROM does the same."""
    if isinstance(node.this, exp.Table) and node.this.name == "DUAL" and not node.this.db:
        node.pop()
    return None


def _alter_column(node: exp.AlterColumn) -> exp.Expr | None:
    if isinstance(node.args.get("dtype"), exp.DataType):
        node.set("dtype", translate_type(node.args["dtype"]))
    return None


def _now(name: str) -> Handler:
    return lambda _node: expand(name)


_HANDLERS: dict[type[exp.Expr], Handler] = {
    exp.Cast: translate_cast,
    exp.TryCast: translate_cast,
    exp.RawString: lambda node: exp.Literal.string(node.name),
    exp.ColumnDef: _definition,
    exp.AlterColumn: _alter_column,
    exp.JSONExtract: variants.translate_path,
    exp.Bracket: variants.translate_subscript,
    exp.Struct: objects.translate_struct,
    exp.Array: objects.translate_array,
    exp.RegexpLike: regexps.translate_rlike,
    exp.Extract: lambda node: dates.read_part("EXTRACT", node.this, node.expression),
    exp.StrPosition: _position,
    exp.Div: _divide,
    exp.Mod: _divide,
    exp.DPipe: _join_texts,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Parameter: _parameter,
    exp.Window: translate_window,
    exp.WithinGroup: translate_within_group,
    exp.TableSample: sources.translate_sample,
    exp.CurrentTimestamp: _now("CURRENT_TIMESTAMP"),
    exp.Localtime: _now("LOCALTIME"),
    exp.CurrentTime: _now("CURRENT_TIME"),
    exp.From: _from,
    exp.Interval: dates.translate_interval,
}
_IN_CONTEXT: dict[type[exp.Expr], ContextHandler] = {
    exp.Anonymous: _function,
    exp.Column: _column,
    exp.CurrentUser: _session,
    exp.CurrentRole: _session,
}
