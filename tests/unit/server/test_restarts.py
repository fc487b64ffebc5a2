"""Workers that do not stay up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from penstock.cli.doctor import network
from penstock.server import restarts
from penstock.server.restarts import MANY, Restarts, find_reason, read_failing


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(restarts, "time", clock)
    return clock


def end(kept: Restarts, clock: Clock, after: float) -> float:
    """Start a worker, let it end after some seconds, and return how long it has to wait."""
    kept.started("worker-1")
    clock.now += after
    kept.ended("worker-1", 1)
    ended = clock.now
    while not kept.may_start("worker-1"):
        clock.now += 0.25
        kept.ended("worker-1", 1)
    return clock.now - ended


def test_a_worker_that_ended_now_and_then_starts_again_at_once(tmp_path: Path, clock: Clock) -> None:
    kept = Restarts(tmp_path)

    assert [end(kept, clock, 60) for _ in range(10)] == [0.5] * 10
    assert read_failing(tmp_path) == []
    assert network.check_workers(tmp_path).state == "ok"


def test_one_that_ends_right_after_its_start_waits_longer_and_longer_and_is_reported(
    tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "logs").mkdir()
    error = {
        "level": "error",
        "message": "the worker of Queue ended",
        "traceback": "Traceback\n  x\nRecursionError: deep",
    }
    (tmp_path / "logs" / "worker-1.log").write_text(json.dumps(error) + "\n" + json.dumps({"level": "info"}) + "\n")
    kept = Restarts(tmp_path)
    waits = [end(kept, clock, 1) for _ in range(10)]

    assert waits == [0.5, 0.5, 0.5, 1, 2, 4, 8, 15, 15, 15]
    [failing] = read_failing(tmp_path)
    assert (failing.worker, failing.ends, failing.reason) == ("worker-1", 10, "RecursionError: deep")
    check = network.check_workers(tmp_path)
    assert check.state == "wrong"
    assert "worker-1 ended 10 times in a row right after its start: RecursionError: deep" in check.text
    assert "worker-1.log" in check.fix


def test_it_is_forgotten_when_the_worker_stays_up_or_the_stack_starts_anew(tmp_path: Path, clock: Clock) -> None:
    kept = Restarts(tmp_path)
    for _ in range(MANY):
        end(kept, clock, 1)
    kept.started("worker-1")
    kept.look()
    assert len(read_failing(tmp_path)) == 1
    clock.now += 60
    kept.look()
    assert read_failing(tmp_path) == []

    for _ in range(MANY + 1):
        end(kept, clock, 1)
    assert len(read_failing(tmp_path)) == 1
    Restarts(tmp_path)
    assert read_failing(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"no json\n", b"\xff\xfe\n", b'{"level": "info"}\n', b"[1]\n"])
def test_a_log_without_a_reason_is_reported_as_such(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "log").write_bytes(content)

    assert find_reason(tmp_path / "log") == "its log does not say why"
    assert find_reason(tmp_path / "absent") == "its log does not say why"
