"""A job that is stopped while it loads or exports a table stops doing so, and leaves nothing of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.contracts.tables import Deletion, DeletionFilter, TableLoad
from penstock.foundation.lake import Unpacking
from penstock.services.queue.execution.storage_port import Maker, StoragePort
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running.monitor import JobMonitor, Stopped, Terminated
from tests.support.bombs import make_bomb
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import first_project, load_table
from tests.unit.services.queue.own_components import claim, create_job

MEGABYTES = 4000
"""Of a load that takes minutes."""


@pytest.fixture
def job(services: ServicesOnly) -> JobRow:
    create_job(services, "ex-generic-v2", config="sample-orders")
    services.stack.lake.unpacking = Unpacking(0, 0)
    return claim(services)


def load_long(services: ServicesOnly, monitor: JobMonitor, folder: Path, **more: Any) -> None:
    """A load that takes minutes."""
    file = folder / "rows.csv.gz"
    file.write_bytes(make_bomb(MEGABYTES))
    maker = Maker(component_id="my.component", run_id="55")
    port = StoragePort(services.stack, first_project(services).caller, maker, monitor.interruptible)
    port.load_table(TableLoad(id="load", file=file, table_id="in.c-new.rows", **more))


def check_stopped_early(unpacked: list[int]) -> None:
    assert 0 < sum(unpacked) < MEGABYTES * 1_000_000 / 2, "it was loaded to its end"


def stop_later(unpacked: list[int], stop: Callable[[], object]) -> threading.Thread:
    """When the load has begun."""

    def wait() -> None:
        wait_for(lambda: unpacked)
        stop()

    stopping = threading.Thread(target=wait)
    stopping.start()
    return stopping


def test_killing_a_job_stops_the_load_that_it_is_at(
    services: ServicesOnly, job: JobRow, tmp_path: Path, unpacked: list[int]
) -> None:
    queue = services.service("queue")
    killing = stop_later(unpacked, lambda: queue.post(f"/jobs/{job.id}/kill"))

    with JobMonitor(services.stack, caller_of(job), job) as monitor, pytest.raises(Terminated):
        load_long(services, monitor, tmp_path)
    killing.join()
    check_stopped_early(unpacked)
    assert services.service("storage").get("/v2/storage/buckets").json == [], "a bucket was left of it"


def test_a_load_that_deletes_rows_before_is_stopped_too(
    services: ServicesOnly, job: JobRow, tmp_path: Path, unpacked: list[int]
) -> None:
    load_table(services, "in.c-new.rows", "id,name\n7,x\n")
    unpacked.clear()
    rule = Deletion(filters=[DeletionFilter(column="id", values=["7"])])
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        stop_later(unpacked, lambda: monitor.stop(Terminated()))
        with pytest.raises(Terminated):
            load_long(services, monitor, tmp_path, deletions=[rule])

    check_stopped_early(unpacked)


def test_a_worker_that_must_end_stops_the_load_that_it_is_at(
    services: ServicesOnly, job: JobRow, tmp_path: Path, unpacked: list[int]
) -> None:
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        stop_later(unpacked, lambda: monitor.stop(Stopped()))
        with pytest.raises(Stopped):
            load_long(services, monitor, tmp_path)

    check_stopped_early(unpacked)


def test_a_job_that_was_stopped_begins_no_load(services: ServicesOnly, job: JobRow, tmp_path: Path) -> None:
    with JobMonitor(services.stack, caller_of(job), job) as monitor:
        monitor.stop(Terminated())
        with pytest.raises(Terminated):
            load_long(services, monitor, tmp_path)

    assert services.service("storage").get("/v2/storage/buckets").json == []
