"""Sandboxes over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.sandboxes.errors import AppNotFound, AppsNotAvailable
from penstock.services.sandboxes.models import App, AppsQuery
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

EVERY = "/apps"
ONE = f"{EVERY}/{{app_id}}"


def routes() -> list[Route]:
    return [
        get(EVERY, list_apps, needs=Right.TOKEN),
        post(EVERY, create_app, needs=Right.CREATE_JOBS, status=501, works_on_full_disk=True),
        get(ONE, get_app, needs=Right.TOKEN),
        patch(ONE, change_app, needs=Right.CREATE_JOBS, status=501, works_on_full_disk=True),
        delete(ONE, delete_app, needs=Right.CREATE_JOBS, status=501, works_on_full_disk=True),
        health_check(description_of("data-science")),
        description("data-science"),
    ]


def list_apps(request: Request, query: AppsQuery) -> list[App]:  # noqa: ARG001
    """The data apps and workspaces of the project, page by page. There are none yet."""
    return []


def get_app(request: Request, app_id: str) -> App:  # noqa: ARG001
    """Refused with 404: there are no apps yet."""
    raise AppNotFound(app_id)


def create_app(request: Request) -> None:  # noqa: ARG001
    """Refused with 501: apps are not available yet."""
    raise AppsNotAvailable


def change_app(request: Request, app_id: str) -> None:  # noqa: ARG001
    """Refused with 501, as the creation of an app."""
    raise AppsNotAvailable


def delete_app(request: Request, app_id: str) -> None:  # noqa: ARG001
    """Refused with 501, as the creation of an app."""
    raise AppsNotAvailable
