"""The broker over HTTP.

authorize.py     the user's way to the provider and back
credentials.py   what came of it
consumers.py     the applications of the stack
"""

from __future__ import annotations

from penstock.services.oauth.routes import authorize, consumers, credentials
from penstock.web.health import description, description_of, health_check
from penstock.web.routing import Route

SERVICE = "oauth"


def routes() -> list[Route]:
    return [
        *authorize.routes(),
        *credentials.routes(),
        *consumers.routes(),
        health_check(description_of(SERVICE)),
        description(SERVICE),
    ]
