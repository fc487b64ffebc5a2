from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.postgresql import NewStack
from tests.support.providers import Provider
from tests.support.stacks import ServicesOnly
from tests.unit.services.oauth.broker import Broker


@pytest.fixture(scope="session")
def oauth_stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """One stack for all tests of the broker; it may reach loopback."""
    folder = tmp_path_factory.mktemp("oauth") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder, allow_hosts=["127.0.0.1"])
    yield stack
    stack.close()


@pytest.fixture(scope="session")
def oauth_stack_on_postgresql(
    new_stack_on_postgresql: NewStack, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServicesOnly]:
    stack = new_stack_on_postgresql.copy(tmp_path_factory.mktemp("oauth-pg") / "data", allow_hosts=["127.0.0.1"])
    yield stack
    new_stack_on_postgresql.close(stack)


@pytest.fixture
def broker(oauth_stack: ServicesOnly) -> Broker:
    return Broker(oauth_stack)


@pytest.fixture(params=["oauth_stack", "oauth_stack_on_postgresql"])
def broker_on_each(request: pytest.FixtureRequest) -> Broker:
    return Broker(request.getfixturevalue(request.param))


@pytest.fixture
def provider() -> Generator[Provider]:
    with Provider() as made:
        yield made
