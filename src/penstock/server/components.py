"""Operator commands for components: add, publish, list and remove them without contacting the running stack.

Only the database is opened. A stack that runs on the folder sees the change with its next query.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec

from penstock.foundation.database import Transaction
from penstock.server.data_folder import open_database
from penstock.services.developer import interface as developer
from penstock.settings import Settings


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    """A component as commands list it."""

    id: str
    name: str
    type: str
    description: str
    runs: str
    """The program of its jobs; `nothing` and `not yet` for one that has no jobs."""
    why_not_runnable: str
    aliases: tuple[str, ...]
    folder: str | None
    """Of an added one; bundled ones have none."""
    replaces_shipped: bool
    """Whether it was added and replaces a bundled one with its id."""
    command: tuple[str, ...]
    tag: str
    version: int
    """Counts the changes of a published one."""
    is_published: bool
    waits: str
    """The tag of a newer version that waits for approval."""
    memory_megabytes: int
    timeout_seconds: int


class Published(msgspec.Struct, frozen=True, rename="camel"):
    """A version that is now the current one."""

    id: str
    version: int
    tag: str
    sha256: str | None
    digest: str | None
    """None for an image that is known by its tag only."""
    runs: str
    """The tag of the version that projects run; empty if they run none."""


class Packed(msgspec.Struct, frozen=True):
    id: str
    name: str
    type: str
    archive: bytes


def create_folder(component_id: str, folder: Path | None) -> Path:
    return developer.create_folder(component_id, folder)


def add_component(settings: Settings, folder: Path) -> Listed:
    component = developer.read_folder(folder)
    with open_database(settings) as database, database.writing() as tx:
        developer.add_component(tx, component)
    return _show(component.to_component())


def publish_component(settings: Settings, folder: Path) -> Published:
    with open_database(settings) as database:
        versioned = developer.publish_folder(database, settings.folder, folder)
        with database.reading() as tx:
            return _show_published(tx, versioned)


def pack_component(folder: Path) -> Packed:
    """A folder as another stack takes it."""
    packed, archive = developer.read_publishable(folder), io.BytesIO()
    developer.pack(folder, archive)
    component = packed.to_component()
    return Packed(component.id, component.name, component.type, archive.getvalue())


def list_versions(settings: Settings, component_id: str) -> list[developer.AppVersion]:
    with open_database(settings) as database, database.reading() as tx:
        return developer.list_versions(tx, component_id)


def roll_back(settings: Settings, component_id: str, version: str) -> Published:
    with open_database(settings) as database, database.writing(0) as tx:
        return _show_published(tx, developer.roll_back(tx, component_id, version))


def approve_version(settings: Settings, component_id: str, version: str) -> Published:
    with open_database(settings) as database, database.writing(0) as tx:
        return _show_published(tx, developer.approve_version(tx, component_id, version))


def reject_version(settings: Settings, component_id: str, version: str, reason: str) -> Published:
    with open_database(settings) as database, database.writing(0) as tx:
        return _show_published(tx, developer.reject_version(tx, component_id, version, reason))


def remove_version(settings: Settings, component_id: str, version: str) -> None:
    with open_database(settings) as database:
        developer.remove_version(database, settings.folder, component_id, version)


def list_components(settings: Settings) -> list[Listed]:
    with open_database(settings) as database, database.reading() as tx:
        waiting = developer.list_waiting(tx)
        return [_show(component, waiting.get(component.id, "")) for component in developer.list_components(tx)]


def get_component(settings: Settings, component_id: str) -> Listed:
    with open_database(settings) as database, database.reading() as tx:
        component = developer.find_component(tx, component_id)
    if not component:
        raise developer.ComponentNotAdded(component_id)
    return _show(component)


def remove_component(settings: Settings, component_id: str) -> None:
    """The added one, if there is one; else the published one, with its versions."""
    with open_database(settings) as database:
        try:
            with database.writing() as tx:
                developer.remove_component(tx, component_id)
        except developer.ComponentNotAdded:
            if not developer.remove_app(database, settings.folder, component_id):
                raise


def _show(component: developer.Component, waits: str = "") -> Listed:
    return Listed(
        id=component.id,
        name=component.name,
        type=component.type,
        description=component.description,
        runs=component.runs,
        why_not_runnable=component.why_not_runnable,
        aliases=component.aliases,
        folder=str(component.folder) if component.folder else None,
        replaces_shipped=developer.replaces_shipped(component),
        command=component.command,
        tag=component.tag,
        version=component.version,
        is_published=component.archive is not None,
        waits=waits,
        memory_megabytes=component.memory_megabytes,
        timeout_seconds=component.timeout_seconds,
    )


def _show_published(tx: Transaction, versioned: developer.Versioned) -> Published:
    used = developer.find_component(tx, versioned.app.id)
    version = versioned.version
    return Published(
        id=versioned.app.id,
        version=version.version,
        tag=version.tag,
        sha256=versioned.archive.sha256 if versioned.archive else None,
        digest=developer.find_digest(version, versioned.archive),
        runs=used.tag if used else "",
    )
