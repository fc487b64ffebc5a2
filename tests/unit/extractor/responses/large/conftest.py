from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a response is; one file for all the examples of a test."""
    return tmp_path_factory.mktemp("large") / "body"
