from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.settings import read_flag, read_seconds, read_text, read_texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (5, "5"),
        (1.50, "1.5"),
        (True, "1"),
        ("0", "0"),
        (0, ""),
        (False, ""),
        (None, ""),
        ([], ""),
        ({}, ""),
    ],
)
def test_a_number_is_as_good_as_its_text_and_what_is_empty_is_not_set(value: Any, text: str):
    assert read_text({"key": value}, "key", "p") == text
    assert read_text({}, "key", "p") == ""


@pytest.mark.parametrize("value", [["x"], {"a": 1}])
def test_a_text_is_no_object(value: Any):
    with pytest.raises(UserError, match=r"Expected a text, got an object or an array - at `p\.key`"):
        read_text({"key": value}, "key", "p")


@pytest.mark.parametrize(
    ("value", "texts"),
    [("x", ("x",)), (["x", 5], ("x", "5")), ({"a": "x"}, ("x",)), (None, ()), ([], ()), ("", ())],
)
def test_one_text_is_a_list_of_one(value: Any, texts: tuple[str, ...]):
    assert read_texts(value, "p") == texts


@pytest.mark.parametrize("value", ["yes", 2, [True], {}])
def test_a_flag_is_true_or_false(value: Any):
    with pytest.raises(UserError, match=r"Expected true or false, got .* - at `p\.key`"):
        read_flag({"key": value}, "key", "p")


@pytest.mark.parametrize(("value", "seconds"), [(5, 5.0), ("2.5", 2.5), (0, 9.0), ("x", 9.0), (None, 9.0), (True, 9.0)])
def test_seconds_that_are_none_are_the_default(value: Any, seconds: float):
    assert read_seconds(value, 9.0) == seconds
