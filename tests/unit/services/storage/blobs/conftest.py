"""A file to write blobs to."""

from __future__ import annotations

import pytest

from tests.support.files import Container, prepare, to_write
from tests.support.http import Http
from tests.support.stacks import ServicesOnly


@pytest.fixture(scope="module")
def storage(shared: ServicesOnly) -> Http:
    return shared.service("storage")


@pytest.fixture
def place(storage: Http) -> Container:
    """Somewhere to write to."""
    return to_write(prepare(storage))
