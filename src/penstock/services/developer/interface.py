"""What others may ask of Developer: which components there are, and a folder to become one."""

from __future__ import annotations

from pathlib import Path

import msgspec

from penstock.components import catalogue
from penstock.components.component import Component, Runs
from penstock.components.manifest import read_manifest
from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Conflict, NotFound
from penstock.services.developer import store
from penstock.services.developer.models import AddedComponent

__all__ = [
    "AddedComponent",
    "Component",
    "ComponentNotAdded",
    "ComponentShips",
    "add_component",
    "find_component",
    "list_components",
    "read_folder",
    "remove_component",
]


class ComponentShips(Conflict):
    code = "developer.componentShips"

    def __init__(self, component_id: str, done: str) -> None:
        super().__init__(f'The component "{component_id}" ships with the platform and cannot be {done}.')


class ComponentNotAdded(NotFound):
    code = "developer.componentNotAdded"

    def __init__(self, component_id: str) -> None:
        super().__init__(f'There is no component "{component_id}". See those there are: penstock components list')


def find_component(tx: Transaction, component_id: str) -> Component | None:
    """By its id, or by an alias of one that ships."""
    shipped = catalogue.find_component(component_id)
    if shipped and not _is_replaceable(shipped):
        return shipped
    added = store.find_component(tx, component_id)
    return added.to_component() if added else shipped


def list_components(tx: Transaction) -> list[Component]:
    """Those that ship, then the added ones by id."""
    added = {each.id: each.to_component() for each in store.list_components(tx)}
    shipped = [
        component for component in catalogue.CATALOGUE if not _is_replaceable(component) or component.id not in added
    ]
    known = {component.id for component in shipped}
    return [*shipped, *(component for component in added.values() if component.id not in known)]


def read_folder(folder: Path) -> AddedComponent:
    """What a folder says it is; raises a sentence for what is wrong with it. Reads files, so no transaction is open."""
    where = folder.absolute()
    manifest = read_manifest(where)
    shipped = catalogue.find_component(manifest.id)
    if shipped and not _is_replaceable(shipped):
        raise ComponentShips(manifest.id, "replaced. Choose another id")
    return AddedComponent(manifest.id, msgspec.to_builtins(manifest), str(where), clock.now())


def add_component(tx: Transaction, wanted: AddedComponent) -> None:
    """Add it, or read it anew if it is there."""
    store.put_component(tx, wanted)


def remove_component(tx: Transaction, component_id: str) -> None:
    """Its configurations stay, and run again once it is added again."""
    if store.remove_component(tx, component_id):
        return
    if catalogue.find_component(component_id):
        raise ComponentShips(component_id, "removed")
    raise ComponentNotAdded(component_id)


def _is_replaceable(shipped: Component) -> bool:
    """Whoever has a program for a component that cannot run yet may add it."""
    return shipped.runs is Runs.NOT_YET
