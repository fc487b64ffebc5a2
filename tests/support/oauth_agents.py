"""Agents that sign in by themselves: the OAuth provider of the protocol's SDK, with a browser that a person uses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.support.patience import PATIENCE
from tests.unit.services.login.people import Browser

CALLBACK = "http://127.0.0.1:54321/callback"


class Memory:
    """What an agent keeps between two runs."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Person:
    """Signed in with a browser: opens the page that an agent sends it to, and allows what it is told to."""

    def __init__(self, browser: Browser, project: int, access: str) -> None:
        self._browser, self._chosen = browser, {"project": str(project), "access": access}
        self.was_asked = 0
        self._back: dict[str, str] = {}

    async def open(self, address: str) -> None:
        self._back = await asyncio.to_thread(self._allow, address)

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**self._back)

    def _allow(self, address: str) -> dict[str, str]:
        self.was_asked += 1
        page = self._browser.open(address)
        assert page.status == 200, page.text
        response = self._browser.submit(page, "/oauth/authorize", decision="allow", **self._chosen)
        assert response.status == 303, response.text
        assert response.headers["location"].startswith(f"{CALLBACK}?")
        return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}


def provide(address: str, person: Person, memory: Memory) -> OAuthClientProvider:
    wish = OAuthClientMetadata(client_name="An agent", redirect_uris=[AnyUrl(CALLBACK)])
    return OAuthClientProvider(address, wish, memory, person.open, person.come_back)


@asynccontextmanager
async def with_sign_in(address: str, provider: OAuthClientProvider) -> AsyncGenerator[Client]:
    """`address` is all that this agent was given."""
    async with (
        httpx2.AsyncClient(auth=provider, timeout=PATIENCE) as http,
        Client(streamable_http_client(address, http_client=http)) as agent,
    ):
        yield agent
