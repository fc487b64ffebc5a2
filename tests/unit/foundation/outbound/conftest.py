from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support.authority import Authority
from tests.unit.foundation.outbound.servers import Proxy, Server, proxying, serving


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Starts servers that end with the test: `serve(ok())`."""
    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(serving(*args, **options))


@pytest.fixture
def proxy_to() -> Iterator[Callable[..., Proxy]]:
    """Starts proxies that end with the test: `proxy_to({"api.test": port})`."""
    with ExitStack() as stack:
        yield lambda ports: stack.enter_context(proxying(ports))


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))
