"""What others may call in Developer: lookup of components, the programs of published ones, adding one from a folder,
and what the operator does with the registry."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from penstock.components import catalogue
from penstock.components.component import Component, Runs
from penstock.components.manifest import read_manifest
from penstock.components.packing import pack_folder
from penstock.components.template import create_folder
from penstock.foundation import clock
from penstock.foundation.database import Database, Transaction
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import AppNotFound, ComponentNotAdded, ComponentShips, NoSuchTag, Unprocessable
from penstock.services.developer.models.accounts import AccountRow
from penstock.services.developer.models.apps import Versioned
from penstock.services.developer.models.components import AddedComponent
from penstock.services.developer.models.conversion import find_digest, to_component
from penstock.services.developer.models.people import (
    INVITATION_SEALED_FOR,
    SIGN_UP_SEALED_FOR,
    SignUpRequested,
    VendorInvitationCreated,
)
from penstock.services.developer.models.vendors import PageQuery
from penstock.services.developer.models.views import AppVersion, version_view
from penstock.services.developer.operations import accounts, approval, apps
from penstock.services.developer.operations.choosing import choose_version
from penstock.services.developer.operations.publishing import archives_in, drop_archives, publish_archive
from penstock.services.developer.programs import place_program
from penstock.services.developer.registry import credentials, deploying
from penstock.services.developer.registry.credentials import ImageCredentials
from penstock.services.developer.store import accounts as account_store
from penstock.services.developer.store import apps as app_store
from penstock.services.developer.store import archives as archive_store
from penstock.services.developer.store import components as store

__all__ = [
    "INVITATION_SEALED_FOR",
    "SIGN_UP_SEALED_FOR",
    "AccountRow",
    "AddedComponent",
    "AppVersion",
    "Component",
    "ComponentNotAdded",
    "ComponentShips",
    "ImageCredentials",
    "NoSuchTag",
    "SignUpRequested",
    "VendorInvitationCreated",
    "Versioned",
    "add_component",
    "approve_version",
    "components_version",
    "create_account",
    "create_folder",
    "find_component",
    "find_digest",
    "list_accounts",
    "list_components",
    "list_versions",
    "list_waiting",
    "make_pull_credentials",
    "pack",
    "place_program",
    "publish_folder",
    "read_folder",
    "read_publishable",
    "reject_version",
    "remove_account",
    "remove_app",
    "remove_component",
    "remove_version",
    "replaces_shipped",
    "roll_back",
]


def find_component(tx: Transaction, component_id: str, tag: str = "", *, project_id: int = 0) -> Component | None:
    """An added component by its id, else a bundled one by its id or an alias, else a published one.

    An added component keeps precedence for its configurations, even after an update that bundles its id. `tag` names a
    version of a published one; without it, that is the approved version, or in a project of the vendor the current one.
    """
    if added := store.find_component(tx, component_id):
        return _to_component(added)
    if shipped := catalogue.find_component(component_id):
        return shipped
    app = app_store.find_app(tx, component_id)
    return to_component(choose_version(tx, app, tag, project_id)) if app and app.is_approved else None


def list_components(tx: Transaction) -> list[Component]:
    """Bundled ones, then added ones by id, including those that replace a bundled one, then published ones."""
    added = {each.id: _to_component(each) for each in store.list_components(tx)}
    shipped = [component for component in catalogue.CATALOGUE if component.id not in added]
    known = {component.id for component in (*shipped, *added.values())}
    published = map(to_component, apps.in_current_versions(tx, app_store.list_approved(tx), only_approved=True))
    return [*shipped, *added.values(), *(component for component in published if component.id not in known)]


def components_version(tx: Transaction) -> str:
    """Changes whenever list_components() would return something else, and costs far less."""
    return f"{store.components_version(tx)} {app_store.apps_version(tx)}"


def replaces_shipped(component: Component) -> bool:
    """Whether it was added, and its id is also that of a bundled one."""
    return component.folder is not None and catalogue.find_component(component.id) is not None


def make_pull_credentials(stack: Stack, component_id: str) -> ImageCredentials:
    """What a worker signs in with to pull the image of a component from the registry of this stack, within an hour."""
    return credentials.make_pull_credentials(stack.cipher, component_id)


def read_folder(folder: Path) -> AddedComponent:
    """The component in a folder; raises a message for what is wrong with it. Reads files, so call it outside
    transactions."""
    where = folder.absolute()
    manifest = read_manifest(where)
    return AddedComponent(manifest.id, msgspec.to_builtins(manifest), str(where), clock.now())


def add_component(tx: Transaction, component: AddedComponent) -> None:
    """Add it, or update it if it exists; the id of a bundled one is accepted only if that cannot run yet, or was added
    before."""
    shipped = catalogue.find_component(component.id)
    if shipped and shipped.runs is not Runs.NOT_YET and not store.find_component(tx, component.id):
        raise ComponentShips(component.id, "replaced. Choose another id")
    store.put_component(tx, component)


def remove_component(tx: Transaction, component_id: str) -> None:
    """Remove a component. Its configurations stay, and can run once it is added again."""
    if store.remove_component(tx, component_id):
        return
    if catalogue.find_component(component_id):
        raise ComponentShips(component_id, "removed")
    raise ComponentNotAdded(component_id)


def _to_component(added: AddedComponent) -> Component:
    """Return the component. Its secrets are for the same hosts as those of the bundled one that it replaces."""
    component, shipped = added.to_component(), catalogue.find_component(added.id)
    return msgspec.structs.replace(component, hosts_of=shipped.hosts_of) if shipped else component


def publish_folder(database: Database, data_folder: Path, folder: Path) -> Versioned:
    """Pack a folder, and make it the current version of an approved app, as the operator. Reads and writes files."""
    wanted = read_publishable(folder)
    archives = archives_in(data_folder)
    incoming = archives.receive()
    try:
        with incoming.path.open("wb") as file:
            pack(folder, file)
            incoming.size = file.tell()
        made = publish_archive(database, archives, accounts.OPERATOR, wanted.id, incoming)
    finally:
        incoming.discard()
    return _approve(database, made)


def read_publishable(folder: Path) -> AddedComponent:
    """The component in a folder; raises if it has an id that cannot be published."""
    wanted = read_folder(folder)
    if wanted.id.count(".") != 1:
        raise Unprocessable(
            f'"{wanted.id}" cannot be published: the id is that of a vendor, a dot, and a name, like acme.ex-weather. '
            "Change `id` in component.json."
        )
    if catalogue.find_component(wanted.id):
        raise ComponentShips(wanted.id, "replaced. Choose another id")
    return wanted


def pack(folder: Path, target: BinaryIO) -> None:
    """The files of a component, as an archive."""
    pack_folder(folder.absolute(), target)


def _approve(database: Database, versioned: Versioned) -> Versioned:
    """The component that was added from a folder, if there is one, makes way for it."""
    with database.writing(0) as tx:
        store.remove_component(tx, versioned.app.id)
        is_done = versioned.app.is_approved and versioned.version.approved is not None
        return versioned if is_done else approval.approve(tx, accounts.OPERATOR, versioned)


def list_versions(tx: Transaction, app_id: str) -> list[AppVersion]:
    """The newest first."""
    app = app_store.find_app(tx, app_id)
    if not app:
        raise AppNotFound(app_id)
    found = app_store.list_versions(tx, app.id, PageQuery())
    archives = archive_store.list_archives(tx, [each.archive_id for each in found if each.archive_id is not None])
    return [version_view(each, archives.get(each.archive_id or 0), app.version) for each in found]


def roll_back(tx: Transaction, app_id: str, version: str) -> Versioned:
    return apps.roll_back(tx, accounts.OPERATOR, app_id.partition(".")[0], app_id, version)


def list_waiting(tx: Transaction) -> dict[str, str]:
    """The tags of versions that wait for approval, by the ids of their approved apps."""
    rows = [row for row in app_store.list_approved(tx) if row.version != row.approved_version]
    return {each.app.id: each.version.tag for each in apps.in_current_versions(tx, rows)}


def approve_version(tx: Transaction, app_id: str, version: str) -> Versioned:
    return approval.approve(tx, accounts.OPERATOR, _get_version(tx, app_id, version))


def reject_version(tx: Transaction, app_id: str, version: str, reason: str) -> Versioned:
    return approval.reject_version(tx, accounts.OPERATOR, _get_version(tx, app_id, version), reason)


def _get_version(tx: Transaction, app_id: str, version: str) -> Versioned:
    app = app_store.find_app(tx, app_id)
    if not app:
        raise AppNotFound(app_id)
    return apps.get_version(tx, app, version)


def remove_version(database: Database, data_folder: Path, app_id: str, version: str) -> None:
    """Remove a version with its archive, if no other version has it."""
    with database.writing(0) as tx:
        unused = apps.remove_version(tx, accounts.OPERATOR, app_id.partition(".")[0], app_id, version)
    drop_archives(archives_in(data_folder), unused)


def remove_app(database: Database, data_folder: Path, app_id: str) -> bool:
    """Remove an app with its versions, archives and images; return False if there is none."""
    with database.writing(0) as tx:
        if not app_store.find_app(tx, app_id):
            return False
        _, unused = deploying.remove_app(tx, accounts.OPERATOR, app_id.partition(".")[0], app_id)
    drop_archives(archives_in(data_folder), unused)
    return True


def create_account(
    tx: Transaction, username: str, vendor_ids: Sequence[str], *, is_admin: bool, description: str
) -> tuple[AccountRow, str]:
    """An account of the developer portal, and its password, which is not stored."""
    return accounts.create_account(
        tx, accounts.OPERATOR, username, vendor_ids, is_admin=is_admin, description=description
    )


def list_accounts(tx: Transaction) -> list[AccountRow]:
    return account_store.list_accounts(tx)


def remove_account(tx: Transaction, username: str) -> None:
    accounts.remove_account(tx, accounts.OPERATOR, username)
