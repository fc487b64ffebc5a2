"""What the stack has to know of Console."""

from __future__ import annotations

from penstock.foundation.stacks import CONSOLE, STORAGE
from penstock.services.console.routes import routes
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id=CONSOLE,
        name="Console",
        routes=routes(),
        also_below={STORAGE: ("/admin",)},
        is_listed=False,
        is_documented=False,
    )
