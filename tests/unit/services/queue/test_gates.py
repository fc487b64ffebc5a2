"""What the proxy of a component lets it reach of its own stack."""

from __future__ import annotations

import msgspec

from penstock.components.catalogue import CATALOGUE
from penstock.foundation.outbound import Policy
from penstock.runtime.environment import ForwardedToken, RunContext
from penstock.services.queue.execution.gates import find_gate

POLICY = Policy(own_names=("connection.data.example", "queue.data.example"), own_ports=(8300, 8301), mark="m")
TOLD = RunContext(run_id="1", project_id="1", component="c", stack="connection.data.example")


def test_a_component_without_a_token_reaches_no_service() -> None:
    gate = find_gate(POLICY, CATALOGUE[0], TOLD)

    assert (gate.own_names, gate.own_ports, gate.mark) == (POLICY.own_names, POLICY.own_ports, "m")


def test_one_with_a_token_reaches_storage_at_the_address_that_it_got_and_no_other_service() -> None:
    token = ForwardedToken(token="1-2-t", url="http://connection.data.example:8300")
    gate = find_gate(POLICY, CATALOGUE[0], msgspec.structs.replace(TOLD, forwarded=token))

    assert (gate.own_names, gate.own_ports) == (("queue.data.example",), (8301,))
    assert "connection.data.example" in gate.allow
    assert gate.mark == ""


def test_one_with_a_token_reaches_the_public_address_at_its_port_only() -> None:
    policy = msgspec.structs.replace(POLICY, own_endpoints=(("data.example", 443), ("data.example", 8300)))
    token = ForwardedToken(token="1-2-t", url="https://data.example/_svc/connection")
    gate = find_gate(policy, CATALOGUE[0], msgspec.structs.replace(TOLD, forwarded=token))

    assert gate.own_endpoints == (("data.example", 8300),)
