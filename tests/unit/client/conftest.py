"""Clients of a real stack, and of servers that imitate one."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from penstock.client import Client, connect
from tests.support.api import Api
from tests.support.stacks import RunningStack


@pytest.fixture
def client(stack: RunningStack) -> Generator[Client]:
    with connect(stack.greeting["storageUrl"], stack.greeting["token"]) as client:
        yield client


@pytest.fixture
def pretender() -> Generator[Api]:
    with Api() as api:
        api.on("/v2/storage", {"services": [{"id": "queue", "url": f"{api.url}/q/"}]})
        yield api


@pytest.fixture
def visitor(pretender: Api) -> Generator[Client]:
    with connect(pretender.url, "a-token", pauses=(0.01, 0.01)) as client:
        yield client
