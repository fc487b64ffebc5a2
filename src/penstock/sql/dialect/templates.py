"""Templates of functions: `NAME(a, b)` and an expression of DuckDB in which the arguments are put.

They are expanded in the statement, so that it runs anywhere: no function has to be made in the database first, and
views that use them stay valid.
"""

from __future__ import annotations

import re
from functools import cache

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser

from penstock.sql.dialect.errors import SqlTooLarge
from penstock.sql.dialect.functions import TEMPLATES
from penstock.sql.dialect.lexing import MARK, mark_functions, names_of

DUCKDB = DuckDB()
MAX_NODES = 100_000
_SIGNATURE = re.compile(r"(\w+)\((.*)\)")
_SYNTAX = {"AND", "OR", "NOT", "IN", "CASE", "CAST", "TRY_CAST"}
_NAMES = names_of(DuckDBParser) - _SYNTAX
_SIMPLE = (exp.Column, exp.Literal, exp.Anonymous, exp.Paren, exp.Null, exp.Boolean, exp.Cast, exp.Case, exp.Tuple)


def _index() -> dict[str, dict[int, tuple[list[str], str]]]:
    found: dict[str, dict[int, tuple[list[str], str]]] = {}
    for signature, body in TEMPLATES.items():
        match = _SIGNATURE.fullmatch(signature)
        assert match, signature
        parameters = [each.strip() for each in match[2].split(",") if each.strip()]
        found.setdefault(match[1], {})[len(parameters)] = (parameters, body)
    return found


_INDEX = _index()


def has_template(name: str) -> bool:
    return name in _INDEX


def counts_of_arguments(name: str) -> list[int]:
    return sorted(_INDEX[name])


def expand(name: str, *arguments: exp.Expr) -> exp.Expr:
    """The template of a function of so many arguments."""
    parameters, _body = _INDEX[name][len(arguments)]
    values = dict(zip(parameters, map(_in_parentheses, arguments), strict=True))
    tree = exp.Paren(this=_body_of(name, len(arguments)).copy())
    places = [
        node for node in tree.find_all(exp.Column) if node.name in values and not node.table and not _is_bound(node)
    ]
    _check_size(name, [values[node.name] for node in places])
    for node in places:
        node.replace(values[node.name].copy())
    return tree.this if isinstance(tree.this, _SIMPLE) else tree


def _check_size(name: str, copies: list[exp.Expr]) -> None:
    """A template may name an argument several times, so calls in calls grow."""
    if len(copies) > 1 and sum(sum(1 for _node in each.walk()) for each in copies) > MAX_NODES:
        raise SqlTooLarge(f"The call of {name} is nested too deeply: its translation would be too large.")


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A function of DuckDB, by its name there."""
    return exp.Anonymous(this=name, expressions=list(arguments))


@cache
def _body_of(name: str, count: int) -> exp.Expr:
    _parameters, body = _INDEX[name][count]
    return parse_duckdb(body)


def parse_duckdb(sql: str) -> exp.Expr:
    """SQL of DuckDB whose calls stay as they are written."""
    tokens = DUCKDB.tokenize(sql)
    mark_functions(tokens, _NAMES)
    [tree] = DuckDBParser(dialect=DUCKDB).parse(tokens, sql)
    assert tree is not None
    for node in tree.find_all(exp.Anonymous):
        node.set("this", str(node.this).removeprefix(MARK))
    return tree


def _is_bound(node: exp.Expr) -> bool:
    """The parameter of a lambda has the name that it has there."""
    scope = node.find_ancestor(exp.Lambda)
    return bool(scope) and any(each.name == node.name for each in scope.expressions)


def _in_parentheses(node: exp.Expr) -> exp.Expr:
    return node if isinstance(node, _SIMPLE) else exp.Paren(this=node)
