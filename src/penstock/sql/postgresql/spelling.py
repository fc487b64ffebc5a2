"""Functions that only PostgreSQL has, as those of the database."""

from __future__ import annotations

import re

from sqlglot import exp

from penstock.sql.errors import StatementFailed
from penstock.sql.postgresql.formats import convert_format
from penstock.sql.postgresql.functions import replace_function

_PLACE = re.compile(r"%(%|s|I|)")


def respell(node: exp.Expr) -> exp.Expr | None:
    """Return None if it stays as it is."""
    match node:
        case exp.TimeToStr() | exp.StrToDate() | exp.StrToTime():
            new = node.copy()
            new.set("format", convert_format(node.args.get("format")))
            return new
        case exp.RegexpILike():
            return _call("regexp_matches", node.this, node.expression, exp.Literal.string("i"))
        case exp.JSONArrayAgg():
            return _call("to_json", _call("list", node.this.copy()))
        case exp.ExplodingGenerateSeries():
            return _series(node)
        case exp.Format():
            return _format(node)
        case exp.EQ():
            return _is_among(node)
        case _:
            return None


def restore_all(tree: exp.Expr) -> None:
    """`ORDER BY ALL` of the database, in which the parser of PostgreSQL sees the name of a column."""
    for each in tree.find_all(exp.Ordered):
        column = each.this
        if isinstance(column, exp.Column) and column.sql("postgres").upper() == "ALL":
            column.replace(exp.var("ALL"))


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _series(node: exp.ExplodingGenerateSeries) -> exp.Expr | None:
    """Translate it as a column: many rows, and a list for the database."""
    if not isinstance(node.parent, exp.Select | exp.Alias):
        return None
    arguments = [node.args[name] for name in ("start", "end", "step") if node.args.get(name)]
    return _call("unnest", _call("generate_series", *arguments))


def _is_among(node: exp.EQ) -> exp.Expr | None:
    """`= ANY (list)` in the condition of a join, where the database reads it as a subquery and refuses it."""
    values = node.expression
    if not isinstance(values, exp.Any) or not node.find_ancestor(exp.Join):
        return None
    inner = values.this.unnest()
    return None if isinstance(inner, exp.Query) else _call("list_contains", inner.copy(), node.this.copy())


def _format(node: exp.Format) -> exp.Expr | None:
    """Translate templates with `%s` and `%I`; templates with braces are those of the database itself."""
    template = node.this.name if isinstance(node.this, exp.Literal) else ""
    if "%" not in template or "{" in template:
        return None
    values, parts, last = list(node.expressions), list[exp.Expr](), 0
    for found in _PLACE.finditer(template):
        parts += [exp.Literal.string(template[last : found.start()]), _fill(found[1], template, values)]
        last = found.end()
    return _call("concat", *parts, exp.Literal.string(template[last:]))


def _fill(kind: str, template: str, values: list[exp.Expr]) -> exp.Expr:
    if kind == "%":
        return exp.Literal.string("%")
    if not kind or not values:
        raise StatementFailed(
            f"format has a value for each %s and %I here, and no other places: {template!r} is not valid."
        )
    return values.pop(0) if kind == "s" else replace_function("quote_ident", [values.pop(0)]) or exp.null()
