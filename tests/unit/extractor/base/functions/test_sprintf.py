from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions.sprintf import sprintf
from penstock.extractor.base.numbers import Float


@pytest.mark.parametrize(
    ("template", "values", "shown"),
    [
        ("%'.05d", [3], "00003"),
        ("%'.5d|%0'.5d", [3, 3], "....3|....3"),
        ("%2$d of %1$s, %d", ["a", 5], "5 of a, 0"),
        ("%05d|%-5d|%-05d|%+d|%+d", [-42, 42, 42, 7, -7], "-0042|42   |42   |+7|-7"),
        ("%'*10s|%-6s|%'#-4s", ["left", "x", "y"], "******left|x     |y###"),
        ("%5.2s|%05s", ["abcdef", "-5"], "   ab|000-5"),
        (
            "%.2f|%05.1f|%010.3f|%-06.1f|%f",
            [1.005, 3.14159, -3.14159, 2.5, "1e3"],
            "1.00|003.1|-00003.142|2.5000|1000.000000",
        ),
        ("%e|%.3e|%E|%.0e", [1234.56, 0, Float("1e-7"), 1234], "1.234560e+3|0.000e+0|1.000000E-7|1e+3"),
        (
            "%g|%g|%g|%G|%g|%.3g",
            [1234567, 0.0001, 0.00001, 1e25, 0, 1234.5],
            "1.23457e+6|0.0001|1.0e-5|1.0E+25|0|1.23e+3",
        ),
        ("%g|%g|%.10g", [100000, 123456, 0.1], "100000|123456|0.1"),
        ("%u|%x|%X|%o|%b|%c", [-1, 255, 255, 8, 5, 65], "18446744073709551615|ff|FF|10|101|A"),
        ("%b", [-1], "1" * 64),
        ("%08b|%4x|%-4x|", [5, 10, 10], "00000101|   a|a   |"),
        ("%.2x|", [255], "|"),
        ("%d|%d|%d|%d|%d", ["12abc", "abc", None, True, " 7"], "12|0|0|1|7"),
        ("%d|%d", ["99999999999999999999", Float("1e20")], "9223372036854775807|7766279631452241920"),
        ("%d|%d", [2**63, 10**400], f"{-(2**63)}|0"),
        ("%s|%s|%s|%s", [True, False, None, Float("1.50")], "1|||1.5"),
        ("%f|%f", [10**400, -(10**400)], "Inf|-Inf"),
        ("%ld %lu", [1, 2], "1 2"),
        ("100%%, %5%|", [1], "100%, %|"),
        ("%y|", [1], "|"),
        ("no directives", [], "no directives"),
    ],
)
def test_formats_are_those_of_php(template: str, values: list[Any], shown: str):
    assert sprintf(template, *values) == shown


def test_widths_and_precisions_count_bytes():
    assert sprintf("%4s|%.2s", "ž", "žx") == "  ž|ž"


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("%s", []),
        ("%2$s", ["a"]),
        ("%0$s", ["a"]),
        ("%", ["a"]),
        ("a%5", [1]),
        ("%s", [[1]]),
        ("%d", [{}]),
        ("%999999999999d", [1]),
    ],
)
def test_what_cannot_be_shown_is_an_error_of_the_user(template: str, values: list[Any]):
    with pytest.raises(UserError):
        sprintf(template, *values)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 40), st.sampled_from(["", "-", "+", "0", "-+", "+0", " "]))
def test_whole_numbers_are_as_in_c(number: int, width: int, flags: str):
    template = f"%{flags}{width or ''}d"

    # In C a blank flag shows a blank for the sign, in PHP it is a padding.
    assert sprintf(template, number) == template.replace(" ", "") % number


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_text_without_directives_stays(text: str):
    assert sprintf(text.replace("%", "%%")) == text
    assert sprintf("%s", text) == text


@given(st.text(st.sampled_from("%$'-+ 0123.sdfgexl")), st.lists(st.integers() | st.text() | st.none(), max_size=3))
def test_any_format_is_shown_or_is_an_error_of_the_user(template: str, values: list[Any]):
    with suppress(UserError):
        assert isinstance(sprintf(template, *values), str)


def test_many_widths_do_not_fill_the_memory():
    with pytest.raises(UserError, match="makes a text of more than 10000000 bytes"):
        sprintf("%1$1000000s" * 1000, "x")
