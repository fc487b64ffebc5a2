from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.retry import RETRIED_CODES, RETRIED_STATUSES, Retry, read_retry

NOW = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = int(NOW.timestamp())


def wait(value: str, retry: int = 1, settings: Retry | None = None) -> float:
    return (settings or Retry()).wait_before(retry, {"Retry-After": value}, NOW)


@pytest.mark.parametrize(("retry", "seconds"), [(1, 1), (2, 2), (3, 4), (10, 512)])
def test_waits_double(retry: int, seconds: float):
    assert Retry().wait_before(retry, {}, NOW) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5),
        (" 5 ", 5),
        ("+5", 5),
        ("2.7", 2),
        ("1e2", 100),
        (str(STAMP + 30), 30),
        (f"{STAMP + 30}.9", 30),
        ("Thu, 01 Jan 2026 00:00:20 GMT", 20),
        ("Thu, 01 Jan 2026 00:00:20 +0000", 20),
        ("Thu, 01 Jan 2026 01:00:20 +0100", 20),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 0),
        ("-5", 0),
        (str(STAMP - 10), 0),
        (str(STAMP - 86_400), 0),
    ],
)
def test_the_api_may_say_how_long(value: str, seconds: float):
    assert wait(value) == seconds


@pytest.mark.parametrize("value", ["0", "0.9", "soon", "", "inf", "nan", ".", "1e9999", "Thu, 99 Jan 2026", "5 s"])
def test_what_cannot_be_read_is_as_if_not_said(value: str):
    assert wait(value, retry=3) == 4


@pytest.mark.parametrize("value", ["3601", str(STAMP - 86_401), "9" * 400, "1e300", "Fri, 01 Jan 2027 00:00:00 GMT"])
def test_more_than_an_hour_is_not_waited(value: str):
    with pytest.raises(UserError, match=r"The API asks to wait \d+ seconds .* longer than an hour"):
        wait(value)


def test_a_wait_that_has_doubled_to_more_than_an_hour_ends_the_run_too():
    assert Retry().wait_before(12, {}, NOW) == 2048
    with pytest.raises(UserError, match="It failed 13 times, and the next wait would be 4096 seconds"):
        Retry().wait_before(13, {}, NOW)


def test_a_longest_wait_caps_all_of_them():
    patient = read_retry({"maxWait": 60})

    assert [wait(value, 2000, patient) for value in ("7", "86400", "")] == [7, 60, 60]


@given(st.text("0123456789+-.eE ,:GMTthuJan", max_size=40))
def test_no_answer_of_an_api_is_more_than_a_wait_or_a_sentence(value: str):
    with suppress(UserError):
        assert 0 <= wait(value) <= 3600


def test_the_header_may_have_another_name():
    assert read_retry({"http": {"retryHeader": "X-Wait"}}).wait_before(1, {"X-Wait": "9", "Retry-After": "5"}, NOW) == 9


@pytest.mark.parametrize(
    ("raw", "most"), [({}, None), ({"maxRetries": None}, None), ({"maxRetries": 0}, 0), ({"maxRetries": "0"}, 0)]
)
def test_without_a_number_of_retries_there_are_ten(raw: Any, most: int | None):
    retry = read_retry(raw)

    assert retry.most == most
    assert retry.retries_status(500, 0) is (most is None)
    assert not retry.retries_status(500, 10)


@pytest.mark.parametrize("value", [3, "3", " 3", 3.9, "3.9", "3e0"])
def test_a_number_of_retries_may_be_text(value: Any):
    retry = read_retry({"maxRetries": value})

    assert (retry.retries_status(503, 2), retry.retries_status(503, 3)) == (True, False)


