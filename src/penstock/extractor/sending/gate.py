"""The way to the API: a gate with the certificates of the configuration, through its tunnel if there is one."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

from penstock.extractor.sending.tunnel import Tunnel
from penstock.foundation.outbound import Gate, Policy

AnyGate = TypeVar("AnyGate", bound=Gate)


@asynccontextmanager
async def open_gate(kind: type[AnyGate], tls: ssl.SSLContext | None, tunnel: Tunnel | None) -> AsyncGenerator[AnyGate]:
    """The tunnel, which opens itself when it is first needed, is closed with the gate."""
    try:
        async with kind(Policy.from_environment(), tls=tls, socks=tunnel.address if tunnel else None) as gate:
            yield gate
    finally:
        if tunnel is not None:
            await tunnel.close()
