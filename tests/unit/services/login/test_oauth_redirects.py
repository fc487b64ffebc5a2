"""Where registered programs may have the browser sent back to."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.login.oauth.redirects import is_allowed, is_registered

LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
ports = st.integers(1, 65_535)
paths = st.from_regex(r"(/[a-z0-9~._-]{0,8}){0,3}(\?[a-z=&]{0,8})?", fullmatch=True)
texts = st.text(st.characters(codec="ascii"), max_size=60)
CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"


@given(st.sampled_from(LOOPBACK), ports, ports, paths)
def test_the_port_of_the_own_machine_does_not_count(host: str, port: int, other: int, path: str) -> None:
    assert is_registered(f"http://{host}:{port}{path}", [f"http://{host}:{other}{path}"])
    assert is_registered(f"http://{host}:{port}{path}", [f"http://{host}{path}"])


@given(st.sampled_from(LOOPBACK), st.sampled_from(LOOPBACK), ports, paths, paths)
def test_everything_else_of_it_does(host: str, other: str, port: int, path: str, changed: str) -> None:
    is_same = (host, path) == (other, changed)

    assert is_registered(f"http://{host}:{port}{path}", [f"http://{other}{changed}"]) is is_same


@given(ports, ports, paths)
def test_the_port_of_another_host_counts(port: int, other: int, path: str) -> None:
    registered = [f"https://good.example:{port}{path}"]

    assert is_registered(f"https://good.example:{other}{path}", registered) is (port == other)


@given(texts, texts)
def test_whatever_is_allowed_is_https_or_the_own_machine(before: str, after: str) -> None:
    for address in (f"{before}://{after}", f"https://{after}", f"http://{after}", f"http://127.0.0.1{after}"):
        if is_allowed(address, ()):
            parts = urlsplit(address)
            assert parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")
            assert not parts.username
            assert not set(parts.netloc) & set("@;,\"' \\")


@given(texts, texts)
def test_an_address_that_is_no_loopback_is_compared_as_it_is(address: str, registered: str) -> None:
    if not registered.startswith("http://"):
        assert is_registered(address, [registered]) is (address == registered)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://evil.example/"]
)
def test_the_operator_lists_addresses_of_programs_and_nothing_that_a_browser_runs(address: str) -> None:
    assert is_allowed(CURSOR, [CURSOR])
    assert not is_allowed(f"{CURSOR}/more", [CURSOR])
    assert not is_allowed(address, [address])
