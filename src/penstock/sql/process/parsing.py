"""A statement as the database's own parser sees it: one statement, of a type that is allowed.

The types only keep users from what makes no sense in a workspace, with a clear message. What protects the stack are
the sandbox and the locked configuration.
"""

from __future__ import annotations

import itertools
import re

import duckdb
import msgspec

from penstock.sql.dialect import SqlError, translate
from penstock.sql.errors import StatementFailed
from penstock.sql.models import Statement
from penstock.sql.process.definitions import Definition, translate_definition
from penstock.sql.process.failures import of_dialect, of_statement, to_failure
from penstock.sql.process.introspection import check_introspection
from penstock.sql.process.tokens import Token, qualified_name, read_tokens
from penstock.sql.process.variables import check_statement

MAX_CHARACTERS = 5_000_000
_ROWS = {"SELECT", "EXPLAIN"}
_CHANGES = {"INSERT", "UPDATE", "DELETE", "MERGE_INTO"}
_DEFINITIONS = {"CREATE", "DROP", "ALTER"}
_OTHERS = {"TRANSACTION", "SET", "VACUUM", "ANALYZE", "RELATION"}
_BEFORE_TARGET = {
    *("insert", "into", "or", "replace", "ignore", "update", "delete", "from", "merge", "truncate", "table", "view"),
    *("alter", "drop", "if", "not", "exists", "create", "temp", "temporary"),
}
_ALLOWED = _ROWS | _CHANGES | _DEFINITIONS | _OTHERS
_OPERATIONS = {
    *("enable_logging", "disable_logging", "truncate_duckdb_logs", "write_log", "enable_profiling"),
    *("disable_profiling", "checkpoint", "force_checkpoint"),
}
"""Functions that change how the whole engine works."""
_POSTGRESQL = re.compile(
    r"\bpg_|\binformation_schema\b|\bcurrent_|\bsession_user\b|\bversion\s*\(|\bset_config\b|\breg(class|type)\b|_privilege\b|_description\b"
    r"|\bformat_type\b|\bquote_ident\b|\bto_regclass\b|\bto_(char|date)\s*\(|\bjsonb?_(agg|build_object)\s*\(|~\*"
    r"|\bformat\s*\(\s*'[^'{]*%|\bselect\s+generate_series\s*\(",
    re.IGNORECASE,
)
"""What a query of PostgreSQL's catalog has in its text, or one with functions that only PostgreSQL has. Others are not
parsed twice."""
_WORDS = {"MERGE_INTO": "MERGE", "LOAD": "INSTALL or LOAD", "CALL": "CALL or CHECKPOINT"}


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    """In the dialect of the database."""
    type: str
    tokens: list[Token]
    statements: list[duckdb.Statement]
    """More than one if the parser makes several of it: a PIVOT first finds its columns."""

    @property
    def first_word(self) -> str:
        return self.tokens[0].word

    @property
    def bare_text(self) -> str:
        """Return the text without semicolons at the end, so that it can be part of another statement."""
        end = _without_end(self.tokens)
        return self.text if len(end) == len(self.tokens) else self.text[: self.tokens[len(end)].start]

    @property
    def target(self) -> str:
        """The name of the table that it changes, without its schema; empty if it changes none."""
        names = qualified_name([token for token in self.tokens if token.word not in _BEFORE_TARGET])
        return names[-1] if names and self.type != "SELECT" else ""

    @property
    def is_query(self) -> bool:
        return self.type == "SELECT"

    @property
    def returns_rows(self) -> bool:
        return self.type in _ROWS or (self.type in _CHANGES and any(each.word == "returning" for each in self.tokens))

    @property
    def changes_rows(self) -> bool:
        return self.type in _CHANGES

    @property
    def changes_definitions(self) -> bool:
        return self.type in _DEFINITIONS

    @property
    def may_change_session(self) -> bool:
        """Whether the session may have other temporary tables or variables after it."""
        return self.type in _DEFINITIONS or self.type in ("SET", "TRANSACTION")


def parse(cursor: duckdb.DuckDBPyConnection, statement: Statement) -> Parsed:
    """Raises StatementFailed if it is not exactly one statement that is allowed."""
    if len(statement.sql) > MAX_CHARACTERS:
        raise StatementFailed(f"The statement is longer than {MAX_CHARACTERS} characters. Load large data from a file.")
    if "\0" in statement.sql:  # the parser would take it for the end, and ignore the rest
        raise StatementFailed("The statement contains the character U+0000. Write chr(0) instead.")
    if definition := _find_definition(cursor, statement):
        return _parse_definition(cursor, definition)
    text = _to_own_dialect(cursor, statement)
    with of_statement(statement, text):
        return _parse(cursor, text)


