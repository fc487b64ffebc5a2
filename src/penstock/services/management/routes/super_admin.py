"""Commands of super administrators, and the user interfaces that a stack serves, over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.management.errors import OnlyOne, ThingNotFound, UnknownKind
from penstock.services.management.models.backends import Command, CommandStarted, NewUiApp, UiApp
from penstock.services.management.operations import deleted_projects
from penstock.services.management.operations.groups import read_number
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

APPS = "/manage/ui-apps"


def routes() -> list[Route]:
    return [
        post("/manage/commands", run_command, needs=Right.SUPER),
        get(APPS, list_apps, needs=Right.PUBLIC, title="List user interfaces"),
        post(APPS, register_app, needs=Right.SUPER, status=201, title="Register a user interface"),
        delete(f"{APPS}/{{app_id}}", remove_app, needs=Right.SUPER, status=204, title="Remove a user interface"),
    ]


def run_command(request: Request, body: Command) -> CommandStarted:
    """`purge-deleted-project`, with the number of a deleted project."""
    if body.command != deleted_projects.PURGE:
        raise UnknownKind("command", body.command, [deleted_projects.PURGE])
    given = str(body.parameters[0]) if body.parameters else ""
    number = read_number("Deleted project", given)
    with request.writing(project_id=number) as tx:
        deleted_projects.purge(tx, request.identity, given)
    return CommandStarted(command_execution_id=deleted_projects.execution_of(number))


def list_apps(request: Request) -> list[UiApp]:  # noqa: ARG001
    """User interfaces that were registered: none, since the console is part of the stack."""
    return []


def register_app(request: Request, body: NewUiApp) -> UiApp:  # noqa: ARG001
    """Refused: the console is part of the stack."""
    raise OnlyOne("user interface")


def remove_app(request: Request, app_id: str) -> None:  # noqa: ARG001
    """Refused: the console is part of the stack, and there is no other user interface."""
    raise ThingNotFound("User interface", app_id)
