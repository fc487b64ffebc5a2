from __future__ import annotations

from datetime import UTC, datetime

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.retry import wait_before

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(("retry", "seconds"), [(1, 1), (2, 2), (3, 4), (10, 512)])
def test_waits_double(retry: int, seconds: float):
    assert wait_before(retry, {}, NOW) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5),
        ("2.7", 2),
        (str(int(NOW.timestamp()) + 30), 30),
        ("Thu, 01 Jan 2026 00:00:20 GMT", 20),
        ("Thu, 01 Jan 2026 00:00:20 +0000", 20),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 0),
        ("-5", 0),
        (str(int(NOW.timestamp()) - 10), 0),
    ],
)
def test_the_api_may_say_how_long(value: str, seconds: float):
    assert wait_before(1, {"Retry-After": value}, NOW) == seconds


@pytest.mark.parametrize("value", ["0", "soon", "", "inf", "nan"])
def test_what_cannot_be_read_is_as_if_not_said(value: str):
    assert wait_before(3, {"Retry-After": value}, NOW) == 4


def test_more_than_an_hour_is_not_waited():
    with pytest.raises(UserError, match="longer than an hour"):
        wait_before(1, {"Retry-After": "3601"}, NOW)
