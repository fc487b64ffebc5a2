"""Host names of services, and stacks by name."""

from __future__ import annotations

import pytest

from penstock.foundation.stacks import KNOWN_STACKS, KnownStack, service_host, service_of_label


@pytest.mark.parametrize(
    ("service", "host"),
    [("storage", "connection.data.example"), ("portal", "api.data.example"), ("queue", "queue.data.example")],
)
def test_a_service_has_a_host_and_a_host_has_a_service(service: str, host: str) -> None:
    assert service_host(service, "data.example") == host
    assert service_of_label(host.partition(".")[0]) == service


def test_a_multi_tenant_stack_is_at_its_domain() -> None:
    stack = KnownStack(name="eu", domain="eu.data.example")

    assert stack.tenancy == "multi-tenant"
    assert stack.storage_url == "https://connection.eu.data.example"


def test_a_single_tenant_stack_carries_its_customers_name() -> None:
    stack = KnownStack(name="acme", domain="data.example", customer="acme")

    assert stack.tenancy == "single-tenant"
    assert stack.storage_url == "https://connection.acme.data.example"
    assert service_host("queue", stack.suffix) == "queue.acme.data.example"


def test_five_multi_tenant_stacks_are_known_with_placeholder_domains() -> None:
    assert len(KNOWN_STACKS) == len({stack.name for stack in KNOWN_STACKS}) == 5
    assert all(stack.domain.endswith(".example") and stack.tenancy == "multi-tenant" for stack in KNOWN_STACKS)
    assert all(stack.region and stack.provider for stack in KNOWN_STACKS)
