"""Agents: the client of the protocol's SDK, over both transports."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, clean_environment

BLOCK = re.compile(r"<data-([0-9a-f]{16})>\n(?P<document>.*)\n</data-\1>\nBetween the marks \1 .*")

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}},
}
"""The first message of an agent."""


@asynccontextmanager
async def over_http(url: str, *, mode: str = "auto", **headers: str) -> AsyncGenerator[Client]:
    """`url` is that of any service, by path."""
    address = f"{url.rpartition('/')[0]}/mcp/mcp"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        httpx2.AsyncClient(headers=named, timeout=PATIENCE) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as agent,
    ):
        yield agent


@asynccontextmanager
async def over_stdio(folder: Path, *flags: str) -> AsyncGenerator[Client]:
    program = StdioServerParameters(
        command=PENSTOCK[0],
        args=[*PENSTOCK[1:], "mcp", "--data-dir", str(folder), *flags],
        env=clean_environment(),
    )
    async with Client(stdio_client(program)) as agent:
        yield agent


async def use(agent: Client, name: str, /, **arguments: Any) -> dict[str, Any]:
    """The result of a tool, which is the same as text and as structured content."""
    result = await agent.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    block = BLOCK.fullmatch(text_of(result))
    assert block, text_of(result)
    assert json.loads(block["document"]) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refused(agent: Client, name: str, /, **arguments: Any) -> str:
    """The sentence of a tool that refuses."""
    result = await agent.call_tool(name, arguments)
    assert result.is_error, text_of(result)
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
