"""The rows of Management, by resource. A row names the right that it needs, and the standing of the caller towards what
its path names is checked before its handler is called (operations/standing.py)."""

from __future__ import annotations

from functools import cache

from penstock.services.management.ports import Logins, Storage
from penstock.services.management.routes import (
    backends,
    current_user,
    deleted_projects,
    features,
    maintainers,
    organizations,
    project_members,
    projects,
    super_admin,
    templates,
    tokens,
    users,
)
from penstock.web.health import description, description_of, health_check
from penstock.web.routing import Route


@cache
def routes(storage: Storage, logins: Logins) -> tuple[Route, ...]:
    return (
        *tokens.routes(storage, logins),
        *current_user.routes(),
        *maintainers.routes(logins),
        *organizations.routes(storage, logins),
        *projects.routes(storage),
        *project_members.routes(storage, logins),
        *deleted_projects.routes(storage),
        *templates.routes(),
        *users.routes(logins),
        *features.routes(),
        *backends.routes(storage),
        *super_admin.routes(),
        *logins.routes(),
        health_check(description_of("management")),
        description("management"),
    )
