"""What others may call in Developer: lookup of components, and adding one from a folder."""

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
    "components_version",
    "find_component",
    "list_components",
    "read_folder",
    "remove_component",
    "replaces_shipped",
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
    """An added component by its id, else a bundled one by its id or an alias.

    An added component keeps precedence for its configurations, even after an update that bundles its id.
    """
    added = store.find_component(tx, component_id)
    return _to_component(added) if added else catalogue.find_component(component_id)


def list_components(tx: Transaction) -> list[Component]:
    """Bundled ones, then added ones by id, including those that replace a bundled one."""
    added = {each.id: _to_component(each) for each in store.list_components(tx)}
    return [*(component for component in catalogue.CATALOGUE if component.id not in added), *added.values()]


def components_version(tx: Transaction) -> str:
    """Changes whenever list_components() would return something else, and costs far less."""
    return store.components_version(tx)


def replaces_shipped(component: Component) -> bool:
    """Whether it was added, and its id is also that of a bundled one."""
    return component.folder is not None and catalogue.find_component(component.id) is not None


def read_folder(folder: Path) -> AddedComponent:
    """The component in a folder; raises a message for what is wrong with it. Reads files, so call it outside
    transactions."""
    where = folder.absolute()
    manifest = read_manifest(where)
    return AddedComponent(manifest.id, msgspec.to_builtins(manifest), str(where), clock.now())


def add_component(tx: Transaction, wanted: AddedComponent) -> None:
    """Add it, or update it if it exists; the id of a bundled one is accepted only if that cannot run yet, or was added
    before."""
    shipped = catalogue.find_component(wanted.id)
    if shipped and shipped.runs is not Runs.NOT_YET and not store.find_component(tx, wanted.id):
        raise ComponentShips(wanted.id, "replaced. Choose another id")
    store.put_component(tx, wanted)


def remove_component(tx: Transaction, component_id: str) -> None:
    """Its configurations stay, and can run once it is added again."""
    if store.remove_component(tx, component_id):
        return
    if catalogue.find_component(component_id):
        raise ComponentShips(component_id, "removed")
    raise ComponentNotAdded(component_id)


def _to_component(added: AddedComponent) -> Component:
    """Its secrets are for the same hosts as those of the bundled one that it replaces."""
    component, shipped = added.to_component(), catalogue.find_component(added.id)
    return msgspec.structs.replace(component, hosts_of=shipped.hosts_of) if shipped else component
