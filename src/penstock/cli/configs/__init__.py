"""List, show, create, change, delete and run configurations, or keep them as files: pull, push, diff."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from penstock.cli.target import add_target

GENERIC = "ex-generic-v2"
ACTIONS = {
    "list": "the configurations of the project",
    "show": "one configuration with its document; secrets stay encrypted",
    "create": "create a configuration from a file",
    "edit": "change the document in your editor, or replace it by a file",
    "delete": "move a configuration to the trash",
    "run": "run it and follow its log",
    "pull": "write the configurations to a folder, one folder each",
    "push": "send changes in the folder to the project, after showing them",
    "diff": "what push would change",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text, description=text) for name, text in ACTIONS.items()}
    parsers["list"].add_argument("--component", metavar="ID", default="", help="only of this component")
    for name in ("show", "edit", "delete", "run"):
        parsers[name].add_argument("config", metavar="CONFIG", help="its id, COMPONENT/ID, or its name")
    _document_arguments(parsers["create"], parsers["edit"])
    parsers["run"].add_argument("--mode", default="run", help="run, or forceRun for a disabled configuration (run)")
    _folder_arguments(parsers)
    for action in parsers.values():
        action.add_argument("--json", action="store_true", help="print JSON")
        add_target(action)


def _document_arguments(create: ArgumentParser, edit: ArgumentParser) -> None:
    create.add_argument("file", metavar="FILE", help="JSON or YAML; - for JSON on standard input")
    create.add_argument("--component", metavar="ID", default=GENERIC, help=f"the component it is for ({GENERIC})")
    create.add_argument("--id", metavar="ID", default="", help="the id it gets (a number)")
    create.add_argument("--name", default="", help="the name it gets (that of the file)")
    create.add_argument("--description", metavar="TEXT", default="", help="what it is for")
    edit.add_argument("--file", metavar="FILE", help="take the document from this file instead of the editor")
    for action in (create, edit):
        action.add_argument("--force", action="store_true", help="send it even if it is not valid")


def _folder_arguments(parsers: dict[str, ArgumentParser]) -> None:
    for name in ("pull", "push", "diff"):
        parsers[name].add_argument("folder", metavar="DIR", type=Path, help="the folder of the configurations")
    parsers["pull"].add_argument("--force", action="store_true", help="overwrite local changes")
    parsers["push"].add_argument(
        "--force", action="store_true", help="overwrite changes made in the project in the meantime"
    )
    parsers["push"].add_argument("--yes", action="store_true", help="do not ask")
    parsers["push"].add_argument(
        "--delete", action="store_true", help="delete configurations whose folders were removed"
    )


def run(options: Namespace) -> int:
    from penstock.cli.configs import changes, folders, listing
    from penstock.cli.target import connect_to

    actions = {
        "list": listing.list_configurations,
        "show": listing.show,
        "run": listing.run,
        "create": changes.create,
        "edit": changes.edit,
        "delete": changes.delete,
        "pull": folders.pull,
        "push": folders.push,
        "diff": folders.diff,
    }
    with connect_to(options) as client:
        return actions[options.action](client, options)
