from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import ServicesOnly


@pytest.fixture(scope="module")
def shared(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """The services of a new stack, for all tests of a file."""
    folder = tmp_path_factory.mktemp("shared") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder)
    yield stack
    stack.close()
