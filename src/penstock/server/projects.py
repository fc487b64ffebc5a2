"""Operator commands for projects: list and create them, choose the one to use, and switch their features."""

from __future__ import annotations

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Invalid, NotFound
from penstock.server.chosen_project import Chosen, read_chosen, write_chosen
from penstock.server.data_folder import open_database
from penstock.services.encryption import interface as encryption
from penstock.services.management import interface as management
from penstock.services.storage import interface as storage
from penstock.settings import Settings


class Listed(msgspec.Struct, frozen=True):
    """A project as commands list it."""

    id: int
    name: str
    features: tuple[str, ...]


def list_projects(settings: Settings) -> list[Listed]:
    with open_database(settings) as database, database.reading() as tx:
        return [_show(project) for project in management.list_projects(tx)]


def create_project(settings: Settings, name: str) -> tuple[Listed, str]:
    """The new project, and the token of its administrator, which is kept for `use_project`."""
    if not name.strip():
        raise Invalid("A project needs a name.")
    with open_database(settings) as database, database.writing() as tx:
        token, caller = storage.create_project(tx, name, _admin(settings))
        chosen = read_chosen(settings.folder)
        write_chosen(settings.folder, Chosen(chosen.current, {**chosen.tokens, str(caller.project_id): token}))
        return _show(management.get_project(tx, caller.project_id)), token


def use_project(settings: Settings, project_id: int) -> Listed:
    """Choose the project of commands on this data folder; without a choice it is the first one."""
    with open_database(settings) as database, database.writing(project_id) as tx:
        project, first = management.get_project(tx, project_id), management.find_first_project(tx)
        tokens = read_chosen(settings.folder).tokens
        if first and first.id == project_id:
            write_chosen(settings.folder, Chosen(None, tokens))
        else:
            token = _kept_token(tx, project_id, tokens) or storage.create_admin_token(tx, project_id, _admin(settings))
            write_chosen(settings.folder, Chosen(project_id, {**tokens, str(project_id): token}))
        return _show(project)


def current_project(settings: Settings) -> int | None:
    """The chosen project; None for the first one."""
    return read_chosen(settings.folder).current


def set_feature(settings: Settings, feature: str, project_id: int | None, *, is_on: bool) -> Listed:
    """Turn a feature on or off; without an id, in the only project of the stack."""
    with open_database(settings) as database, database.writing() as tx:
        number = find_only_project(tx) if project_id is None else project_id
        return _show(management.set_feature(tx, number, feature, is_on=is_on))


def trust_host(settings: Settings, host: str, project_id: int | None, *, is_trusted: bool) -> list[str]:
    """All hosts that the project trusts after that. Without an id: the only project of the stack."""
    with open_database(settings) as database, database.writing() as tx:
        number = find_only_project(tx) if project_id is None else management.get_project(tx, project_id).id
        return encryption.set_trusted_host(tx, number, host, is_trusted=is_trusted)


def find_only_project(tx: Transaction) -> int:
    projects = management.list_projects(tx)
    if not projects:
        raise NotFound("The stack has no project yet. Start it with `penstock up`.")
    if len(projects) > 1:
        raise Invalid(f"The stack has {len(projects)} projects. Choose one with --project ID.")
    return projects[0].id


def _kept_token(tx: Transaction, project_id: int, tokens: dict[str, str]) -> str | None:
    """The kept token of the project, unless it was revoked."""
    token = tokens.get(str(project_id), "")
    number = token.split("-")[1] if token.count("-") > 1 else ""
    try:
        return storage.get_caller(tx, project_id, int(number)) and token if number.isdecimal() else None
    except AppError:
        return None


def _admin(settings: Settings) -> str:
    return f"admin@{settings.domain}"


def _show(project: management.Project) -> Listed:
    return Listed(project.id, project.name, project.active_features)
