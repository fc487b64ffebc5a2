"""What the tests of the command share."""

from __future__ import annotations

import pytest

from tests.support.api import Api

ONE_USER = {"items": [{"id": 1, "name": "Ada", "tags": ["x"]}]}


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", ONE_USER)
        yield api
