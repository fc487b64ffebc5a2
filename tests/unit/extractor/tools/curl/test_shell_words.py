from __future__ import annotations

import shlex
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.tools.curl.shell_words import split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("curl  -s\thttp://h", ["curl", "-s", "http://h"]),
        ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
        ("a'b'\"c\"d", ["abcd"]),
        ("a '' \"\"", ["a", "", ""]),
        (r"a\ b \'", ["a b", "'"]),
        (r'"a \"b\" \\ \n"', [r'a "b" \ \n']),
        ("'it'\\''s'", ["it's"]),
        ("a \\\n  b \\\r\n c", ["a", "b", "c"]),
        ("a \\  \n  b", ["a", "b"]),
        ("a ^\n  b", ["a", "b"]),
        ("a b \\", ["a", "b"]),
        (r"$'a\'b\n\u0021\x41\101\\'", ["a'b\n!AA\\"]),
        (r"$'\xc3\xa9 \ud83d\ude00'", ["é 😀"]),
        ("a$b $ ^x", ["a$b", "$", "^x"]),
        ("http://h/?a=1&b=2", ["http://h/?a=1&b=2"]),
        ("curl http://h | jq .", ["curl", "http://h"]),
        ("curl http://h > file; ls", ["curl", "http://h"]),
        ("curl http://h 2>/dev/null", ["curl", "http://h"]),
        ("curl http://h && ls", ["curl", "http://h"]),
        ("curl -d '|' -d ';'", ["curl", "-d", "|", "-d", ";"]),
    ],
)
def test_words_are_what_a_shell_makes_of_them(text: str, words: list[str]):
    assert split_words(text) == words


@pytest.mark.parametrize("text", ["curl 'a", 'curl "a', "curl $'a"])
def test_a_quote_that_is_not_closed_is_a_mistake(text: str):
    with pytest.raises(ValueError):
        split_words(text)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_quoted_words_come_back(words: list[str]):
    assert split_words(shlex.join(words)) == words


@given(st.text(alphabet="ab'\"\\$^ \n|&;<>x01u"))
def test_no_text_breaks_it(text: str):
    with suppress(ValueError):
        assert all(isinstance(word, str) for word in split_words(text))
