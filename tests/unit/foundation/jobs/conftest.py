from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.foundation.database import Database
from penstock.foundation.migrations import migrate
from tests.unit.foundation.jobs.greetings import greetings


@pytest.fixture
def database(tmp_path: Path) -> Generator[Database]:
    """With a table of jobs that no service of ours has."""
    opened = Database(tmp_path / "metadata.sqlite")
    migrate(opened.engine)
    greetings.create(opened.engine)
    yield opened
    opened.close()
