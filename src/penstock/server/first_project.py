"""The first project of a stack, which a new data folder begins with: its token, two configurations to try, and the link
with which its administrator signs in."""

from __future__ import annotations

import msgspec

from penstock.foundation.errors import Forbidden, Unauthorized
from penstock.foundation.files import durable
from penstock.foundation.stack import Stack
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.sample.configurations import sample_configurations
from penstock.services.storage import interface as storage

PROJECT_NAME = "My project"
SAMPLE_COMPONENT = "ex-generic-v2"
TOKEN_FILE = "admin-token"  # noqa: S105


class FirstProject(msgspec.Struct, frozen=True):
    id: int
    token: str
    is_new: bool = False
    """Whether it was created by this start."""


def ensure_project(stack: Stack) -> FirstProject:
    """The first project and a token that works; a new data folder gets both, and two configurations to try."""
    with stack.database.reading() as tx:
        project = management.find_first_project(tx)
    if not project:
        return _make_project(stack)
    token = _read_token(stack, project.id)
    return FirstProject(project.id, token or _make_token(stack, project.id))


def _make_project(stack: Stack) -> FirstProject:
    with stack.database.writing() as tx:
        token, caller = storage.create_project(tx, PROJECT_NAME, _admin(stack))
        management.ensure_administrator(tx, _admin_email(stack))
        for configuration in sample_configurations(stack.domain):
            storage.create_configuration(tx, stack, caller, SAMPLE_COMPONENT, configuration)
        # Written before the commit: a project no one has a token for would be of no use.
        durable.write_file(stack.folder / TOKEN_FILE, f"{token}\n".encode())
    return FirstProject(caller.project_id, token, is_new=True)


def make_first_link(stack: Stack, project: FirstProject) -> str | None:
    """The path at Management of a link for the first administrator, as long as no one can sign in with a password."""
    with stack.database.writing(project.id) as tx:
        return login.make_first_link(tx, _admin_email(stack))


def _make_token(stack: Stack, project_id: int) -> str:
    with stack.database.writing(project_id) as tx:
        token = storage.create_admin_token(tx, project_id, _admin(stack))
        durable.write_file(stack.folder / TOKEN_FILE, f"{token}\n".encode())
    return token


def _read_token(stack: Stack, project_id: int) -> str | None:
    """The kept token, unless it was revoked or belongs to a project that was deleted since."""
    file = stack.folder / TOKEN_FILE
    token = file.read_text(errors="replace").strip() if file.exists() else ""
    try:
        storage.authenticate(stack, token)
    except Unauthorized:
        return None
    except Forbidden:  # its project is disabled
        pass
    return token if token.startswith(f"{project_id}-") else None


def _admin(stack: Stack) -> str:
    return f"admin@{stack.domain}"


def _admin_email(stack: Stack) -> str:
    return stack.settings.admin_email or _admin(stack)
