"""The rows that need no token, and an address of each."""

from __future__ import annotations

import re

from penstock.app import list_services
from penstock.foundation.callers import Right
from penstock.web.routing import Route


def list_public() -> list[tuple[str, str]]:
    """The method and an address of every public row. Rows that services share are tried once."""
    rows = {
        (route.handler.__module__, route.handler.__qualname__, route.method): (
            route.method,
            fill_path(service.id, route),
        )
        for service in list_services()
        for route in service.routes
        if route.needs is Right.PUBLIC
    }
    return list(rows.values())


def fill_path(service_id: str, route: Route) -> str:
    """An address of the row; the documents that are made are the largest there are."""
    path = route.path.replace("{file}", "storage.json").replace("{component_id}", "ex-generic-v2")
    return f"/_svc/{service_id}" + re.sub(r"\{[^}]*\}", "x", path)
