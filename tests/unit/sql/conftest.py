from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.sql import Engines
from tests.support.stacks import ServicesOnly
from tests.unit.sql.workbench import Workbench


@pytest.fixture(scope="module")
def engines(shared: ServicesOnly) -> Generator[Engines]:
    made = Engines(shared.stack)
    yield made
    made.close()


@pytest.fixture(scope="module")
def bench(shared: ServicesOnly, engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """One workspace for all tests of a file."""
    return Workbench(shared.stack, engines, tmp_path_factory.mktemp("csv"))


@pytest.fixture
def new_bench(shared: ServicesOnly, engines: Engines, tmp_path: Path) -> Generator[Workbench]:
    """A workspace for one test."""
    made = Workbench(shared.stack, engines, tmp_path)
    yield made
    engines.remove(made.workspace)
