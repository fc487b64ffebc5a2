"""Where one statement ends and the next begins."""

from __future__ import annotations

import pytest

from penstock.cli.sql.statements import is_complete, split_statements


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("select 1", ["select 1"]),
        ("select 1; select 2;", ["select 1", "select 2"]),
        ("select ';'; select 2", ["select ';'", "select 2"]),
        ("select 'it''s; one'", ["select 'it''s; one'"]),
        ('select ";" from "a;b"', ['select ";" from "a;b"']),
        ("select 1 -- a; comment\n; select 2", ["select 1 -- a; comment", "select 2"]),
        ("select 1 /* a; comment */ + 1", ["select 1 /* a; comment */ + 1"]),
        ("select $$a;b$$; select 2", ["select $$a;b$$", "select 2"]),
        ("select 7/2-1", ["select 7/2-1"]),
        (" ;; -- nothing\n; ", []),
        ("select 'not closed; at all", ["select 'not closed; at all"]),
    ],
)
def test_semicolons_end_statements_except_in_quotes_and_comments(text: str, statements: list[str]) -> None:
    assert split_statements(text) == statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [("select 1;", True), ("select 1", False), ("select ';", False), ("", True), ("select 1; -- done", True)],
)
def test_a_prompt_waits_for_the_semicolon(text: str, expected: bool) -> None:
    assert is_complete(text) is expected


def test_a_long_text_takes_little_time() -> None:
    text = "select '" + "x" * 500_000 + "'; -- " + "y" * 500_000

    assert len(split_statements(text)) == 1
