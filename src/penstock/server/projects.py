"""Operator commands for projects: list them, and switch their features."""

from __future__ import annotations

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid, NotFound
from penstock.server.data_folder import open_database
from penstock.services.management import interface as management
from penstock.settings import Settings


class Listed(msgspec.Struct, frozen=True):
    """A project as commands list it."""

    id: int
    name: str
    features: tuple[str, ...]


def list_projects(settings: Settings) -> list[Listed]:
    with open_database(settings) as database, database.reading() as tx:
        return [_show(project) for project in management.list_projects(tx)]


def set_feature(settings: Settings, feature: str, project_id: int | None, *, is_on: bool) -> Listed:
    """Without an id: in the only project of the stack."""
    with open_database(settings) as database, database.writing() as tx:
        number = _only_project(tx) if project_id is None else project_id
        return _show(management.set_feature(tx, number, feature, is_on=is_on))


def _only_project(tx: Transaction) -> int:
    found = management.list_projects(tx)
    if not found:
        raise NotFound("The stack has no project yet. Start it with `penstock up`.")
    if len(found) > 1:
        raise Invalid(f"The stack has {len(found)} projects. Choose one with --project ID.")
    return found[0].id


def _show(project: management.Project) -> Listed:
    return Listed(project.id, project.name, project.active_features)
