"""Everything about the queue is tried on both databases."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly


@pytest.fixture
def services(services_on_each: ServicesOnly) -> ServicesOnly:
    return services_on_each


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServicesOnly]:
    """The services of a new stack on each database, for all tests of a file."""
    folder = tmp_path_factory.mktemp("shared") / "data"
    if request.param == "postgresql":
        made: NewStack = request.getfixturevalue("new_stack_on_postgresql")
        stack = made.copy(folder)
        yield stack
        made.close(stack)
    else:
        shutil.copytree(new_data_folder, folder)
        stack = ServicesOnly(folder)
        yield stack
        stack.close()
