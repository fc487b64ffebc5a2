"""Aggregates that collect values, with their order, and window functions."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from penstock.sql.dialect.functions import WHOLE_PARTITION
from penstock.sql.dialect.lexing import MARK
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call
from penstock.sql.dialect.types import as_text


def _listagg(node: exp.Anonymous) -> exp.Expr:
    """Nothing is between the values unless it says so."""
    values = list(node.expressions)
    distinct = isinstance(values[0], exp.Distinct)
    if distinct:
        values = [*values[0].expressions, *values[1:]]
    text, separator = as_text(values[0]), values[1] if len(values) > 1 else exp.Literal.string("")
    return call("STRING_AGG", exp.Distinct(expressions=[text]) if distinct else text, separator)


def _array_agg(node: exp.Anonymous) -> exp.Expr:
    return call("LIST", *node.expressions)


def _object_agg(node: exp.Anonymous) -> exp.Expr:
    key, value = node.expressions
    is_given = exp.and_(*(exp.Not(this=exp.Is(this=each.copy(), expression=exp.Null())) for each in (key, value)))
    lists = [
        exp.Filter(this=_finished_call("LIST", each), expression=exp.Where(this=is_given.copy()))
        for each in (key, call("TO_JSON", value))
    ]
    return call("TO_JSON", call("MAP", *lists))


def _finished_call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    made = call(name, *arguments)
    made.meta["finished"] = True
    return made


def _count(node: exp.Anonymous) -> exp.Expr:
    """Translate the count of several columns: rows in which none is NULL."""
    [first, *more] = node.expressions or [exp.Star()]
    if more:
        raise refuse("COUNT of several columns", "COUNT(DISTINCT a, b) is.")
    if isinstance(first, exp.Distinct) and len(first.expressions) > 1:
        given = [exp.Not(this=exp.Is(this=each.copy(), expression=exp.Null())) for each in first.expressions]
        row = exp.Tuple(expressions=list(first.expressions))
        first = exp.Distinct(expressions=[exp.Case(ifs=[exp.If(this=exp.and_(*given), true=row)])])
    return call("COUNT", first)


AGGREGATES: dict[str, Callable[[exp.Anonymous], exp.Expr]] = {
    "LISTAGG": _listagg,
    "STRING_AGG": _listagg,
    "ARRAY_AGG": _array_agg,
    "ARRAYAGG": _array_agg,
    "OBJECT_AGG": _object_agg,
    "COUNT": _count,
}


def translate_within_group(node: exp.WithinGroup) -> exp.Expr | None:
    """`PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)` is `QUANTILE_CONT(x, 0.5)`."""
    name = str(node.this.this) if isinstance(node.this, exp.Anonymous) else ""
    if name not in ("PERCENTILE_CONT", "PERCENTILE_DISC"):
        return None
    [share], [order] = node.this.expressions, node.expression.expressions
    if order.args.get("desc"):
        share = exp.Sub(this=exp.Literal.number(1), expression=exp.Paren(this=share))
    return call(f"QUANTILE{name.removeprefix('PERCENTILE')}", order.this, share)


def finish_aggregates(tree: exp.Expr) -> None:
    """What belongs around an aggregate with its order and window: LISTAGG of nothing is an empty text, ARRAY_AGG an
    empty array."""
    for node in list(tree.find_all(exp.Anonymous)):
        name = str(node.this)
        if name in ("STRING_AGG", "LIST") and not node.meta.get("finished"):
            node.meta["finished"] = True
            _finish(node, name)


def _finish(node: exp.Anonymous, name: str) -> None:
    place: exp.Expr = _order_inside(node)
    if name == "LIST":
        place = _without_nulls(node, place)
    if isinstance(place.parent, exp.Window) and place.arg_key == "this":
        place = place.parent
    holder = exp.Paren()
    place.replace(holder)
    holder.replace(_finished(name, place))


def _finished(name: str, place: exp.Expr) -> exp.Expr:
    if name == "STRING_AGG":
        return call("COALESCE", place, exp.Literal.string(""))
    empty = exp.Cast(this=exp.Literal.string("[]"), to=exp.DataType.build("JSON", dialect="duckdb"))
    return call("COALESCE", call("TO_JSON", place), empty)


def _order_inside(node: exp.Anonymous) -> exp.Expr:
    """`LISTAGG(x) WITHIN GROUP (ORDER BY y)` is `STRING_AGG(x ORDER BY y)`."""
    within = node.parent
    if not isinstance(within, exp.WithinGroup):
        return node
    *others, last = node.expressions
    order = within.expression
    order.set("this", last)
    node.set("expressions", [*others, order])
    within.replace(node)
    return node


def _without_nulls(node: exp.Anonymous, place: exp.Expr) -> exp.Expr:
    value = node.expressions[0]
    while isinstance(value, exp.Order | exp.Distinct):
        value = value.this if isinstance(value, exp.Order) else value.expressions[0]
    is_given = exp.Not(this=exp.Is(this=exp.Paren(this=value.copy()), expression=exp.Null()))
    filtered = exp.Filter(this=place.copy(), expression=exp.Where(this=is_given))
    filtered.this.meta["finished"] = True
    place.replace(filtered)
    return filtered


def translate_window(node: exp.Window) -> exp.Expr | None:
    """FIRST_VALUE and the like see the whole partition."""
    function = node.this
    while isinstance(function, exp.IgnoreNulls | exp.RespectNulls):
        function = function.this
    name = str(function.this).removeprefix(MARK).upper() if isinstance(function, exp.Anonymous) else ""
    if isinstance(node.this, exp.IgnoreNulls | exp.RespectNulls) and function.expressions:
        [first, *others] = function.expressions
        function.set("expressions", [type(node.this)(this=first), *others])
        node.set("this", function)
    if name in WHOLE_PARTITION and node.args.get("order") and not node.args.get("spec"):
        node.set("spec", _whole())
    return None


def _whole() -> exp.Expr:
    sides = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}
    return exp.WindowSpec(kind="ROWS", **sides)
