from __future__ import annotations

import pytest
from sqlalchemy import delete

from penstock.foundation.database import metadata
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.flows.world import World

_LEFT = ("queue_", "storage_configuration", "notification_deliveries")
"""What tests leave in tables with such names."""


@pytest.fixture
def world(shared: ServicesOnly) -> World:
    """The stack of the file, without the jobs and configurations of the tests before."""
    with shared.stack.database.writing() as tx:
        for table in reversed(metadata.sorted_tables):
            if table.name.startswith(_LEFT):
                tx.change(delete(table))
    return World(shared)
