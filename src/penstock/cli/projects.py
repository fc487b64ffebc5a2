"""List and create the projects of a stack, choose the one that commands use, and turn features on and off."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from penstock.cli.data_folder import add_data_folder, read_data_folder

if TYPE_CHECKING:
    from penstock.server.projects import Listed
    from penstock.settings import Settings

ACTIONS = {
    "list": "the projects of the stack, and the features that are on in them",
    "create": "create a project; prints a token of its administrator, this once",
    "use": "let commands on this data folder use a project, until another is chosen",
    "enable": "turn a feature of a project on",
    "disable": "turn a feature of a project off",
    "top-up": "add credits to a project with the feature pay-as-you-go",
    "trust-host": "let configurations of a project be changed to a host without entering their secrets again",
    "distrust-host": "end that; earlier changes stay",
}


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="|".join(ACTIONS), dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=text) for name, text in ACTIONS.items()}
    parsers["create"].add_argument("name", metavar="NAME", help="the name of the project")
    parsers["create"].add_argument("--use", action="store_true", help="use it from now on")
    parsers["use"].add_argument("project", metavar="PROJECT", help="its id or its name")
    for name in ("enable", "disable"):
        parsers[name].add_argument(
            "feature", metavar="FEATURE", help="storage-branches: each branch has its own buckets"
        )
    parsers["top-up"].add_argument("amount", metavar="AMOUNT", help="how many credits, as 10 or 0.5")
    parsers["top-up"].add_argument("--description", metavar="TEXT", default="", help="what they are for")
    for name in ("trust-host", "distrust-host"):
        parsers[name].add_argument("host", metavar="HOST", help="its name, with its port if it is not the usual one")
    for name in ("enable", "disable", "top-up", "trust-host", "distrust-host"):
        parsers[name].add_argument("--project", metavar="ID", type=int, help="which project (the only one)")
    for action in parsers.values():
        add_data_folder(action)


def run(options: Namespace) -> int:
    settings = read_data_folder(options)
    actions = {
        "list": _list,
        "create": _create,
        "use": _use,
        "enable": _set_feature,
        "disable": _set_feature,
        "top-up": _top_up,
        "trust-host": _trust_host,
        "distrust-host": _trust_host,
    }
    actions[options.action](options, settings)
    return 0


def _list(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json, print_table
    from penstock.server.projects import current_project, list_projects

    projects = list_projects(settings)
    if options.json:
        print_json(projects)
        return
    current = current_project(settings) or (projects[0].id if projects else None)
    marks = ["in use" if project.id == current and len(projects) > 1 else "" for project in projects]
    rows = [
        (str(listed.id), listed.name, " ".join(listed.features), mark)
        for listed, mark in zip(projects, marks, strict=True)
    ]
    print_table(("ID", "NAME", "FEATURES", ""), rows)


def _create(options: Namespace, settings: Settings) -> None:
    import msgspec

    from penstock.cli.output import clean, print_json
    from penstock.server.projects import create_project, use_project

    project, token = create_project(settings, options.name)
    if options.use:
        use_project(settings, project.id)
    if options.json:
        print_json({**msgspec.to_builtins(project), "token": token})
    else:
        how = "Commands use it from now on" if options.use else f"Use it: penstock projects use {project.id}"
        print(clean(f"Created project {project.id} ({project.name}). {how}.\nToken: {token}"))


def _use(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.server.projects import list_projects, use_project

    chosen = use_project(settings, _find(list_projects(settings), options.project).id)
    if options.json:
        print_json(chosen)
    else:
        print(clean(f"Commands use project {chosen.id} ({chosen.name}) from now on."))


def _find(listed: list[Listed], name: str) -> Listed:
    from penstock.cli.suggestions import suggest
    from penstock.foundation.errors import Invalid, NotFound

    matches = [project for project in listed if str(project.id) == name] or [
        project for project in listed if project.name == name
    ]
    if not matches:
        raise NotFound(f"There is no project {name}.{suggest(name, [project.name for project in listed])}")
    if len(matches) > 1:
        raise Invalid(
            f"Several projects are called {name}. Give the id: {', '.join(str(project.id) for project in matches)}."
        )
    return matches[0]


def _set_feature(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.server.projects import set_feature

    is_on = options.action == "enable"
    changed = set_feature(settings, options.feature, options.project, is_on=is_on)
    if options.json:
        print_json(changed)
    else:
        print(clean(f"{options.feature} is {'on' if is_on else 'off'} in project {changed.id} ({changed.name})."))


def _top_up(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import print_json
    from penstock.server.credits import add_credits

    entry, balance = add_credits(settings, options.amount, options.description, options.project)
    if options.json:
        print_json({"id": entry.id, "project": entry.project_id, "amount": str(entry.amount), "balance": balance})
    else:
        print(f"Added {entry.amount} credits to project {entry.project_id}. Remaining: {balance.remaining:g}.")


def _trust_host(options: Namespace, settings: Settings) -> None:
    from penstock.cli.output import clean, print_json
    from penstock.server.projects import trust_host

    hosts = trust_host(settings, options.host, options.project, is_trusted=options.action == "trust-host")
    if options.json:
        print_json({"trustedHosts": hosts})
    else:
        print(clean(f"Trusted hosts: {', '.join(hosts) or 'none'}."))
