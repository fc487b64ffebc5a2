"""A stack with a component that does what its action is called."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component
from tests.unit.services.sync_actions.asking import ACTIONS, OWN, SCRIPT


@pytest.fixture(scope="module")
def actions(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """Two actions run at a time, and one of each project."""
    folder = tmp_path_factory.mktemp("actions")
    shutil.copytree(new_data_folder, folder / "data")
    stack = ServicesOnly(folder / "data", sync_actions=2)
    add_component(stack, folder, OWN, SCRIPT, synchronous_actions=ACTIONS)
    yield stack
    stack.close()
