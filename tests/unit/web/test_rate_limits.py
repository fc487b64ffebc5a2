"""Rates of requests: per token and per address, with a burst after a pause."""

from __future__ import annotations

import shutil
import time
from collections.abc import Generator
from ipaddress import ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.settings import Settings
from penstock.web.rate_limits import BURST_SECONDS, MAX_KEYS, Rate, RateLimits, TooManyRequests, find_client
from tests.support.stacks import ServicesOnly

VERIFY = "/v2/storage/tokens/verify"
ELSEWHERE, PROXY = "192.0.2.7", "192.0.2.1"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that rates read; a test may change it."""
    moment = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: moment[0])
    return moment


def test_a_rate_allows_a_burst_and_then_its_number_a_second(now: list[float]) -> None:
    rate = Rate(5)
    burst = [rate.take("ada") for _ in range(5 * BURST_SECONDS)]
    refused = rate.take("ada")
    now[0] += 1
    second = [rate.take("ada") for _ in range(6)]

    assert set(burst) == {0.0}
    assert refused == pytest.approx(0.2)
    assert [wait == 0 for wait in second] == [True] * 5 + [False]


def test_a_refused_request_does_not_make_the_next_one_wait_longer(now: list[float]) -> None:
    rate = Rate(1)
    waits = [rate.take("ada") for _ in range(3 * BURST_SECONDS)]

    assert set(waits[BURST_SECONDS:]) == {1.0}
    now[0] += 1
    assert rate.take("ada") == 0


def test_keys_do_not_count_for_each_other_and_old_ones_are_dropped(now: list[float]) -> None:
    rate = Rate(1)
    for _ in range(BURST_SECONDS + 1):
        rate.take("ada")
    assert rate.take("bob") == 0
    assert rate.take("ada") > 0
    for number in range(MAX_KEYS):
        rate.take(number)

    assert rate.take("ada") == 0, "it is counted from the beginning"


def test_without_a_number_there_is_no_limit() -> None:
    limits = RateLimits(Rate(0), Rate(0))
    for _ in range(10_000):
        limits.check(ELSEWHERE, "token")


def test_an_address_is_limited_whatever_its_tokens_and_a_network_counts_as_one(now: list[float]) -> None:
    limits = RateLimits(Rate(0), Rate(1))
    for number in range(BURST_SECONDS):
        limits.check(f"2001:db8::{number}", f"token {number}")

    with pytest.raises(TooManyRequests, match="from this address") as refused:
        limits.check("2001:db8::ffff", "another")
    assert refused.value.retry_after == 1
    limits.check("2001:db8:1::1", "another")


def test_of_a_proxy_only_tokens_are_limited_and_of_loopback_nothing(now: list[float]) -> None:
    limits = RateLimits(Rate(1), Rate(1), {PROXY})
    for _ in range(BURST_SECONDS):
        limits.check(PROXY, "token")

    with pytest.raises(TooManyRequests, match="with this token"):
        limits.check(PROXY, "token")
    limits.check(PROXY, "another")
    limits.check(PROXY, "")
    for _ in range(3 * BURST_SECONDS):
        limits.check("127.0.0.1", "token")


@pytest.mark.parametrize(
    ("values", "client"),
    [
        (["198.51.100.9"], "198.51.100.9"),
        (["203.0.113.5, 198.51.100.9"], "198.51.100.9"),
        (["203.0.113.5", "198.51.100.9"], "198.51.100.9"),
        ([f"203.0.113.5, 198.51.100.9 ,{PROXY}"], "198.51.100.9"),
        ([f"198.51.100.9, ::ffff:{PROXY}, [2001:DB8:0::1]:443"], "198.51.100.9"),
        (["198.51.100.9:5123"], "198.51.100.9"),
        (["2001:DB8::00ff"], "2001:db8::ff"),
        (["[2001:db8::ff]"], "2001:db8::ff"),
        (["::ffff:198.51.100.9"], "198.51.100.9"),
        (["127.0.0.1"], "127.0.0.1"),
        ([], ""),
        ([""], ""),
        ([PROXY], ""),
        (["unknown"], ""),
        (["198.51.100.9, unknown"], ""),
        (["198.51.100.9,"], ""),
        (["198.51.100"], ""),
        (["198.51.100.9:x"], ""),
        (["[198.51.100.9"], ""),
        ([f"unknown, {PROXY}"], ""),
    ],
)
def test_the_client_of_a_proxy_is_the_last_address_that_is_not_a_proxy(values: list[str], client: str) -> None:
    proxies = RateLimits.of(Settings(trusted_proxies=[PROXY, "2001:DB8::1"])).proxies

    assert find_client(values, proxies) == client


@given(st.lists(st.text("0123456789abcdef:.[]%, \x00é", max_size=40), max_size=3))
def test_whatever_a_header_holds_it_is_an_address_or_nothing(values: list[str]) -> None:
    found = find_client(values, {PROXY})

    assert not found or str(ip_address(found)) == found


def test_behind_a_proxy_each_client_is_limited_without_a_token_too(now: list[float]) -> None:
    limits = RateLimits(Rate(0), Rate(1), {PROXY})
    for number in range(BURST_SECONDS):
        limits.check(PROXY, "", [f"203.0.113.{number}, 198.51.100.9"])

    with pytest.raises(TooManyRequests, match="from this address"):
        limits.check(PROXY, "", ["198.51.100.9"])
    limits.check(PROXY, "", ["198.51.100.10"])
    for _ in range(3 * BURST_SECONDS):
        limits.check(PROXY, "", ["unknown"])


def test_only_a_trusted_proxy_says_who_its_client_is(now: list[float]) -> None:
    limits = RateLimits(Rate(0), Rate(1), {PROXY})
    for number in range(BURST_SECONDS):
        limits.check(ELSEWHERE, "", [f"198.51.100.{number}"])

    with pytest.raises(TooManyRequests, match="from this address"):
        limits.check(ELSEWHERE, "", ["198.51.100.99"])


@pytest.fixture(scope="module")
def limited(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """Tests send from loopback, which is limited when it is a proxy."""
    folder = tmp_path_factory.mktemp("limited") / "data"
    shutil.copytree(new_data_folder, folder)
    services = ServicesOnly(folder, requests_per_token=1, requests_per_address=1, trusted_proxies=["127.0.0.1"])
    yield services
    services.close()


@pytest.mark.parametrize(
    ("name", "path", "code"), [("storage", VERIFY, "tooManyRequests"), ("queue", "/search/jobs", 429)]
)
def test_too_many_requests_are_refused_by_every_service_with_the_time_to_wait(
    limited: ServicesOnly, name: str, path: str, code: str | int
) -> None:
    token = limited.service("storage").post("/v2/storage/tokens", {"canManageBuckets": True}).json["token"]
    responses = [limited.service(name, token).get(path) for _ in range(BURST_SECONDS + 5)]
    refused = next(response for response in responses if response.status == 429)

    assert responses[0].status == 200
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json["code"] == code
    assert "more than 1 requests a second with this token" in refused.json["error"]


def test_requests_without_a_token_are_limited_by_the_address_that_the_proxy_names(limited: ServicesOnly) -> None:
    storage = limited.service("storage", "")
    storage.headers = {"X-Forwarded-For": "198.51.100.9"}
    refused = [storage.get("/v2/storage").status for _ in range(BURST_SECONDS + 5)]
    storage.headers = {"X-Forwarded-For": "198.51.100.10"}

    assert 429 in refused
    assert storage.get("/v2/storage").status == 200
