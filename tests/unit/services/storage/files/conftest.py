"""What all tests of this folder share."""

from __future__ import annotations

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly


@pytest.fixture(scope="module")
def storage(shared: ServicesOnly) -> Http:
    return shared.service("storage")
