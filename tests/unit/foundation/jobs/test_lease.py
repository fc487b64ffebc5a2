"""The heartbeat beside a running job."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs import lease
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.jobs.lease import Lease
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

BEAT = 0.01


class Work:
    """Counts what the heartbeat does beside it."""

    def __init__(self, *outcomes: Exception | None, renewal: Exception | None = None) -> None:
        self.renewals, self.checks = 0, 0
        self.interrupts: list[Exception] = []
        self._outcomes, self._renewal = list(outcomes), renewal

    def lease(self, check: Callable[[], Exception | None] | None = None) -> Lease:
        return Lease(self._renew, check or self._check, self.interrupts.append, BEAT)

    def _renew(self) -> None:
        self.renewals += 1
        if self._renewal:
            raise self._renewal

    def _check(self) -> Exception | None:
        self.checks += 1
        return self._outcomes.pop(0) if self._outcomes else None


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every beat renews."""
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.0)


def test_work_that_may_go_on_is_checked_and_left_alone() -> None:
    work = Work()
    with work.lease() as held:
        wait_for(lambda: work.checks > 3)

    assert (work.interrupts, held.reason, work.renewals) == ([], None, 0)


@pytest.mark.usefixtures("short")
def test_the_lease_is_renewed_while_the_work_goes_on() -> None:
    work = Work()
    with work.lease():
        wait_for(lambda: work.renewals > 3)


def test_work_that_must_end_is_interrupted_again_and_again() -> None:
    reason = RuntimeError("cancelled")
    work = Work(None, reason)
    with work.lease() as held:
        wait_for(lambda: len(work.interrupts) > 3)

    assert set(work.interrupts) == {reason}
    assert held.reason is reason


@pytest.mark.usefixtures("short")
def test_a_lease_that_is_lost_interrupts_the_work() -> None:
    work = Work(renewal=LeaseLost())
    with work.lease() as held:
        wait_for(lambda: work.interrupts)

    assert isinstance(held.reason, LeaseLost)


@pytest.mark.usefixtures("short")
def test_work_that_is_being_stopped_keeps_its_lease() -> None:
    work = Work(RuntimeError("cancelled"))
    with work.lease():
        wait_for(lambda: work.interrupts)
        renewed = work.renewals
        wait_for(lambda: work.renewals > renewed + 3)


def test_the_first_reason_stays() -> None:
    work = Work()
    first, second = RuntimeError("first"), RuntimeError("second")
    held = work.lease()
    held.stop(first)
    held.stop(second)

    assert (held.reason, work.interrupts) == (first, [first, first])


@pytest.mark.parametrize("error", [Unavailable("The database is away."), RuntimeError("a defect")])
def test_a_check_that_fails_does_not_end_the_heartbeat(error: Exception) -> None:
    work, failed = Work(), threading.Event()

    def check() -> Exception | None:
        work.checks += 1
        if not failed.is_set():
            failed.set()
            raise error
        return None

    with work.lease(check):
        wait_for(lambda: work.checks > 3)

    assert work.interrupts == []


def test_wake_brings_the_next_beat_at_once() -> None:
    checked = threading.Event()

    def check() -> Exception | None:
        checked.set()
        return None

    with Lease(lambda: None, check, lambda _reason: None, 2 * PATIENCE) as held:
        held.wake()
        assert checked.wait(PATIENCE)
