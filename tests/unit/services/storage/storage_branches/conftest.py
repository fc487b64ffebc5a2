from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.storage_branches.making import Branched


@pytest.fixture
def branched(services: ServicesOnly) -> Branched:
    return Branched(services)
