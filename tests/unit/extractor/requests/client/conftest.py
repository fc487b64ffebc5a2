from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from penstock.foundation import clock
from tests.support.api import Api
from tests.unit.extractor.requests.client.calling import OK, Caller, Calling


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as api:
        api.on("/users", OK)
        yield api


@pytest.fixture
def other() -> Iterator[Api]:
    """A server that the configuration does not name."""
    with Api() as api:
        api.on("/users", OK)
        yield api


@pytest.fixture
def calling(api: Api, monkeypatch: pytest.MonkeyPatch) -> Calling:
    """Makes callers with these settings in their `api` section; the clock is theirs."""

    def call(config: dict[str, Any] | None = None, document: dict[str, Any] | None = None, **settings: Any) -> Caller:
        caller = Caller({"baseUrl": f"{api.url}/", **settings}, config or {}, document or {})
        monkeypatch.setattr(clock, "source", lambda: caller.now)
        return caller

    return call
