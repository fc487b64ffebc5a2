from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.foundation.lake.engine import THREADS
from tests.unit.foundation.lake.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Generator[Tables]:
    made = Tables(tmp_path)
    yield made
    made.lake.close()


@pytest.fixture
def parallel_tables(tmp_path: Path) -> Generator[Tables]:
    """A lake with as many threads as that of a stack, for files that are long enough to be divided among them."""
    made = Tables(tmp_path, THREADS)
    yield made
    made.lake.close()


@pytest.fixture(scope="module")
def shared_tables(tmp_path_factory: pytest.TempPathFactory) -> Generator[Tables]:
    """One lake for many examples, each with tables of its own."""
    made = Tables(tmp_path_factory.mktemp("lake"))
    yield made
    made.lake.close()
