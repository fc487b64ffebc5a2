from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import emptied
from tests.unit.services.queue.flows.world import World


@pytest.fixture
def world(shared: ServicesOnly) -> World:
    return World(emptied(shared, "queue_", "storage_configuration", "notification_deliveries"))
