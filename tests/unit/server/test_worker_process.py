"""The loops of a worker process."""

from __future__ import annotations

import pytest

from penstock.app import list_services
from penstock.foundation.jobs.worker import Worker
from penstock.server.worker_process import make_loops, wake_loops
from tests.support.stacks import ServicesOnly


@pytest.mark.parametrize("service_id", ["storage", "queue", "unknown"])
def test_only_the_loops_of_a_service_are_woken_for_its_jobs(shared: ServicesOnly, service_id: str) -> None:
    loops = [(each, loop) for each, loop in make_loops(shared.stack, "w", lambda: "") if isinstance(loop, Worker)]

    wake_loops([*loops], service_id)

    woken = {each for each, loop in loops if loop._wakeup.is_set()}
    assert woken == {service_id} & {service.id for service in list_services()}
    assert {each for each, _ in loops} > {"storage", "queue"}
