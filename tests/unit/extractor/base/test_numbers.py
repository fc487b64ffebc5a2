from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import exact_float, serialized_float, show_float


@pytest.mark.parametrize(
    ("source", "cell"),
    [
        ("1.0", "1"),
        ("0.1", "0.1"),
        ("1.50", "1.5"),
        ("-2.250", "-2.25"),
        ("1e5", "100000"),
        ("1E5", "100000"),
        ("0.0", "0"),
        ("-0.0", "-0"),
        ("0.0001", "0.0001"),
        ("0.00001", "1.0E-5"),
        ("0.000012", "1.2E-5"),
        ("1e13", "10000000000000"),
        ("1e14", "1.0E+14"),
        ("1.25e20", "1.25E+20"),
        ("12345678901234.0", "12345678901234"),
        ("123456789.123456789", "123456789.123456789"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("1e400", "1e400"),
        ("1e-400", "1e-400"),
        ("1e99999999999999999999", "1e99999999999999999999"),
    ],
)
def test_a_decimal_is_shown_plainly_or_else_as_it_came(source: str, cell: str):
    assert show_float(source) == cell


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("0.03", "0.029999999999999999"),
        ("1.0", "1"),
        ("1e25", "1.0000000000000001E+25"),
        ("1e17", "1.0E+17"),
        ("1e16", "10000000000000000"),
        ("1e-5", "1.0000000000000001E-5"),
        ("-1e400", "-INF"),
    ],
)
def test_17_digits_identify_a_float(source: str, text: str):
    assert serialized_float(source) == text


def test_an_integer_beyond_every_float_is_infinite():
    assert serialized_float(10**400) == "INF"


@given(st.decimals(allow_nan=False, allow_infinity=False).map(lambda value: f"{value:e}"))
def test_no_decimal_changes_its_value(source: str):
    assert Decimal(show_float(source)) == Decimal(source)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_17_digits_give_the_float_back(value: float):
    assert float(serialized_float(repr(value))) == value


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("0.5", "0.5"),
        ("1.0", "1"),
        ("1.50", "1.5"),
        ("0.1", "0.1"),
        ("0.10", "0.10"),
        ("1e5", "100000"),
        ("1e25", "1e25"),
        ("2e17", "2.0e+17"),
        ("-0.0", "-0"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("1e400", "1e400"),
        ("1e99999999999999999999", "1e99999999999999999999"),
    ],
)
def test_in_json_a_decimal_has_17_digits_only_where_they_are_what_was_sent(source: str, text: str):
    assert exact_float(source) == text


@given(st.decimals(allow_nan=False, allow_infinity=False).map(lambda value: f"{value:e}"))
def test_in_json_no_decimal_changes_its_value(source: str):
    assert Decimal(exact_float(source)) == Decimal(source)


@pytest.mark.parametrize("text", ["", "x", "1,5", "1.5.5", "0x1", "inf"])
def test_what_is_no_decimal_is_a_mistake_of_ours(text: str):
    with pytest.raises(ValueError, match="not a decimal"):
        show_float(text)
