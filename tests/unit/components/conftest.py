from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.components import Trial


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path / "data")
