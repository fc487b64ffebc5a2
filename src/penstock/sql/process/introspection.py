"""What the database tells about the machine: the folders of its files and settings. Statements cannot ask for it.

The names are looked for in the text of a statement. So whatever runs a text that is only made while a statement runs is
not available either.
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
from pathlib import Path

from penstock.foundation.text.quoting import folded
from penstock.sql.errors import StatementFailed
from penstock.sql.process.tokens import Token

_HIDDEN = {
    *("duckdb_databases", "duckdb_settings", "duckdb_extensions", "pragma_database_list", "pg_settings"),
}
_HIDDEN_PRAGMAS = {"database_list", "extension_versions"}
_SETTINGS = {
    *("allowed_directories", "allowed_paths", "temp_directory", "secret_directory", "home_directory"),
    *("extension_directory", "extension_directories", "file_search_path", "profile_output", "profiling_output"),
    "log_query_path",
}
_RUN_TEXTS = {"query", "query_table", "json_execute_serialized_sql"}
_LITERAL = re.compile(
    r"""(?P<escaped>[eE]?)'(?P<text>(?:[^']|'')*)'|\$(?P<tag>\w*)\$(?P<quoted>.*?)\$(?P=tag)\$""", re.DOTALL
)


def check_introspection(tokens: list[Token], sql: str) -> None:
    """Raises StatementFailed."""
    ends = [*(token.start for token in tokens[1:]), len(sql)]
    texts = [_text_of(token, sql[token.start : end]) for token, end in zip(tokens, ends, strict=True)]
    if texts[0] == "pragma" and _HIDDEN_PRAGMAS.intersection(texts):
        raise _refusal("This pragma")
    before = ["", *texts]
    for number, (text, after) in enumerate(itertools.pairwise([*texts, ""])):
        # An alias, or what has one: the catalog of PostgreSQL is translated into queries with the names of its tables.
        if text in _HIDDEN and before[number] != "as" and after != ".":
            raise _refusal(text)
        if after == "(" and not tokens[number].is_literal:
            _check_call(text, tokens[number + 2 : number + 4], texts[number + 2 : number + 4])


def _check_call(name: str, tokens: list[Token], texts: list[str]) -> None:
    if name in _RUN_TEXTS:
        raise StatementFailed(f"{name}() is not available in a workspace: write the query itself.")
    if name == "current_setting":
        is_known = bool(tokens) and tokens[0].is_literal and texts[1:] == [")"]
        if not is_known or texts[0] in _SETTINGS:
            raise _refusal("This setting, or one whose name is not written as a plain text,")


def _text_of(token: Token, written: str) -> str:
    """Folded, as the database compares names; of a literal its value, since a table can be named by one."""
    if not token.is_literal:
        return folded(token.name)
    found = _LITERAL.match(written)
    if not found:
        return written
    text = found["quoted"] if found["text"] is None else found["text"].replace("''", "'")
    return folded(_unescaped(text) if found["escaped"] else text)


def _unescaped(text: str) -> str:
    try:
        return codecs.decode(text, "unicode_escape")
    except UnicodeError:
        return text


def _refusal(what: str) -> StatementFailed:
    return StatementFailed(
        f"{what} is not available in a workspace: it shows folders of the machine. SHOW DATABASES and SHOW ALL TABLES "
        "list what there is."
    )


def hide_folders(message: str) -> str:
    """A message of the database without the folder of the workspace, which this process works in, and that of the
    user."""
    for folder, name in ((f"{Path.cwd().parent}/", ""), (os.path.expanduser("~"), "~")):  # noqa: PTH111
        message = message.replace(folder, name) if len(folder) > 1 else message
    return message
