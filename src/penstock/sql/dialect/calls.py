"""Calls of functions, rewritten by their names."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from penstock.sql.dialect import dates, formats, variants
from penstock.sql.dialect.aggregates import AGGREGATES
from penstock.sql.dialect.context import Context
from penstock.sql.dialect.errors import SqlError
from penstock.sql.dialect.functions import DIFFERENT, PASSED, RENAMED, SAME
from penstock.sql.dialect.functions.texts import TAKES_TEXT
from penstock.sql.dialect.lexing import MARK
from penstock.sql.dialect.objects import array, construct_object, construct_object_with_nulls
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.regexps import REGEXPS
from penstock.sql.dialect.templates import call, counts_of_arguments, expand, has_template
from penstock.sql.dialect.types import as_text, decimal

Arguments = list[exp.Expr]
Rewrite = Callable[[str, Arguments], exp.Expr]


def translate_call(node: exp.Anonymous, context: Context) -> exp.Expr:
    """Raises SqlError for a function of Snowflake that has no match here, or a wrong number of arguments."""
    name = str(node.this).removeprefix(MARK).upper()
    if any(isinstance(each, exp.Kwarg) for each in node.expressions):
        raise refuse(f"{name} with arguments by name")
    if name in context.session:
        return exp.Literal.string(context.session[name])
    return _translate(node, name, list(node.expressions))


def _translate(node: exp.Anonymous, name: str, arguments: Arguments) -> exp.Expr:
    if name in AGGREGATES:
        return AGGREGATES[name](node)
    if name in ("GET", "GET_PATH"):
        return _get(node, name, arguments)
    if name in REWRITES:
        return _rewrite(name, arguments)
    if has_template(name):
        return _expand(name, arguments)
    if name in SAME or name in RENAMED:
        return call(RENAMED.get(name, name), *arguments)
    if name in DIFFERENT or (str(node.this).startswith(MARK) and name not in PASSED):
        raise refuse(f"The function {name}")
    return call(name, *arguments)


def _rewrite(name: str, arguments: Arguments) -> exp.Expr:
    try:
        return REWRITES[name](name, arguments)
    except (ValueError, TypeError, IndexError) as error:
        raise _wrong_count(name, len(arguments)) from error


def _expand(name: str, arguments: Arguments) -> exp.Expr:
    if len(arguments) not in counts_of_arguments(name):
        raise _wrong_count(name, len(arguments))
    if name in TAKES_TEXT:
        arguments = [
            as_text(each) if isinstance(each, exp.Column) and not at else each for at, each in enumerate(arguments)
        ]
    return expand(name, *arguments)


def _wrong_count(name: str, count: int) -> SqlError:
    return SqlError(
        f"{name} with {count} arguments is not known here: too many or too few arguments for function [{name}]."
    )


def _get(node: exp.Anonymous, name: str, arguments: Arguments) -> exp.Expr:
    if len(arguments) != 2:
        raise _wrong_count(name, len(arguments))
    value, index = arguments
    if name == "GET":
        return variants.get(node, value, index)
    return variants.get_path(node, value, index)


def _concat(_name: str, arguments: Arguments) -> exp.Expr:
    """NULL if one of them is."""
    texts = [as_text(each) for each in arguments]
    return exp.Paren(this=_joined(texts)) if len(texts) > 1 else texts[0]


def _concat_ws(_name: str, arguments: Arguments) -> exp.Expr:
    separator, first, *others = [as_text(each) for each in arguments]
    return exp.Paren(this=_joined([first, *(part for each in others for part in (separator.copy(), each))]))


def _joined(texts: Arguments) -> exp.Expr:
    whole = _operand(texts[0])
    for text in texts[1:]:
        whole = exp.DPipe(this=whole, expression=_operand(text))
    return whole


def _operand(node: exp.Expr) -> exp.Expr:
    return (
        exp.Paren(this=node) if isinstance(node, exp.Binary | exp.Unary) and not isinstance(node, exp.DPipe) else node
    )


def _greatest(name: str, arguments: Arguments) -> exp.Expr:
    """NULL if one of them is; DuckDB leaves NULL out."""
    nulls = [exp.Is(this=_operand(each.copy()), expression=exp.Null()) for each in arguments]
    return exp.Case(ifs=[exp.If(this=exp.or_(*nulls), true=exp.Null())], default=call(name, *arguments))


def _decode(_name: str, arguments: Arguments) -> exp.Expr:
    """NULL is equal to NULL here."""
    value, *rest = arguments
    pairs = list(zip(rest[::2], rest[1::2], strict=False))
    default = rest[-1] if len(rest) % 2 else None
    ifs = [
        exp.If(this=exp.NullSafeEQ(this=_operand(value.copy()), expression=_operand(one)), true=two)
        for one, two in pairs
    ]
    return exp.Case(ifs=ifs, default=default)


def _to_text(name: str, arguments: Arguments) -> exp.Expr:
    if len(arguments) == 1:
        return as_text(arguments[0])
    return expand(name, arguments[0], *formats.writing_format(name, arguments[1:]))


def _read_time(name: str, arguments: Arguments) -> exp.Expr:
    if len(arguments) == 1:
        return expand(name, arguments[0])
    name = "TO_DATE" if name == "DATE" else name
    return expand(name, arguments[0], *formats.reading_format(name, arguments[1:]))


def _to_number(name: str, arguments: Arguments) -> exp.Expr:
    value, *sizes = arguments
    if any(not isinstance(each, exp.Literal) or each.is_string for each in sizes) or len(sizes) > 2:
        raise refuse(f"{name} with a format", "Write the precision and the scale: TO_NUMBER(x, 10, 2).")
    precision, scale = [*(int(each.name) for each in sizes), *(38, 0)[len(sizes) :]]
    return decimal(value, precision, scale, is_try=name.startswith("TRY_"))


def _date_add(name: str, arguments: Arguments) -> exp.Expr:
    part, number, date = arguments
    return dates.add_to_date(name, part, number, date)


def _date_diff(name: str, arguments: Arguments) -> exp.Expr:
    part, start, end = arguments
    return dates.difference(name, part, start, end)


def _date_part(name: str, arguments: Arguments) -> exp.Expr:
    part, date = arguments
    return dates.read_part(name, part, date)


def _date_trunc(name: str, arguments: Arguments) -> exp.Expr:
    part, date = arguments
    return dates.truncate(name, part, date)


def _trunc(name: str, arguments: Arguments) -> exp.Expr:
    if len(arguments) == 2 and isinstance(arguments[1], exp.Literal) and arguments[1].is_string:
        return dates.truncate(name, arguments[1], arguments[0])
    return expand(name, *arguments) if len(arguments) in (1, 2) else _raise_count(name, arguments)


def _last_day(name: str, arguments: Arguments) -> exp.Expr:
    return expand(name, *arguments) if len(arguments) == 1 else dates.last_day(name, *arguments)


def _sha2(name: str, arguments: Arguments) -> exp.Expr:
    value, *sizes = arguments
    if sizes and sizes[0].name != "256":
        raise refuse(f"{name} with {sizes[0].sql()} bits", "256 is.")
    return expand(name, value)


def _raise_count(name: str, arguments: Arguments) -> exp.Expr:
    raise _wrong_count(name, len(arguments))


def _now(name: str, _arguments: Arguments) -> exp.Expr:
    """The precision is left out: six digits."""
    return expand(name)


REWRITES: dict[str, Rewrite] = {
    **REGEXPS,
    "CONCAT": _concat,
    "CONCAT_WS": _concat_ws,
    "GREATEST": _greatest,
    "LEAST": _greatest,
    "DECODE": _decode,
    **dict.fromkeys(("TO_VARCHAR", "TO_CHAR"), _to_text),
    **{
        f"{prefix}{name}": _read_time
        for prefix in ("TO_", "TRY_TO_")
        for name in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ")
    },
    "DATE": _read_time,
    **{f"{prefix}{name}": _to_number for prefix in ("TO_", "TRY_TO_") for name in ("NUMBER", "DECIMAL", "NUMERIC")},
    **dict.fromkeys(("DATEADD", "TIMEADD", "TIMESTAMPADD"), _date_add),
    **dict.fromkeys(("DATEDIFF", "TIMEDIFF", "TIMESTAMPDIFF"), _date_diff),
    "DATE_PART": _date_part,
    "DATE_TRUNC": _date_trunc,
    "TRUNC": _trunc,
    "LAST_DAY": _last_day,
    **dict.fromkeys(("SHA2", "SHA2_HEX"), _sha2),
    **dict.fromkeys(("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_TIME", "LOCALTIME", "SYSTIMESTAMP"), _now),
    "ARRAY_CONSTRUCT": lambda _name, arguments: array(arguments),
    "OBJECT_CONSTRUCT": lambda _name, arguments: construct_object(arguments),
    "OBJECT_CONSTRUCT_KEEP_NULL": lambda _name, arguments: construct_object_with_nulls(arguments),
}
