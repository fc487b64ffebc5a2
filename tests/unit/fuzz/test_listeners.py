"""Whatever a client sends to the TLS port, it ends with its connection: others are answered, and nothing is logged."""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator
from contextlib import suppress

import httpx
import pytest
from hypothesis import strategies as st

from tests.support.fuzzing import changed, fuzzed
from tests.support.patience import PATIENCE
from tests.unit.server.tls_serving import Serving


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    each = Serving(tmp_path_factory.mktemp("tls"))
    yield each
    each.stop()


@pytest.fixture(scope="module")
def other(serving: Serving) -> Generator[httpx.Client]:
    with serving.only_http2() as client:
        yield client


@fuzzed("http2", changed("http2") | st.binary(max_size=100), 60)
@pytest.mark.parametrize("protocol", ["h2", "http/1.1"])
def test_any_bytes_after_the_handshake_harm_nobody_else(
    serving: Serving, other: httpx.Client, caplog: pytest.LogCaptureFixture, protocol: str, content: bytes
) -> None:
    context = serving.context
    context.set_alpn_protocols([protocol])
    with caplog.at_level(logging.ERROR), suppress(OSError):
        plain = socket.create_connection(("127.0.0.1", serving.secure_port), PATIENCE)
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            connection.sendall(content)
    with caplog.at_level(logging.ERROR):
        assert other.get("/anything").is_success
    assert not caplog.records


@fuzzed("http2", changed("http2") | st.binary(max_size=100), 60)
def test_any_bytes_in_place_of_a_handshake_harm_nobody_else(
    serving: Serving, other: httpx.Client, content: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", serving.secure_port), PATIENCE) as connection:
        connection.sendall(content)
    assert other.get("/anything").is_success
