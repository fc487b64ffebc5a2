"""Agents that are given an address and nothing else: they sign in as the protocol says, with the SDK's own client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp.client.client import Client

from penstock.client import connect
from penstock.client.sql import QueryFailed
from penstock.foundation.outbound import Policy
from tests.support.agents import refused, use
from tests.support.http import Http
from tests.support.oauth_agents import Memory, Person, provide, with_sign_in
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.login.people import Browser, audited, sign_up

__all__ = ["shared"]

ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def address_of(stack: ServicesOnly) -> str:
    return f"http://127.0.0.1:{stack.port}/_svc/mcp/mcp"


def person_of(stack: ServicesOnly, access: str = "read") -> Person:
    browser = Browser(stack)
    browser.sign_in(sign_up(stack))
    return Person(browser, stack.project.id, access)


def ask(stack: ServicesOnly, person: Person, memory: Memory, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        address = address_of(stack)
        async with with_sign_in(address, provide(address, person, memory)) as agent:
            return await work(agent)

    return asyncio.run(run())


def test_an_agent_finds_the_way_from_the_address_to_the_tools_and_refreshes(shared: ServicesOnly) -> None:
    person, memory, address = person_of(shared, "write"), Memory(), address_of(shared)

    async def run() -> tuple[list[str], dict[str, Any], dict[str, Any], list[str]]:
        provider = provide(address, person, memory)
        async with with_sign_in(address, provider) as agent:
            names = [tool.name for tool in (await agent.list_tools()).tools]
            first = await use(agent, "get_project")
            before = memory.tokens
            provider.context.token_expiry_time = 1.0
            second = await use(agent, "get_project")
            assert before
            assert memory.tokens
            return names, first, second, [before.access_token, memory.tokens.access_token]

    names, first, second, tokens = asyncio.run(run())

    assert {"get_project", "query_sql", "run_job"} <= set(names)
    assert first["project_id"] == second["project_id"] == shared.project.id
    assert len(set(tokens)) == 2, "the access token was refreshed"
    assert person.was_asked == 1, "and nobody was asked for it"
    assert memory.client
    assert memory.client.token_endpoint_auth_method == "none"
    assert audited(shared, "login.clientRegistered")[0].details["name"] == "An agent"


def test_an_agent_that_may_only_read_sees_no_tools_that_change(shared: ServicesOnly) -> None:
    async def work(agent: Client) -> tuple[list[bool], str]:
        tools = (await agent.list_tools()).tools
        sentence = await refused(agent, "write_sql", statement="CREATE TABLE mine (n INT)", confirm=True)
        return [bool(tool.annotations and tool.annotations.read_only_hint) for tool in tools], sentence

    memory = Memory()
    reads, sentence = ask(shared, person_of(shared, "read"), memory, work)

    assert all(reads)
    assert "only reads" in sentence
    assert memory.tokens
    assert memory.tokens.scope == "read"


def test_sql_changes_the_workspace_only_if_the_person_has_allowed_it(shared: ServicesOnly) -> None:
    async def write(agent: Client) -> dict[str, Any]:
        await use(agent, "write_sql", statement="CREATE OR REPLACE TABLE kept AS SELECT 7 AS n", confirm=True)
        return await use(agent, "query_sql", statement="FROM kept")

    assert ask(shared, person_of(shared, "write"), Memory(), write)["rows"] == [["7"]]
    memory = Memory()
    assert ask(shared, person_of(shared, "read"), memory, read_kept)["rows"] == [["7"]]
    assert memory.tokens
    url, token = f"http://127.0.0.1:{shared.port}/_svc/storage", memory.tokens.access_token
    with connect(url, token, policy=Policy(is_open=True)) as client:
        with pytest.raises(QueryFailed, match="read-only"):
            client.sql("DROP TABLE kept")
        assert client.sql("FROM kept").rows() == [(7,)]


async def read_kept(agent: Client) -> dict[str, Any]:
    return await use(agent, "query_sql", statement="FROM kept")


@pytest.mark.parametrize("token", ["", "kbc_at_1_" + "0" * 60])
def test_a_request_without_a_valid_token_is_told_where_the_metadata_is(shared: ServicesOnly, token: str) -> None:
    bare = Http(f"http://127.0.0.1:{shared.port}")
    headers = {**ACCEPT, **({"Authorization": f"Bearer {token}"} if token else {})}
    response = bare.send("POST", "/_svc/mcp/mcp", b"{}", headers)
    where = f"http://127.0.0.1:{shared.port}/.well-known/oauth-protected-resource/_svc/mcp/mcp"

    assert response.status == 401
    challenge = response.headers["www-authenticate"]
    assert challenge.startswith(f'Bearer resource_metadata="{where}"')
    assert ('error="invalid_token"' in challenge) is bool(token)


def test_metadata_is_at_the_addresses_of_the_standards(shared: ServicesOnly) -> None:
    origin = f"http://127.0.0.1:{shared.port}"
    bare = Http(origin)
    resource = bare.get("/.well-known/oauth-protected-resource/_svc/mcp/mcp").json
    server = bare.get("/.well-known/oauth-authorization-server/_svc/storage").json

    assert resource["resource"] == f"{origin}/_svc/mcp/mcp"
    assert resource["authorization_servers"] == [server["issuer"]] == [f"{origin}/_svc/storage"]
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["registration_endpoint"] == f"{origin}/_svc/storage/oauth/register"


def test_metadata_is_at_the_hosts_too(shared: ServicesOnly) -> None:
    port = shared.port
    client = Http(f"http://127.0.0.1:{port}")
    mcp, connection = (f"{name}.penstock.localhost:{port}" for name in ("mcp", "connection"))
    for path in ("", "/mcp"):
        resource = client.send("GET", f"/.well-known/oauth-protected-resource{path}", None, {"Host": mcp}).json
        assert resource["resource"] == f"http://{mcp}/mcp"
        assert resource["authorization_servers"] == [f"http://{connection}"]
    server = client.send("GET", "/.well-known/oauth-authorization-server", None, {"Host": connection}).json
    assert server["issuer"] == f"http://{connection}"
    refusal = client.send("POST", "/mcp", b"{}", {**ACCEPT, "Host": mcp})
    expected = f'Bearer resource_metadata="http://{mcp}/.well-known/oauth-protected-resource/mcp"'
    assert refusal.headers["www-authenticate"] == expected


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource/_svc/nope/mcp",
        "/.well-known/oauth-protected-resource/_svc/",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/",
        "/.well-known/x/_svc/mcp/../storage/v2/storage",
        "/.well-known//_svc/storage/v2/storage",
    ],
)
def test_nothing_else_is_below_well_known(shared: ServicesOnly, path: str) -> None:
    assert Http(f"http://127.0.0.1:{shared.port}").get(path).status == 404
