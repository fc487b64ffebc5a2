"""Everything about billing is tried on both databases."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import each_database, open_services, services, shared

__all__ = ["services", "shared"]


@each_database
def property_services(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServicesOnly]:
    """A stack for all examples of a property test."""
    with open_services(request, new_data_folder, tmp_path_factory.mktemp("ledger") / "data") as stack:
        yield stack
