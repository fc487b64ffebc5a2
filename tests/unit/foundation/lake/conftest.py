from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.unit.foundation.lake.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Generator[Tables]:
    made = Tables(tmp_path)
    yield made
    made.lake.close()
