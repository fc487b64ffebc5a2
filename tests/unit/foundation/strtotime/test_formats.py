from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.strtotime.formats import date

MOMENTS = st.datetimes(min_value=datetime(1000, 1, 1), max_value=datetime(9999, 12, 31)).map(
    lambda moment: moment.replace(tzinfo=UTC, microsecond=0)
)


@pytest.mark.parametrize(
    ("template", "unix", "shown"),
    [
        ("Y-m-d H:i:s:u", 1_492_674_974, "2017-04-20 07:56:14:000000"),
        ("c", 0, "1970-01-01T00:00:00+00:00"),
        ("r", 0, "Thu, 01 Jan 1970 00:00:00 +0000"),
        ("l jS F Y", 1_577_836_800, "Wednesday 1st January 2020"),
        ("jS", 86_400 * 1, "2nd"),
        ("jS", 86_400 * 2, "3rd"),
        ("jS", 86_400 * 11, "12th"),
        ("jS", 86_400 * 21, "22nd"),
        ("N w z t L", 0, "4 4 0 31 0"),
        ("N w z t L", 1_582_934_400, "6 6 59 29 1"),
        ("o-\\WW", 1_609_459_200, "2020-W53"),
        ("y n j g:ia A", 1_577_898_061, "20 1 1 5:01pm PM"),
        ("g h G H", 0, "12 12 0 00"),
        ("g h G H", 43_200, "12 12 12 12"),
        ("B", 0, "041"),
        ("B", 82_800, "000"),
        ("e T I O P Z U v", 5, "UTC UTC 0 +0000 +00:00 0 5 000"),
        ("p x X", 5, "p x X"),
        ("\\Y\\\\Y q?", 0, "Y\\1970 q?"),
        ("Y-m-d", -62_167_219_201, "-0001-12-31"),
        ("Y", 10**15, "31690708"),
        ("H:i:s D M", -1, "23:59:59 Wed Dec"),
    ],
)
def test_letters_are_those_of_php(template: str, unix: int, shown: str):
    assert date(template, unix) == shown


@given(MOMENTS)
def test_dates_are_those_of_python(moment: datetime):
    unix = int(moment.timestamp())

    assert date("c", unix) == moment.isoformat()
    assert date("D, d M Y h:i:s A, l F, y", unix) == moment.strftime("%a, %d %b %Y %I:%M:%S %p, %A %B, %y")
    assert date("o W N", unix) == moment.strftime("%G %V %u")
    assert int(date("z", unix)) + 1 == moment.timetuple().tm_yday
