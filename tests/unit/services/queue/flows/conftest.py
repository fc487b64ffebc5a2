from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.flows.world import World


@pytest.fixture
def world(services: ServicesOnly) -> World:
    return World(services)
