"""The developer portal is tried on both databases."""

from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import Portal
from tests.unit.services.each_database import services, shared

__all__ = ["services", "shared"]


@pytest.fixture(scope="module")
def portal(shared: ServicesOnly) -> Portal:
    return Portal(shared)