@pytest.mark.parametrize("raw", [None, [], {}, "x", {"http": []}, {"curl": None}, {"http": {"maxRetries": 1}}])
def test_what_is_not_said_is_the_default(raw: Any):
    retry = read_retry(raw)

    assert (retry.most, retry.header) == (None, "Retry-After")
    assert retry.statuses == RETRIED_STATUSES == {500, 502, 503, 504, 408, 420, 429}
    assert retry.codes == RETRIED_CODES == {28, 6, 7, 35, 52, 56, 18}


@pytest.mark.parametrize(
    "raw",
    [{"http": {"codes": [202, "500", 500.0, True]}}, {"httpCodes": [202, "500"]}, {"http": {"codes": {"a": 202}}}],
)
def test_codes_replace_the_defaults_and_must_be_whole_numbers(raw: Any):
    assert read_retry(raw).statuses == {202}
    assert read_retry(raw).codes == RETRIED_CODES


@pytest.mark.parametrize("raw", [{"curl": {"codes": [6, "7"]}}, {"curlCodes": [6]}])
def test_failures_on_the_way_are_known_by_the_numbers_of_curl(raw: Any):
    retry = read_retry(raw)

    assert retry.retries_failure("resolve", 0, is_unknown=False)
    assert not retry.retries_failure("connect", 0, is_unknown=False)


def test_an_old_alias_replaces_the_whole_map():
    http = {"retryHeader": "X-Wait", "codes": [500]}

    assert read_retry({"http": http, "headerName": "X-Old"}).header == "X-Old"
    assert read_retry({"http": http, "headerName": "X-Old"}).statuses == RETRIED_STATUSES
    assert read_retry({"http": http, "httpCodes": [429]}).header == "Retry-After"
    assert read_retry({"http": http, "curlCodes": [6]}).statuses == {500}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"maxRetries": "many"}, 'Expected a number, got "many" - at `parameters.api.retryConfig.maxRetries`'),
        ({"maxRetries": [1]}, "Expected a number, got an array"),
        ({"maxWait": True}, "Expected a number, got true - at `parameters.api.retryConfig.maxWait`"),
        ({"http": {"codes": 500}}, "Expected a list of numbers, got 500 - at `parameters.api.retryConfig.http.codes`"),
        ({"curlCodes": "6"}, 'Expected a list of numbers, got "6" - at `parameters.api.retryConfig.curl.codes`'),
    ],
)
def test_a_wrong_setting_is_a_sentence_with_its_place(raw: Any, message: str):
    with pytest.raises(UserError) as caught:
        read_retry(raw)

    assert str(caught.value).startswith(f"Invalid configuration: {message}")


def test_a_huge_number_of_retries_is_a_number():
    assert read_retry({"maxRetries": "9" * 400}).retries_status(500, 10**6)
    assert read_retry({"maxRetries": 10**400}).retries_status(500, 10**6)


@pytest.mark.parametrize("kind", ["resolve", "connect"])
def test_there_is_little_patience_for_a_host_that_has_never_answered(kind: Any):
    assert [Retry().retries_failure(kind, retries, is_unknown=True) for retries in (2, 3)] == [True, False]
    assert [Retry().retries_failure(kind, retries, is_unknown=False) for retries in (9, 10)] == [True, False]
    assert [Retry(most=5).retries_failure(kind, retries, is_unknown=True) for retries in (4, 5)] == [True, False]


@pytest.mark.parametrize("kind", ["timeout", "handshake", "empty", "receive", "cut"])
def test_what_may_pass_is_tried_ten_times_even_with_a_stranger(kind: Any):
    assert [Retry().retries_failure(kind, retries, is_unknown=True) for retries in (9, 10)] == [True, False]


@pytest.mark.parametrize("kind", ["certificate", "bundle", "redirects", "protocol", "refused", "too-large"])
def test_what_will_not_pass_is_not_tried_again(kind: Any):
    assert not Retry().retries_failure(kind, 0, is_unknown=False)


def test_a_long_header_that_is_nearly_a_number_takes_no_time():
    assert wait("1" * 60_000 + "x") == 1
