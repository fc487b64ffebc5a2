"""What the jobs of a stack may reach of the stack itself."""

from __future__ import annotations

import asyncio

import pytest

from penstock.app import outbound_policy
from penstock.foundation.errors import Invalid
from penstock.foundation.outbound import find_addresses
from penstock.foundation.outbound.errors import OwnService
from penstock.settings import Settings

PUBLIC = Settings(domain="stack.example", public_url="https://data.example:8443", allow_hosts=["data.example"])


def find(settings: Settings, host: str, port: int) -> list[str]:
    async def lookup(_host: str, _port: int) -> list[str]:
        return ["10.1.2.3"]

    return asyncio.run(find_addresses(outbound_policy(settings, "127.0.0.1:8300", 8301), host, port, lookup))


@pytest.mark.parametrize("port", [8443, 8300, 8301])
def test_the_public_address_is_the_stack_itself_at_its_ports(port: int) -> None:
    with pytest.raises(OwnService, match=f"data.example:{port} is this stack itself"):
        find(PUBLIC, "DATA.example.", port)


@pytest.mark.parametrize("port", [80, 443, 9000])
def test_other_ports_of_the_public_host_are_those_of_any_host(port: int) -> None:
    assert find(PUBLIC, "data.example", port) == ["10.1.2.3"]


def test_a_domain_that_is_the_public_address_has_other_ports_too() -> None:
    settings = Settings(domain="data.example", public_url="https://data.example", allow_hosts=["data.example"])

    assert find(settings, "data.example", 9000) == ["10.1.2.3"]
    for host, port in (("data.example", 443), ("connection.data.example", 9000)):
        with pytest.raises(OwnService):
            find(settings, host, port)


def test_a_domain_without_a_public_address_is_the_stack_itself_at_the_usual_ports() -> None:
    settings = Settings(domain="data.example", allow_hosts=["data.example"])

    assert find(settings, "data.example", 9000) == ["10.1.2.3"]
    for port in (80, 443, 8300):
        with pytest.raises(OwnService):
            find(settings, "data.example", port)


def test_a_public_address_with_a_path_is_not_only_the_stacks() -> None:
    settings = Settings(public_url="https://data.example/penstock", allow_hosts=["data.example"])

    assert find(settings, "data.example", 443) == ["10.1.2.3"]


def test_a_public_address_that_cannot_be_read_is_an_error_of_the_settings() -> None:
    with pytest.raises(Invalid, match="ports go from 1 to 65535"):
        find(Settings(public_url="https://data.example:99999"), "data.example", 443)
