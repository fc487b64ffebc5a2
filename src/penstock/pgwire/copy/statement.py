"""The text of a COPY: what is copied, where to, and in which format."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from penstock.pgwire.errors import SYNTAX, UNSUPPORTED, ClientError
from penstock.pgwire.statements import Statement, Token, read_tokens

_PLACES = ("stdin", "stdout")
_OPTION = re.compile(r"""(\w+)\s*('(?:[^']|'')*'|"[^"]*"|\w+|)""")
_FLAG = re.compile(r"\b(csv|binary|header)\b", re.IGNORECASE)
"""Without a value, in the form that COPY had before version 9: COPY … WITH CSV HEADER."""
_FORMATS = ("text", "csv", "binary")
_KNOWN = ("format", "delimiter", "null", "header", "encoding", "freeze")
_NO_DELIMITERS = "\\.abcdefghijklmnopqrstuvwxyz0123456789"
"""Of text, since they have a meaning in escapes."""
_NOT_KNOWN = "COPY has the options FORMAT, DELIMITER, NULL, HEADER and ENCODING here, and not {}."
_CTID = re.compile(r"\bctid\b", re.IGNORECASE)
_NO_CTID = (
    "Rows of a workspace have no ctid, by which DuckDB changes rows of an attached database. "
    "Send UPDATE and DELETE as they are, with postgres_execute or a connection of PostgreSQL."
)


class Copy(NamedTuple):
    query: str
    """With the rows that are copied, or with the columns that are filled."""
    target: str
    """The table and its columns, to insert into."""
    is_from_client: bool
    form: Literal["text", "csv", "binary"] = "text"
    delimiter: str = "\t"
    null: str = "\\N"
    has_header: bool = False


def parse_copy(statement: Statement, sql: str) -> Copy | None:
    """Return None if the statement copies nothing to or from the client."""
    if statement.first_word != "copy":
        return None
    place = _find_place(sql)
    if place is None:
        return None
    direction, end = place
    subject, options = sql[len("copy") : direction.start].strip(), _read_options(sql[end:])
    query = subject[1:-1] if subject.startswith("(") else _select(subject)
    if _CTID.search(query):
        raise ClientError(UNSUPPORTED, _NO_CTID)
    return _with_options(Copy(query, subject, direction.word == "from"), options)


def _find_place(sql: str) -> tuple[Token, int] | None:
    """The word TO or FROM before STDIN or STDOUT, and the end of that."""
    depth, last = 0, None
    for token in read_tokens(sql):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if not depth and last and last.word in ("to", "from") and token.word in _PLACES:
            return last, token.end
        last = token
    return None


def _select(table: str) -> str:
    """Return the SELECT of a table, perhaps with its columns: `"s"."t" (a, b)`."""
    name, _, columns = table.partition("(") if table.endswith(")") else (table, "", ")")
    return f"SELECT {columns[:-1] or '*'} FROM {name}"


def _read_options(text: str) -> dict[str, str]:
    inside = re.sub(r"^\s*with\b", "", text, flags=re.IGNORECASE).strip()
    inside = inside.removeprefix("(").removesuffix(")") if inside.startswith("(") else _FLAG.sub(r"\1,", inside)
    found = {name.lower(): value for name, value in _OPTION.findall(inside)}
    for name in [each for each in found if each in _FORMATS]:
        del found[name]
        found["format"] = name
    return {name: _unquoted(value) for name, value in found.items()}


def _unquoted(value: str) -> str:
    return value[1:-1].replace("''", "'") if value[:1] in ("'", '"') else value


def _with_options(copy: Copy, options: dict[str, str]) -> Copy:
    unknown = next((name for name in options if name not in _KNOWN), None)
    if unknown:
        raise ClientError(UNSUPPORTED, _NOT_KNOWN.format(unknown.upper()))
    form = options.get("format", "text").lower()
    if form not in _FORMATS:
        raise ClientError(SYNTAX, f"{form} is not a valid format of COPY: there are text, csv and binary.")
    is_csv = form == "csv"
    delimiter = options.get("delimiter", "," if is_csv else "\t")
    _check_delimiter(delimiter, '"' if is_csv else _NO_DELIMITERS)
    has_header = "header" in options and options["header"].lower() not in ("false", "off", "0")
    return copy._replace(
        form=form, delimiter=delimiter, null=options.get("null", "" if is_csv else "\\N"), has_header=has_header
    )


def _check_delimiter(delimiter: str, refused: str) -> None:
    if len(delimiter.encode()) != 1:
        raise ClientError(SYNTAX, "The delimiter of COPY has one character of ASCII.")
    if delimiter in refused or delimiter in "\r\n\0":
        raise ClientError(
            SYNTAX, f"{delimiter!r} is not a valid delimiter of COPY: it has another meaning in the data."
        )
