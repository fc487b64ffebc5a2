"""Opens the outbound gate with the certificates of the configuration, through its tunnel if it has one."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from penstock.extractor.requests.sending.tunnel import Tunnel
from penstock.foundation.outbound import Gate, Policy

AnyGate = TypeVar("AnyGate", bound=Gate)


@asynccontextmanager
async def open_gate(
    kind: Callable[..., AnyGate], tls: ssl.SSLContext | None, tunnel: Tunnel | None
) -> AsyncGenerator[AnyGate]:
    """The tunnel is opened by the first request, and closed with the gate."""
    try:
        async with kind(Policy.from_environment(), tls=tls, socks=tunnel.address if tunnel else None) as gate:
            yield gate
    finally:
        if tunnel is not None:
            await tunnel.close()
