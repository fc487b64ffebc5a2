"""List the projects of a stack, and turn their features on and off."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.settings import Settings

SUMMARY = "list projects, and turn their features on and off"


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="list|enable|disable", dest="action", required=True)
    listing = actions.add_parser("list", help="the projects of the stack, and the features that are on in them")
    enabling = actions.add_parser("enable", help="turn a feature of a project on")
    disabling = actions.add_parser("disable", help="turn a feature of a project off")
    for action in (enabling, disabling):
        action.add_argument("feature", metavar="FEATURE", help="storage-branches: each branch has its own buckets")
        action.add_argument("--project", metavar="ID", type=int, help="which project (the only one)")
    for action in (listing, enabling, disabling):
        action.add_argument("--json", action="store_true", help="print JSON")
        action.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock, PENSTOCK_DATA_DIR)")
        action.add_argument("--database", metavar="URL", help="the stack's PostgreSQL, if it has one")


def run(options: Namespace) -> int:
    from penstock.settings import read_settings

    settings = read_settings({"data_dir": options.data_dir, "database": options.database})
    if options.action == "list":
        _list(options, settings)
    else:
        _set_feature(options, settings)
    return 0


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.projects import list_projects

    found = list_projects(settings)
    if options.json:
        print_json(found)
    else:
        rows = [(str(project.id), project.name, " ".join(project.features)) for project in found]
        print_table(("ID", "NAME", "FEATURES"), rows)


def _set_feature(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.server.projects import set_feature

    is_on = options.action == "enable"
    changed = set_feature(settings, options.feature, options.project, is_on=is_on)
    if options.json:
        print_json(changed)
    else:
        print(clean(f"{options.feature} is {'on' if is_on else 'off'} in project {changed.id} ({changed.name})."))
