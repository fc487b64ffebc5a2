"""What the stack has to know of Management."""

from __future__ import annotations

from pathlib import Path

from penstock.web.service import Service


def service() -> Service:
    return Service(id="management", name="Management API", migrations=Path(__file__).parent / "migrations")