def _find_definition(cursor: duckdb.DuckDBPyConnection, statement: Statement) -> Definition | None:
    return translate_definition(cursor, statement.sql) if statement.dialect == "postgresql" else None


def _parse_definition(cursor: duckdb.DuckDBPyConnection, definition: Definition) -> Parsed:
    before, main, after = (
        [_parse(cursor, text) for text in texts] for texts in (definition.before, [definition.main], definition.after)
    )
    statements = [each for parsed in (*before, *main, *after) for each in parsed.statements]
    return msgspec.structs.replace(main[0], statements=statements)


def _to_own_dialect(cursor: duckdb.DuckDBPyConnection, statement: Statement) -> str:
    if statement.dialect == "snowflake":
        return _translate(cursor, statement.sql)
    if statement.dialect == "postgresql" and _POSTGRESQL.search(statement.sql):
        # Imported when it is used, as the other one.
        from penstock.sql.postgresql import translate_catalog

        return translate_catalog(statement.sql)
    return statement.sql


def _parse(cursor: duckdb.DuckDBPyConnection, text: str) -> Parsed:
    try:
        statements = cursor.extract_statements(text)
    except (duckdb.Error, UnicodeError) as error:
        raise to_failure(error, text) from error
    tokens = read_tokens(text)
    if not statements or not tokens:
        raise StatementFailed("The statement is empty.")
    if any(token.text == ";" for token in _without_end(tokens)):
        raise StatementFailed("Send one statement at a time: this text holds several, separated by semicolons.")
    for each in statements:
        _check(each.type.name)
    _check_words(tokens)
    check_introspection(tokens, text)
    kind = statements[-1].type.name
    if kind == "EXPLAIN":
        _parse(cursor, text[_start_of_explained(tokens) :])
    return Parsed(text=text, type=kind, tokens=tokens, statements=statements)


def _check(kind: str) -> None:
    if kind not in _ALLOWED:
        word = _WORDS.get(kind, kind.replace("_", " "))
        raise StatementFailed(
            f"{word} is not available in a workspace: it reads and writes only its own tables, and reads those of the "
            "project. Use the load and export of Storage for files."
        )


def _check_words(tokens: list[Token]) -> None:
    """What has the type of a statement that is allowed, and makes no sense in a workspace either."""
    words = [token.word for token in tokens]
    if words[0] in ("create", "drop") and "secret" in words[1:5]:
        raise StatementFailed("Secrets are not available in a workspace: it has no network.")
    for word, after in itertools.pairwise(words):
        if word in _OPERATIONS and after == "(":
            raise StatementFailed(f"{word}() is not available in a workspace.")


def _without_end(tokens: list[Token]) -> list[Token]:
    last = len(tokens)
    while last and tokens[last - 1].text == ";":
        last -= 1
    return tokens[:last]


def _start_of_explained(tokens: list[Token]) -> int:
    """Return where the statement behind EXPLAIN, ANALYZE and options in parentheses begins."""
    number = 1
    while number < len(tokens) and tokens[number].word == "analyze":
        number += 1
    if number < len(tokens) and tokens[number].text == "(":
        end = next((each for each in range(number, len(tokens)) if tokens[each].text == ")"), number)
        # `EXPLAIN (SELECT 1)` has no options.
        if tokens[number + 1].word in ("format", "analyze"):
            number = end + 1
    return tokens[number].start if number < len(tokens) else tokens[-1].start


def _translate(cursor: duckdb.DuckDBPyConnection, sql: str) -> str:
    database, schema = _names(cursor)
    try:
        translated = translate(sql, database=database, schema=schema)
        check_statement(cursor, sql)
    except SqlError as error:
        raise of_dialect(error) from error
    return ";\n".join(each.sql for each in translated)


def _names(cursor: duckdb.DuckDBPyConnection) -> tuple[str, str]:
    """The database and the schema; unknown in a transaction that failed, in which only ROLLBACK is of use."""
    try:
        [(database, schema)] = cursor.execute("SELECT current_database(), current_schema()").fetchall()
    except duckdb.Error:
        return "", ""
    return database, schema
