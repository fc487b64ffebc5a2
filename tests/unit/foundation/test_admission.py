"""The limits on the number of connections."""

from __future__ import annotations

import logging

import pytest

from penstock.foundation import admission
from penstock.foundation.admission import MAX_LINGERING, Admission, ServerFull, TooManyConnections
from penstock.server.resources import connections_for


def enter(admission: Admission, *addresses: str) -> list[type | None]:
    return [type(refusal) if (refusal := admission.enter(address)) else None for address in addresses]


def test_an_address_may_have_so_many_and_others_too() -> None:
    limited = Admission(2)

    assert enter(limited, *["203.0.113.1"] * 3, "203.0.113.2") == [None, None, TooManyConnections, None]


def test_who_leaves_makes_room() -> None:
    limited = Admission(1)
    enter(limited, "203.0.113.1")
    limited.leave("203.0.113.1")

    assert enter(limited, "203.0.113.1") == [None]


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    addresses = ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1")

    assert enter(Admission(1), *addresses) == [None, TooManyConnections, None]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "10.0.0.9", ""])
def test_loopback_and_trusted_proxies_are_not_limited(address: str) -> None:
    assert enter(Admission(1, ["10.0.0.9", ""]), *[address] * 5) == [None] * 5


def test_zero_means_no_limit() -> None:
    assert enter(Admission(0), *["203.0.113.1"] * 5) == [None] * 5


def test_all_together_are_limited_loopback_included() -> None:
    assert enter(Admission(0, most=2), "127.0.0.1", "203.0.113.1", "127.0.0.1") == [None, None, ServerFull]


def test_refusals_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = Admission(1)
    with caplog.at_level(logging.WARNING):
        enter(limited, *["203.0.113.1"] * 1000)
        assert len(caplog.records) == 1
        monkeypatch.setattr(admission.time, "monotonic", lambda: 1e9)
        enter(limited, "203.0.113.1")

    assert len(caplog.records) == 2


def test_so_many_refused_connections_may_linger() -> None:
    admission = Admission()

    assert [admission.begin_lingering() for _ in range(MAX_LINGERING + 1)] == [True] * MAX_LINGERING + [False]
    admission.end_lingering()
    assert admission.begin_lingering()


@pytest.mark.parametrize(("files", "kept"), [(256, 64), (1024, 256), (4096, 1000), (8192, 1000)])
def test_connections_leave_files_for_everything_else(files: int, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (files, files))

    assert connections_for(2, 10_000) == (files - kept) // 2
    assert connections_for(1, 100) == 100
