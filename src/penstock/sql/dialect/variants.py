"""VARIANT, ARRAY and OBJECT are JSON here: paths `column:field[0]`, subscripts, and where a text is wanted of them.

In Snowflake a VARIANT that holds a text shows its quotes, and loses them when it becomes a VARCHAR. JSON of DuckDB
keeps them, so a path is read as JSON where a VARIANT stays one, and as a text everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from penstock.sql.dialect.functions import COMPARES, TAKES_VARIANT
from penstock.sql.dialect.lexing import MARK
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call, expand

CAST_IT = "Cast it, as in `::NUMBER` or `::VARCHAR`."
_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_STAYS = (exp.Select, exp.Alias, exp.Kwarg, exp.PropertyEQ, exp.Is, exp.JSONExtract, exp.Bracket, exp.Group, exp.Struct)
_ROOT = "$"


def translate_path(node: exp.JSONExtract) -> exp.Expr:
    """`column:field.other[0]`."""
    steps: Sequence[exp.Expr] = node.expression.expressions if isinstance(node.expression, exp.JSONPath) else ()
    if not steps or isinstance(node.this, exp.Literal):
        raise refuse(f"The path or subscript {node.sql(dialect='snowflake')}")
    return extract(node, node.this, _ROOT + "".join(map(_step, steps)))


def translate_subscript(node: exp.Bracket) -> exp.Expr:
    """`value[0]` and `value['field']`; positions count from 0 in both."""
    [index, *more] = node.expressions
    if more or isinstance(index, exp.Slice):
        raise refuse(
            f"The subscript [{', '.join(each.sql() for each in node.expressions)}]", "Use one position or key."
        )
    if isinstance(index, exp.Literal):
        step = _quoted(index.name) if index.is_string else f"[{index.name}]"
        return extract(node, node.this, _ROOT + step)
    if isinstance(index, exp.Neg):
        return exp.Null()  # a position below 0 is outside of an array
    found = expand("ITEM", node.this, index)
    return call("JSON_EXTRACT_STRING", found, exp.Literal.string(_ROOT)) if is_text_wanted(node) else found


def get(node: exp.Anonymous, value: exp.Expr, index: exp.Expr) -> exp.Expr:
    if isinstance(index, exp.Literal):
        return extract(node, value, _ROOT + (_quoted(index.name) if index.is_string else f"[{index.name}]"))
    return expand("ITEM", value, index)


def get_path(node: exp.Anonymous, value: exp.Expr, path: exp.Expr) -> exp.Expr:
    """`GET_PATH(value, 'a.b[0]')`."""
    if not isinstance(path, exp.Literal) or not path.is_string:
        raise refuse(f"GET_PATH with the path {path.sql()}", "Write the path as a text there.")
    steps = re.findall(r"\[(\d+)\]|\[?['\"]([^'\"]*)['\"]\]?|([^.\[\]]+)", path.name)
    return extract(node, value, _ROOT + "".join(f"[{at}]" if at else _quoted(key or name) for at, key, name in steps))


def extract(node: exp.Expr, value: exp.Expr, path: str) -> exp.Expr:
    """Extract a text, if the place of the node requires one."""
    if not is_text_wanted(node):
        return call("JSON_EXTRACT", value, exp.Literal.string(path))
    text = call("JSON_EXTRACT_STRING", value, exp.Literal.string(path))
    return exp.Cast(this=text, to=exp.DataType.build("DECIMAL(38, 9)")) if _is_compared_with_number(node) else text


def _is_compared_with_number(node: exp.Expr) -> bool:
    parent = node.parent
    if not isinstance(parent, exp.Predicate) or not isinstance(parent, exp.Binary | exp.Between | exp.In):
        return False
    others = [each.unnest() for each in parent.iter_expressions() if each is not node]
    numbers = [each.this if isinstance(each, exp.Neg) else each for each in others]
    return any(isinstance(each, exp.Literal) and not each.is_string for each in numbers)


def is_text_wanted(node: exp.Expr) -> bool:
    """Raises NotTranslated where a text in place of a VARIANT would give other rows."""
    parent, child = node.parent, node
    while isinstance(parent, exp.Paren):
        parent, child = parent.parent, parent
    if isinstance(parent, exp.Anonymous):
        return _is_text_argument(parent)
    if isinstance(parent, exp.Distinct) and isinstance(parent.parent, exp.Anonymous):
        return _is_text_argument(parent.parent)
    _check_place(parent, child)
    return not isinstance(parent, _STAYS)


def _is_text_argument(function: exp.Anonymous) -> bool:
    name = str(function.this).removeprefix(MARK).upper()
    if name in COMPARES:
        raise refuse(f"{name} of a VARIANT", CAST_IT)
    return name not in TAKES_VARIANT


def _check_place(parent: exp.Expr | None, child: exp.Expr) -> None:
    if isinstance(parent, exp.Ordered):
        raise refuse("ORDER BY a VARIANT", CAST_IT)
    if isinstance(parent, _ORDERING) and all(_is_variant(each) for each in parent.iter_expressions()):
        raise refuse("A comparison of two VARIANTs", CAST_IT)
    if isinstance(parent, exp.Tuple) or _is_inserted(parent) or _is_assigned(parent, child):
        raise refuse("A VARIANT that is written to a column", "Cast it to the type of the column, or `::VARIANT`.")


def _is_variant(node: exp.Expr) -> bool:
    return isinstance(node.unnest(), exp.JSONExtract | exp.Bracket)


def _is_inserted(parent: exp.Expr | None) -> bool:
    select = parent.parent if isinstance(parent, exp.Alias) else parent
    while isinstance(select, exp.Select | exp.SetOperation | exp.Subquery):
        select = select.parent
    return isinstance(select, exp.Insert)


def _is_assigned(parent: exp.Expr | None, child: exp.Expr) -> bool:
    return isinstance(parent, exp.EQ) and isinstance(parent.parent, exp.Update) and child is parent.expression


def _step(step: exp.Expr) -> str:
    if isinstance(step, exp.JSONPathRoot):
        return ""
    if isinstance(step, exp.JSONPathKey):
        return _quoted(str(step.this))
    if isinstance(step, exp.JSONPathSubscript):
        return f"[{step.this}]" if isinstance(step.this, int) else _quoted(str(step.this))
    raise refuse(f"The step {type(step).__name__} of a path")


def _quoted(key: str) -> str:
    return '."' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
