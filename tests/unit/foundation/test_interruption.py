"""Work that is stopped from another thread: at once, or not at all once it commits."""

from __future__ import annotations

import pytest

from penstock.foundation.interruption import Interrupted, Interruption, current


class Stop(Interrupted):
    pass


def test_a_stop_interrupts_what_runs_and_is_raised_by_the_next_check() -> None:
    work, interrupts = Interruption(), list[str]()
    with work.applied(), work.during(lambda: interrupts.append("now")):
        work.stop(Stop("first"))
        work.stop(Stop("second"))

        assert interrupts == ["now", "now"], "an interrupt between two statements is lost, so it is repeated"
        with pytest.raises(Stop, match="first"):
            current().check()


def test_stopped_work_begins_nothing_and_commits_nothing() -> None:
    work = Interruption()
    work.stop(Stop())

    with pytest.raises(Stop), work.during(lambda: None):
        raise AssertionError("It began.")
    with pytest.raises(Stop):
        work.shield()


def test_work_that_commits_is_not_stopped_any_more() -> None:
    work, interrupts = Interruption(), list[str]()
    with work.during(lambda: interrupts.append("now")):
        work.shield()
        work.stop(Stop())

    work.check()
    work.shield()
    assert interrupts == []


def test_a_rollback_is_not_interrupted_and_the_reason_stays() -> None:
    work, interrupts = Interruption(), list[str]()
    with work.during(lambda: interrupts.append("now")):
        work.stop(Stop())
        work.settle()
        work.stop(Stop())

    assert interrupts == ["now"]
    with pytest.raises(Stop):
        work.check()


def test_outside_of_such_work_nothing_is_stopped() -> None:
    work = Interruption()
    with work.applied():
        assert current() is work
    work.stop(Stop())

    current().check()
    assert current() is not work
