"""Add or publish custom components, list those of a stack, and start a new one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.components import publishing
from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from penstock.server.components import Listed
    from penstock.settings import Settings

ACTIONS = {
    "init": "make the folder of a new component, with a test",
    "add": "add the component in a folder, or read its component.json again",
    "publish": "make the contents of a folder the current version of a component, for every worker",
    "list": "the components of the stack",
    "show": "the details of one component",
    "versions": "the versions of a published component",
    "approve": "let every project run a version of a published component",
    "reject": "refuse a version, or withdraw its approval",
    "rollback": "make an older version the current one",
    "remove-version": "remove a version that is no longer needed, with its archive",
    "remove": "remove an added component, or a published one with its versions; folder and configurations stay",
}
_RUNS = {"nothing": "no, configurations only", "not yet": "not yet, configurations only"}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text) for name, text in ACTIONS.items()}
    parsers["add"].add_argument(
        "folder", metavar="DIR", type=Path, help="the folder with component.json; used in place"
    )
    for name in ("show", "remove"):
        parsers[name].add_argument("id", metavar="ID", help="the id of the component")
    publishing.arguments(parsers)
    for name, action in parsers.items():
        if name not in ("init", "publish"):
            add_data_folder(action)


def run(options: Namespace) -> int:
    if options.action in ("init", "publish"):
        {"init": publishing.init, "publish": publishing.publish}[options.action](options)
        return 0
    settings = read_data_folder(options)
    work = {"add": _add, "list": _list, "show": _show, "remove": _remove, **publishing.ACTIONS}
    work[options.action](options, settings)
    return 0


def _add(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.server.components import add_component

    added = add_component(settings, options.folder)
    if options.json:
        print_json(added)
    else:
        print(clean(f"Added {added.id} ({added.name}) from {added.folder}."))
        if added.replaces_shipped:
            print(f"It replaces the {added.id} that ships with Penstock, until you remove it.")


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.components import list_components

    components = list_components(settings)
    if options.json:
        print_json(components)
    else:
        print_table(("ID", "NAME", "TYPE", "RUNS", "FROM"), map(_row, components))


def _show(options: Namespace, settings: Settings) -> None:
    import msgspec

    from penstock.cli.output import print_columns, print_json
    from penstock.server.components import get_component

    component = get_component(settings, options.id)
    if options.json:
        print_json(component)
    else:
        facts = {
            **msgspec.to_builtins(component),
            "aliases": " ".join(component.aliases),
            "command": " ".join(component.command),
        }
        print_columns([(name, str(value)) for name, value in facts.items() if value])


def _remove(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.components import remove_component

    remove_component(settings, options.id)
    if options.json:
        print_json({"id": options.id, "isRemoved": True})
    else:
        print(f"Removed {options.id}.")


def _row(component: Listed) -> tuple[str, ...]:
    origin = component.folder or "ships with Penstock"
    if component.is_published:
        origin = f"published, version {component.version}"
        origin += f"; {component.waits} waits for approval" if component.waits else ""
    if component.replaces_shipped:
        origin += " (in place of the one that ships)"
    return component.id, component.name, component.type, _RUNS.get(component.runs, "yes"), origin
