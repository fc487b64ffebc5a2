"""A stack with a component that does what its action is called, on both databases."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import each_database, open_services
from tests.unit.services.queue.own_components import add_component
from tests.unit.services.sync_actions.asking import ACTIONS, OWN, SCRIPT


@each_database
def actions(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServicesOnly]:
    """Two actions run at a time, and one of each project."""
    folder = tmp_path_factory.mktemp("actions")
    with open_services(request, new_data_folder, folder / "data", sync_actions=2) as stack:
        add_component(stack, folder, OWN, SCRIPT, synchronous_actions=ACTIONS)
        yield stack
