from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.rate import RateLimit, RateLimiter, read_rate_limit

NOW = 1_767_225_600.0


@pytest.mark.parametrize(
    ("raw", "limit"),
    [
        (None, None),
        ({}, None),
        ({"requests": 5}, RateLimit(5, 1.0)),
        ({"requests": 5, "interval": None}, RateLimit(5, 1.0)),
        ({"requests": "5", "interval": 2.5}, RateLimit(5, 2.5)),
        ({"requests": 5, "interval": "30"}, RateLimit(5, 30.0)),
        ({"requests": 100, "interval": "minute"}, RateLimit(100, 60.0)),
        ({"requests": 100, "interval": "Hour"}, RateLimit(100, 3600.0)),
        ({"requests": 1, "interval": "day"}, RateLimit(1, 86400.0)),
    ],
)
def test_so_many_requests_go_out_in_so_many_seconds(raw: Any, limit: RateLimit | None):
    assert read_rate_limit(raw) == limit


@pytest.mark.parametrize("requests", [None, 0, -1, "many", 1.5, True, [1], "9" * 5000])
def test_the_number_of_requests_is_a_whole_one(requests: Any):
    with pytest.raises(UserError, match=r"Expected a whole number of at least 1.*`parameters.api.rateLimit.requests`"):
        read_rate_limit({"requests": requests})


@pytest.mark.parametrize("interval", [0, -1, "fortnight", True, [1], "nan"])
def test_the_interval_is_a_number_or_a_known_word(interval: Any):
    with pytest.raises(UserError, match=r"second, minute, hour, day.*`parameters.api.rateLimit.interval`"):
        read_rate_limit({"requests": 1, "interval": interval})


def test_without_a_limit_nothing_waits():
    rate_limiter = RateLimiter(None)
    rate_limiter.observe("h", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"}, NOW)

    assert [rate_limiter.wait("h", NOW) for _ in range(100)] == [0.0] * 100


def test_a_full_interval_is_waited_for_and_every_host_has_its_own():
    rate_limiter = RateLimiter(RateLimit(2, 10.0))

    assert [rate_limiter.wait("a", NOW) for _ in range(5)] == [0, 0, 10, 10, 20]
    assert rate_limiter.wait("b", NOW) == 0
    assert rate_limiter.wait("a", NOW + 25) == 0


@pytest.mark.parametrize(
    ("remaining", "reset", "seconds"),
    [
        ("0", "30", 30),
        (" 0 ", " 30 ", 30),
        ("0", str(int(NOW) + 30), 30),
        ("0", "0.5", 0.5),
        ("0", str(int(NOW) - 30), 0),
        ("0", "9" * 400, 3600),
        ("1", "30", 0),
        ("0", "soon", 0),
        ("0", "", 0),
        ("", "30", 0),
    ],
)
def test_an_api_without_a_request_left_is_left_alone_until_its_reset(remaining: str, reset: str, seconds: float):
    rate_limiter = RateLimiter(RateLimit(100))
    rate_limiter.observe("h", {"X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": reset}, NOW)

    assert rate_limiter.wait("h", NOW) == pytest.approx(seconds)
    assert rate_limiter.wait("other", NOW) == 0


@given(
    st.integers(1, 4),
    st.floats(0.1, 10),
    st.lists(st.floats(0, 3), min_size=1, max_size=30),
)
def test_no_interval_sees_more_requests_than_are_allowed(requests: int, interval: float, pauses: list[float]):
    rate_limiter, now, sent = RateLimiter(RateLimit(requests, interval)), NOW, list[float]()
    for pause in pauses:
        now += pause
        now += rate_limiter.wait("h", now)
        sent.append(now)

    assert all(later - earlier > interval - 0.001 for earlier, later in zip(sent, sent[requests:], strict=False))
