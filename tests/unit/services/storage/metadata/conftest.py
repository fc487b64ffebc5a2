from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.metadata.objects import TABLE_ID


@pytest.fixture(autouse=True, scope="module")
def users(shared: ServicesOnly) -> None:
    load_table(shared, TABLE_ID, "id,name\n1,Ann\n")
