"""Maintenance: every task is done, by one worker at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from penstock import app
from penstock.foundation import clock
from penstock.foundation.errors import Unavailable
from penstock.foundation.files import locks
from penstock.foundation.jobs.maintenance import LOCK, Maintenance
from penstock.foundation.stack import Stack
from penstock.web.idempotency import repeats
from tests.support.stacks import ServicesOnly


@pytest.mark.parametrize("error", [Unavailable("The disk is full."), RuntimeError("a defect")])
def test_a_task_that_fails_keeps_no_other_from_being_done(shared: ServicesOnly, error: Exception) -> None:
    done: list[Stack] = []

    def fail(_stack: Stack) -> None:
        raise error

    Maintenance(shared.stack, [fail, done.append]).run_once()

    assert done == [shared.stack]


def test_two_workers_do_not_do_it_at_once(shared: ServicesOnly) -> None:
    done: list[Stack] = []
    lock = locks.try_to_hold(shared.stack.folder / LOCK)
    assert lock
    with lock:
        Maintenance(shared.stack, [done.append]).run_once()

    assert done == []


def test_the_stack_removes_old_idempotency_keys(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    http = shared.service("storage")
    assert http.send("POST", "/v2/storage/tickets", headers={"Idempotency-Key": "old"}).status == 201
    assert count_keys(shared) == 1
    later = clock.now() + timedelta(days=2)
    monkeypatch.setattr(clock, "source", lambda: later)

    Maintenance(shared.stack, app.list_maintenance()).run_once()

    assert count_keys(shared) == 0


def count_keys(services: ServicesOnly) -> int:
    with services.stack.database.reading() as tx:
        return int(tx.value(select(func.count()).select_from(repeats)))
