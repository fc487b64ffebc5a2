"""Arrays and objects made of values, as JSON."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.dialect.errors import SqlError
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call, expand

_JSON = exp.DataType.build("JSON", dialect="duckdb")
Pair = tuple[exp.Expr, exp.Expr]


def array(values: list[exp.Expr]) -> exp.Expr:
    return call("JSON_ARRAY", *values)


def translate_array(node: exp.Array) -> exp.Expr:
    return array(list(node.expressions))


def translate_struct(node: exp.Struct) -> exp.Expr:
    """`{'a': 1}`."""
    pairs = [(exp.Literal.string(each.this.name), each.expression) for each in node.expressions]
    return construct_object([part for pair in pairs for part in pair])


def construct_object(arguments: list[exp.Expr]) -> exp.Expr:
    """Pairs whose value is NULL are left out. Keys that are literals are in the order of Snowflake."""
    pairs = [(exp.Literal.string(","), _pair(*each)) for each in _pairs(arguments)]
    joined = call("CONCAT_WS", exp.Literal.string(","), *(pair for _comma, pair in pairs)) if pairs else _text("")
    whole = exp.DPipe(this=exp.DPipe(this=_text("{"), expression=joined), expression=_text("}"))
    return exp.Cast(this=exp.Paren(this=whole), to=_JSON.copy())


def construct_object_with_nulls(arguments: list[exp.Expr]) -> exp.Expr:
    return call("JSON_OBJECT", *(part for pair in _pairs(arguments) for part in pair))


def _pairs(arguments: list[exp.Expr]) -> list[Pair]:
    if any(isinstance(each, exp.Star) for each in arguments):
        raise refuse("OBJECT_CONSTRUCT(*)", "Write the keys and values.")
    if len(arguments) % 2:
        raise SqlError("OBJECT_CONSTRUCT has a key without a value.")
    pairs = list(zip(arguments[::2], arguments[1::2], strict=True))
    is_literal = all(isinstance(key, exp.Literal) for key, _value in pairs)
    return sorted(pairs, key=lambda pair: pair[0].name) if is_literal else pairs


def _pair(key: exp.Expr, value: exp.Expr) -> exp.Expr:
    name = exp.Cast(this=expand("TO_JSON", key), to=exp.DataType.build("TEXT"))
    text = exp.DPipe(this=exp.DPipe(this=name, expression=_text(":")), expression=expand("TO_JSON", value.copy()))
    is_given = exp.Not(this=exp.Is(this=exp.Paren(this=value), expression=exp.Null()))
    return exp.Case(ifs=[exp.If(this=is_given, true=text)])


def _text(text: str) -> exp.Expr:
    return exp.Literal.string(text)
