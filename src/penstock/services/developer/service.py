"""What the stack has to know of Developer."""

from __future__ import annotations

from penstock.web.service import Service


def service() -> Service:
    return Service(id="developer", name="Developer API")
