"""What a field of a cron expression accepts, and how it says what it does not."""

from __future__ import annotations

import pytest

from penstock.services.scheduler.cron.expression import read_cron
from penstock.services.scheduler.cron.fields import DAY, FIELDS, LAST, MONTH, WEEKDAY, read_field
from penstock.services.scheduler.errors import InvalidCron

MINUTE, HOUR = FIELDS[:2]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("*", range(60)),
        ("5", [5]),
        ("05", [5]),
        ("1,3,5", [1, 3, 5]),
        ("10-12", [10, 11, 12]),
        ("*/20", [0, 20, 40]),
        ("10-30/10", [10, 20, 30]),
        ("50/5", [50, 55]),
        ("0-10/5,58,59", [0, 5, 10, 58, 59]),
    ],
)
def test_numbers_lists_ranges_and_steps(text: str, values: list[int]) -> None:
    assert read_field(MINUTE, text) == frozenset(values)


def test_months_and_days_have_names_in_any_case() -> None:
    assert read_field(MONTH, "jan,MAR-May") == {1, 3, 4, 5}
    assert read_field(WEEKDAY, "mon-FRI") == {1, 2, 3, 4, 5}
    assert read_cron("0 0 * * FRI-SUN").weekdays == {5, 6, 0}
    assert read_cron("0 0 * * SUN,7").weekdays == {0}


def test_the_last_day_stands_beside_other_days() -> None:
    assert read_field(DAY, "15,L") == {15, LAST}


@pytest.mark.parametrize(
    ("text", "field", "allowed", "problem"),
    [
        ("60 * * * *", "minute", "0-59", '"60" is out of range'),
        ("* 24 * * *", "hour", "0-23", '"24" is out of range'),
        ("* * 0 * *", "day of month", "1-31, or L", '"0" is out of range'),
        ("* * * 13 *", "month", "1-12 or JAN-DEC", '"13" is out of range'),
        ("* * * MAI *", "month", "1-12 or JAN-DEC", '"MAI" is not a name'),
        ("* * * * 8", "day of week", "0 and 7 are Sunday", '"8" is out of range'),
        ("*/0 * * * *", "minute", "0-59", "a step is at least 1"),
        ("5-1 * * * *", "minute", "0-59", 'the range "5-1" ends before it begins'),
        ("*-5 * * * *", "minute", "0-59", "a range has a number on both sides"),
        ("1,,2 * * * *", "minute", "0-59", '"" is not a number'),
        ("L * * * *", "minute", "0-59", '"L" is not a number'),
        ("* * L-2 * *", "day of month", "1-31", '"L-2" is not a number'),
        ("* * ? * *", "day of month", "1-31", '"?" is not a number'),
        ("²  * * * *", "minute", "0-59", '"²" is not a number'),
        ("٣ * * * *", "minute", "0-59", '"٣" is not a number'),
        ("-1 * * * *", "minute", "0-59", '"-1" is not a number'),
    ],
)
def test_an_error_names_the_field_and_what_is_allowed(text: str, field: str, allowed: str, problem: str) -> None:
    with pytest.raises(InvalidCron) as error:
        read_cron(text)

    assert error.value.message.startswith(f"The field {field} is")
    assert allowed in error.value.message
    assert problem in error.value.message


@pytest.mark.parametrize("text", ["", "* * * *", "* * * * * *", "@daily", "* " * 5000])
def test_an_expression_has_five_fields(text: str) -> None:
    with pytest.raises(InvalidCron, match="a cron expression has five: minute, hour, day of month, month, day of week"):
        read_cron(text)
