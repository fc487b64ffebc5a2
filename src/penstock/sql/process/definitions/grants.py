"""GRANT and REVOKE of tables and views: recorded, and shown in the catalog. Only the workspace itself signs in here, so
that they give nobody anything.

They are recorded as the last line of the comment of the table, which follows it when it is renamed or dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import duckdb
import msgspec

from penstock.foundation.text.quoting import quote_value
from penstock.sql.errors import StatementFailed
from penstock.sql.process.definitions.catalog import Relation, current_schema, find_relation, list_relations
from penstock.sql.process.definitions.reading import Definition, ObjectName, Reader
from penstock.sql.process.tokens import Token

MARK = "[granted] "
_PRIVILEGES = {
    "insert": "a",
    "select": "r",
    "update": "w",
    "delete": "d",
    "truncate": "D",
    "references": "x",
    "trigger": "t",
}
_RECORDED = re.compile(r"\n?\[granted\] (\[.*\])\Z")
_OTHERS = (
    *("schema", "database", "sequence", "function", "procedure", "routine", "type", "domain", "language", "foreign"),
)

Grants = dict[str, str]
"""Privileges by role, as PostgreSQL abbreviates them: `ar*` for `reporter`, where `*` may be granted on. PUBLIC is the
empty name. They are recorded as pairs: `[["reporter", "ar*"]]`."""


def split_comment(comment: str | None) -> tuple[str, Grants]:
    """What a user has written, and what was granted."""
    found = _RECORDED.search(comment or "")
    if not found:
        return comment or "", {}
    return (comment or "")[: found.start()], dict(msgspec.json.decode(found[1], type=list[tuple[str, str]]))


def join_comment(text: str, grants: Grants) -> str:
    recorded = f"{MARK}{msgspec.json.encode(list(grants.items())).decode()}" if grants else ""
    return f"{text}\n{recorded}" if text and recorded else text or recorded


def translate_grant(cursor: duckdb.DuckDBPyConnection, sql: str, tokens: Sequence[Token]) -> Definition:
    is_grant = tokens[0].word == "grant"
    reader = Reader(sql, tokens, 1)
    option_only = not is_grant and reader.skip("grant", "option", "for")
    letters = _read_privileges(reader)
    names = _read_tables(cursor, reader)
    if not reader.skip("to" if is_grant else "from"):
        raise reader.refuse(f"{'TO' if is_grant else 'FROM'} and the names of roles are missing.")
    roles = _read_roles(reader, owner=f"KEBOOLA_{current_schema(cursor)}")
    with_option = reader.skip("with", "grant", "option")
    changes = {role: _Change(letters, is_grant, with_option or option_only) for role in roles}
    first, *others = [_change(cursor, name, changes) for name in names]
    return Definition(first, after=others)


class _Change:
    def __init__(self, letters: str, is_grant: bool, is_option: bool) -> None:
        self._letters, self._is_grant, self._is_option = letters, is_grant, is_option

    def apply(self, sql: str) -> str:
        """The privileges of a role after it."""
        options = {sql[number - 1] for number, each in enumerate(sql) if each == "*"}
        held = set(sql) - {"*"}
        if self._is_grant:
            held |= set(self._letters)
            options |= set(self._letters) if self._is_option else set()
        else:
            options -= set(self._letters)
            held -= set() if self._is_option else set(self._letters)
        return "".join(f"{each}{'*' * (each in options)}" for each in _PRIVILEGES.values() if each in held)


def _read_privileges(reader: Reader) -> str:
    if reader.skip("all"):
        reader.skip("privileges")
        letters = "".join(_PRIVILEGES.values())
    else:
        letters = _read_privilege(reader)
        while reader.skip(","):
            letters += _read_privilege(reader)
    if not reader.skip("on"):
        raise reader.refuse(
            "Privileges are granted on tables and views here, as GRANT SELECT ON orders TO reporter: columns and roles "
            "cannot be granted."
        )
    return letters


def _read_privilege(reader: Reader) -> str:
    word, start = reader.word, reader.start
    reader.position += 1
    if word not in _PRIVILEGES:
        known = ", ".join(each.upper() for each in _PRIVILEGES)
        raise reader.refuse(f"{word.upper()!r} is not a privilege of tables, which are {known}.", start)
    return _PRIVILEGES[word]


def _read_tables(cursor: duckdb.DuckDBPyConnection, reader: Reader) -> list[ObjectName]:
    if reader.skip("all", "tables", "in", "schema"):
        schema = reader.read_name().name
        names = [ObjectName(schema, each) for each in list_relations(cursor, schema)]
        if not names:
            raise StatementFailed(f"The schema {schema} has no tables.")
        return names
    if reader.word in _OTHERS or reader.word == "all":
        raise reader.refuse("Privileges are granted on tables and views here, and on nothing else.")
    reader.skip("table")
    return reader.read_names()


def _read_roles(reader: Reader, owner: str) -> list[str]:
    roles = [_read_role(reader, owner)]
    while reader.skip(","):
        roles.append(_read_role(reader, owner))
    return [each for each in roles if each != owner]


def _read_role(reader: Reader, owner: str) -> str:
    reader.skip("group")
    quoted = reader.tokens[reader.position].text if reader.position < len(reader.tokens) else ""
    name = reader.read_identifier()
    if quoted.startswith('"'):
        return name
    name = name.lower()
    return owner if name in ("current_user", "current_role", "session_user") else "" if name == "public" else name


def _change(cursor: duckdb.DuckDBPyConnection, name: ObjectName, changes: dict[str, _Change]) -> str:
    relation = find_relation(cursor, name)
    _check_own(cursor, name, relation)
    text, grants = split_comment(relation.comment if relation else "")
    for role, change in changes.items():
        grants[role] = change.apply(grants.get(role, ""))
    kept = {role: letters for role, letters in grants.items() if letters}
    comment = join_comment(text, kept)
    kind = "VIEW" if relation and relation.is_view else "TABLE"
    return f"COMMENT ON {kind} {name} IS {quote_value(comment) if comment else 'NULL'}"


def _check_own(cursor: duckdb.DuckDBPyConnection, name: ObjectName, relation: Relation | None) -> None:
    if not relation:
        raise StatementFailed(f"There is no table or view {name}.")
    if relation.schema.lower() != current_schema(cursor).lower() or relation.is_clone:
        raise StatementFailed(f"{name} is a table of the project: its members and their roles decide who may read it.")


def translate_comment(cursor: duckdb.DuckDBPyConnection, sql: str, tokens: Sequence[Token]) -> Definition | None:
    """A new comment keeps what was granted."""
    reader = Reader(sql, tokens, 1)
    if not reader.skip("on", "table") and not reader.skip("on", "view"):
        return None
    relation = find_relation(cursor, reader.read_name())
    _, grants = split_comment(relation.comment if relation else "")
    if not grants or not reader.skip("is"):
        return None
    value = "''" if reader.word == "null" else reader.rest()
    [(text,)] = cursor.execute(f"SELECT CAST({value} AS VARCHAR)").fetchall()
    until = sql[: tokens[reader.position].start]
    return Definition(f"{until}{quote_value(join_comment(str(text), grants))}")
