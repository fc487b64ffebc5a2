"""Types of Snowflake as types of DuckDB, and casts to them."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call, expand

D = exp.DType
_TYPES: dict[exp.DType, exp.DType] = {
    **dict.fromkeys((D.INT, D.BIGINT, D.SMALLINT, D.TINYINT, D.MEDIUMINT), D.BIGINT),
    **dict.fromkeys((D.FLOAT, D.DOUBLE), D.DOUBLE),
    **dict.fromkeys((D.TEXT, D.VARCHAR, D.CHAR, D.NCHAR, D.NVARCHAR, D.NAME), D.TEXT),
    **dict.fromkeys((D.TIMESTAMP, D.TIMESTAMPNTZ, D.DATETIME), D.TIMESTAMP),
    **dict.fromkeys((D.TIMESTAMPTZ, D.TIMESTAMPLTZ), D.TIMESTAMPTZ),
    **dict.fromkeys((D.VARIANT, D.OBJECT, D.ARRAY, D.JSON), D.JSON),
    **dict.fromkeys((D.BINARY, D.VARBINARY), D.VARBINARY),
    **{kind: kind for kind in (D.DECIMAL, D.BOOLEAN, D.DATE, D.TIME)},
}
_TEXT_CALLS = {"JSON_EXTRACT_STRING", "STRFTIME", "UPPER", "LOWER", "REPLACE", "TRIM", "SUBSTRING"}


def translate_type(kind: exp.DataType) -> exp.DataType:
    """Raises NotTranslated for types that have no match. Lengths of texts and precisions of times are left out."""
    found = _TYPES.get(kind.this) if isinstance(kind.this, exp.DType) else None
    if found is None or (found == D.JSON and kind.expressions):
        raise refuse(f"The type {kind.sql(dialect='snowflake').upper()}")
    sizes = list(kind.expressions) if found == D.DECIMAL else []
    return exp.DataType(this=found, expressions=sizes or (_sizes(38, 0) if found == D.DECIMAL else []))


def translate_cast(node: exp.Cast) -> exp.Expr:
    value, kind, is_try = node.this, translate_type(node.to), isinstance(node, exp.TryCast)
    if kind.this == D.TEXT:
        return _cut(as_text(value), node.to)
    if kind.this == D.JSON:
        return expand("TO_VARIANT", value)
    if kind.this == D.BOOLEAN:
        return expand("TRY_TO_BOOLEAN" if is_try else "TO_BOOLEAN", value)
    if kind.this == D.BIGINT and not is_try and not isinstance(value, exp.Literal):
        return expand("TO_INT", value)
    return _cast(value, kind, is_try=is_try)


def decimal(value: exp.Expr, precision: int, scale: int, *, is_try: bool) -> exp.Expr:
    return _cast(value, exp.DataType(this=D.DECIMAL, expressions=_sizes(precision, scale)), is_try=is_try)


def as_text(value: exp.Expr) -> exp.Expr:
    """A VARIANT without quotes, and anything else as a text."""
    if _is_text(value):
        return value
    return expand("TEXT", value) if _may_be_variant(value) else _cast(value, exp.DataType(this=D.TEXT))


def _cast(value: exp.Expr, kind: exp.DataType, *, is_try: bool = False) -> exp.Expr:
    return exp.TryCast(this=value, to=kind) if is_try else exp.Cast(this=value, to=kind)


def _cut(value: exp.Expr, kind: exp.DataType) -> exp.Expr:
    """A text that is cast to a length is cut."""
    sizes = [each.name for each in kind.expressions]
    return call("LEFT", value, exp.Literal.number(sizes[0])) if sizes and sizes[0].isdecimal() else value


def _is_text(value: exp.Expr) -> bool:
    if isinstance(value, exp.Anonymous):
        return str(value.this).upper() in _TEXT_CALLS
    return isinstance(value, exp.DPipe) or (isinstance(value, exp.Literal) and value.is_string)


def _may_be_variant(value: exp.Expr) -> bool:
    return not isinstance(value, exp.Literal | exp.Binary | exp.Boolean | exp.Null | exp.Cast | exp.Neg | exp.Window)


def _sizes(precision: int, scale: int) -> list[exp.Expr]:
    return [exp.DataTypeParam(this=exp.Literal.number(each)) for each in (precision, scale)]
