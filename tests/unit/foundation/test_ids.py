"""Identifiers: unique, increasing, and nothing that can be guessed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import UUID

import pytest

from penstock.foundation import clock, ids
from tests.support.stacks import ServicesOnly


@pytest.fixture
def services(services_on_each: ServicesOnly) -> ServicesOnly:
    return services_on_each


def test_numbers_are_unique_and_increasing_across_threads(services: ServicesOnly) -> None:
    def take(_: int) -> list[int]:
        taken: list[int] = []
        for _ in range(10):
            with services.stack.database.writing() as tx:
                taken.append(ids.new_id(tx))
        return taken

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(take, range(8)))

    assert len({number for taken in found for number in taken}) == 80
    assert all(taken == sorted(taken) for taken in found)


def test_many_numbers_at_once_follow_each_other(services: ServicesOnly) -> None:
    with services.stack.database.writing() as tx:
        before = ids.new_id(tx)

        assert list(ids.new_ids(tx, 3)) == [before + 1, before + 2, before + 3]
        assert list(ids.new_ids(tx, 0)) == []
        assert ids.new_id(tx) == before + 4


def test_a_uuid_begins_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "source", lambda: datetime(2026, 1, 1, tzinfo=UTC))
    earlier = ids.new_uuid()
    monkeypatch.setattr(clock, "source", lambda: datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC))

    assert earlier < ids.new_uuid()
    assert (UUID(earlier).version, UUID(earlier).variant) == (7, "specified in RFC 4122")


def test_secrets_and_exception_ids_do_not_repeat() -> None:
    assert len({ids.new_secret() for _ in range(1000)}) == 1000
    assert len({ids.new_exception_id() for _ in range(1000)}) == 1000
    assert "-" not in ids.new_secret()
