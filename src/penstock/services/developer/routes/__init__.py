"""Developer over HTTP: a file per resource."""

from __future__ import annotations

from penstock.services.developer.routes import admin, apps, auth, icons, invitations, people, vendors, versions
from penstock.web.health import description, description_of, health_check
from penstock.web.routing import Route


def routes() -> list[Route]:
    return [
        *auth.routes(),
        *people.routes(),
        *vendors.routes(),
        *invitations.routes(),
        *apps.routes(),
        *icons.routes(),
        *versions.routes(),
        *admin.routes(),
        health_check(description_of("developer")),
        description("developer"),
    ]
