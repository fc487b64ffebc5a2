"""What one project may take of the server of tools."""

from __future__ import annotations

import pytest

from penstock.services.mcp.calls import LARGE_BYTES, Calls
from penstock.services.mcp.errors import TooManyCalls
from penstock.services.mcp.routes import MESSAGE_BYTES
from tests.support.stacks import ServicesOnly
from tests.unit.services.mcp.test_agents import send


def test_a_project_has_one_large_message_handled_at_a_time() -> None:
    calls = Calls()
    with calls.parsing(1, LARGE_BYTES + 1):
        with calls.parsing(1, LARGE_BYTES), calls.parsing(2, LARGE_BYTES + 1):
            pass
        with pytest.raises(TooManyCalls, match="1 large message at a time"), calls.parsing(1, LARGE_BYTES + 1):
            pass
    with calls.parsing(1, LARGE_BYTES + 1):
        pass


def test_a_message_that_is_too_large_is_refused(shared: ServicesOnly) -> None:
    assert send(shared, b'{"x":"' + b"x" * MESSAGE_BYTES + b'"}').status == 413
