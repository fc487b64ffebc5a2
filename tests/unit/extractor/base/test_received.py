from __future__ import annotations

import pytest

from penstock.extractor.base.http import Message
from penstock.extractor.base.received import SHOWN_BYTES, Received, excerpt
from penstock.foundation.redaction import Redactor

KEY = "correct-horse-battery"


def test_the_beginning_of_a_body_is_one_printable_line():
    assert excerpt(b"a\n\n b\x1b[2Jc\xff", Redactor()) == "a b\ufffd[2Jc\ufffd"
    assert excerpt(b"x" * 1000, Redactor()) == "x" * SHOWN_BYTES


def test_a_secret_at_the_cut_is_hidden_as_a_whole():
    for before in range(SHOWN_BYTES - 30, SHOWN_BYTES + 1):
        shown = excerpt(b"x" * before + KEY.encode() + b"y" * 50, Redactor([KEY]))
        assert "cor" not in shown.removesuffix("[hidden]")


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_secret_in_a_wide_charset_that_is_not_declared_is_hidden(charset: str):
    assert excerpt(f"token {KEY} expired".encode(charset), Redactor([KEY])) == "token [hidden] expired"


def test_the_facts_of_a_response_name_its_page_and_what_was_sent():
    received = Received(3, 404, lambda: Message("GET", "https://h/users/7"), lambda: b"gone")

    assert received.address == "GET https://h/users/7"
    assert received.context("users/7", Redactor()) == {
        "endpoint": "users/7",
        "page": 3,
        "method": "GET",
        "url": "https://h/users/7",
        "status": 404,
        "response": "gone",
    }
