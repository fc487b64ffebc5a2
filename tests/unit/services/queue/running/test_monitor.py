"""What a component says becomes events: soon, in its order, and never more often than the database likes."""

from __future__ import annotations

import pytest

from penstock.runtime.log import LogQuota
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import monitor as pulse
from penstock.services.queue.running.monitor import JobMonitor
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.queue.own_components import claim, create_job


def messages(services: ServicesOnly, job_id: str) -> list[str]:
    events = services.service("storage").get(f"/v2/storage/events?runId={job_id}").json
    return [event["message"] for event in events[::-1]]


@pytest.fixture
def slow_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """So slow that nothing is written by it while a test lasts."""
    monkeypatch.setattr(pulse, "FLUSH_SECONDS", 60.0)


@pytest.mark.usefixtures("slow_beat")
def test_a_line_after_a_silence_is_written_at_once(services: ServicesOnly) -> None:
    job_id = create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)

    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        monitor.add_output("first")

        assert wait_for(lambda: messages(services, job_id)) == ["first"]


@pytest.mark.usefixtures("slow_beat")
def test_lines_that_follow_wait_for_the_next_beat(services: ServicesOnly) -> None:
    job_id = create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)

    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        monitor.add_output("first")
        wait_for(lambda: messages(services, job_id))
        monitor.add_output("second")
        monitor.add_output("third")
        assert messages(services, job_id) == ["first"]
        monitor.flush()

    assert messages(services, job_id) == ["first", "second", "third"]


@pytest.mark.usefixtures("slow_beat")
def test_an_error_that_the_log_has_no_room_for_is_its_last_event(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "LogQuota", lambda: LogQuota(lines=1))
    job_id = create_job(services, "ex-generic-v2", config="sample-orders")
    job = claim(services)

    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        monitor.add_output("first")
        monitor.add_output("[2026-01-01T00:00:00] app.ERROR: it broke [] []")
        monitor.add_last_event("error", "it broke")
        monitor.flush()

    assert messages(services, job_id)[0] == "first"
    assert messages(services, job_id)[-1] == "it broke"
