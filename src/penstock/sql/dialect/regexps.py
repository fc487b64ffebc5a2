"""Regular expressions: those of RE2. Options and positions that DuckDB cannot take are errors."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import call, expand
from penstock.sql.dialect.types import as_text

_OPTIONS = frozenset("ci")


def _like(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    text, pattern, *options = arguments
    return expand(name, as_text(text), pattern, *_options(name, options))


def _replace(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    text, pattern, *more = arguments
    replacement = more[0] if more else exp.Literal.string("")
    _check_numbers(name, more[1:3], ("1", "0"))
    options = "g" + "".join(each.name for each in _options(name, more[3:]))
    return call("REGEXP_REPLACE", as_text(text), pattern, replacement, exp.Literal.string(options))


def _substring(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    """The text, the pattern, where to begin, which match, options, and which group."""
    text, pattern, *more = arguments
    _check_numbers(name, more[:1], ("1",))
    number = more[1] if len(more) > 1 else exp.Literal.number(1)
    given = more[2].name if len(more) > 2 else ""
    group = more[3] if len(more) > 3 else exp.Literal.number(1 if "e" in given else 0)
    options = _options(name, [exp.Literal.string(given.replace("e", ""))] if more[2:3] else [])
    return expand(name, as_text(text), pattern, number, group, options[0] if options else exp.Literal.string("c"))


def _count(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    text, pattern, *more = arguments
    _check_numbers(name, more, ("1",))
    return expand(name, as_text(text), pattern)


def _options(name: str, options: list[exp.Expr]) -> list[exp.Expr]:
    for each in options:
        if not isinstance(each, exp.Literal) or not _OPTIONS.issuperset(each.name):
            raise refuse(f"{name} with the parameters {each.sql()}", "'c' and 'i' are.")
    return [exp.Literal.string(each.name or "c") for each in options]


def _check_numbers(name: str, arguments: list[exp.Expr], only: tuple[str, ...]) -> None:
    for each, allowed in zip(arguments, only, strict=False):
        if each.name != allowed:
            raise refuse(f"{name} with the position or occurrence {each.sql()}", f"{allowed} is.")
    if len(arguments) > len(only):
        raise refuse(f"{name} with so many arguments")


def translate_rlike(node: exp.RegexpLike) -> exp.Expr:
    return expand("RLIKE", as_text(node.this), node.expression)


REGEXPS: dict[str, Callable[[str, list[exp.Expr]], exp.Expr]] = {
    "REGEXP_LIKE": _like,
    "RLIKE": _like,
    "REGEXP_REPLACE": _replace,
    "REGEXP_SUBSTR": _substring,
    "REGEXP_COUNT": _count,
}
