"""Everything about AI is tried on both databases, with a model or without."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.api import Api
from tests.support.stacks import ServicesOnly
from tests.unit.services.ai.a_model import KEY
from tests.unit.services.each_database import each_database, open_services, services, shared

__all__ = ["services", "shared"]


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    with Api() as api:
        yield api


@each_database
def asking(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory, api: Api
) -> Generator[ServicesOnly]:
    """A stack with a model. Its jobs may not reach loopback: the setting alone opens the way to the model."""
    folder = tmp_path_factory.mktemp("asking") / "data"
    settings = {"ai_url": f"{api.url}/v1", "ai_model": "test-model", "ai_key": KEY}
    with open_services(request, new_data_folder, folder, **settings) as stack:
        yield stack
