"""A data folder, a bucket of one's own, and Storage over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.runtime.data_folder import DataFolder
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.storage_port.ports import numbers
from tests.unit.services.storage.loading import storage


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "1")
    made.create()
    return made


@pytest.fixture
def bucket() -> str:
    """A bucket of the test's own."""
    return f"in.c-test{next(numbers)}"


@pytest.fixture
def http(shared: ServicesOnly) -> Http:
    return storage(shared)
