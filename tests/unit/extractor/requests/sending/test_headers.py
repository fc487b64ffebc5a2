from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.headers import header_values


def test_values_become_text_and_lists_are_sent_several_times():
    headers = {
        "A": "x",
        "B": 5,
        "C": True,
        "D": None,
        "E": [],
        "F": {},
        "G": ["a", 1, None],
        "H": " padded\t",
        "I": {"0": "a", "1": "b"},
    }

    assert header_values(headers) == {
        "A": "x",
        "B": "5",
        "C": "1",
        "D": "",
        "E": "",
        "F": "",
        "G": ["a", "1", ""],
        "H": "padded",
        "I": ["a", "b"],
    }


@pytest.mark.parametrize(
    ("value", "where", "message"),
    [
        ({"attr": "x"}, "", 'Invalid configuration: invalid type "object" in headers at path: X-Token'),
        ({"a": 1}, "http.headers", 'invalid type "object" in headers at path: http.headers.X-Token'),
        (["a", {"b": 1}], "", 'invalid type "object" in headers at path: X-Token.1'),
        ([["a"]], "", 'invalid type "array" in headers at path: X-Token.0'),
    ],
)
def test_an_object_is_no_header(value: Any, where: str, message: str):
    with pytest.raises(UserError) as error:
        header_values({"X-Token": value}, where)

    assert message in str(error.value)


@pytest.mark.parametrize("value", ["secret\r\nX-Other: 1", "secret\n", "\0secret", ["fine", "secret\x7f"]])
def test_a_value_that_would_start_another_header_is_refused_and_not_repeated(value: Any):
    with pytest.raises(UserError, match="X-Token") as error:
        header_values({"X-Token": value})

    assert "secret" not in str(error.value)


@pytest.mark.parametrize("name", ["", "A B", "A:", "A\nB", "É"])
def test_a_name_that_http_does_not_allow_is_refused(name: str):
    with pytest.raises(UserError, match="cannot be the name of a header"):
        header_values({name: "x"})
