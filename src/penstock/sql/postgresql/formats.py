"""Templates of to_char, to_date and to_timestamp, as formats of the database: a template that would give another text
than in PostgreSQL is refused."""

from __future__ import annotations

import re

from sqlglot import exp

from penstock.sql.errors import StatementFailed

_SAME = (
    *("%Y", "%y", "%m", "%d", "%H", "%I", "%M", "%S", "%f", "%j", "%G", "%V"),
    *("%-d", "%-j", "%-I", "%-H", "%-M", "%-m", "%-S"),
)
"""Directives that the parser makes of a template, and that mean what they mean in PostgreSQL."""
_OTHERS = {"HH": "%I", "MS": "%g", "AM": "%p", "PM": "%p", "Mon": "%b", "Dy": "%a"}
"""Patterns that the parser leaves as they are."""
_PART = re.compile(r'"([^"]*)"|(%-?[A-Za-z])([a-z]+)?|([A-Za-z]+)|([^A-Za-z%"]+|.)', re.DOTALL)
_NOT_LITERAL = (
    "The template of to_char, to_date and to_timestamp is a text in quotes here, as 'YYYY-MM-DD'; use strftime for one "
    "that is computed."
)


def convert_format(template: exp.Expr | None) -> exp.Expr:
    """Convert a template in which the parser has replaced what it knows."""
    if not isinstance(template, exp.Literal) or not template.is_string:
        raise StatementFailed(_NOT_LITERAL)
    return exp.Literal.string("".join(_convert(found, template.name) for found in _PART.finditer(template.name)))


def _convert(match: re.Match[str], template: str) -> str:
    quoted, directive, letters, word, other = match.groups()
    if quoted is not None:
        return quoted.replace("%", "%%")
    if directive and not letters and directive in _SAME:
        return directive
    if word in _OTHERS:
        return _OTHERS[word]
    if other is not None:
        return other.replace("%", "%%")
    raise StatementFailed(
        f"The template of to_char, to_date or to_timestamp has a pattern that is not known here: {match[0]!r} in "
        f"{template!r} (known patterns are shown as %Y, %m and so on). Use strftime of DuckDB instead."
    )
