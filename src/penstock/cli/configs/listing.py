"""`penstock configs list`, `show` and `run`."""

from __future__ import annotations

from argparse import Namespace

import msgspec

from penstock.cli.configs.reference import find_configuration, get_configuration
from penstock.cli.output import clean, print_columns, print_json, print_table
from penstock.cli.run import follow
from penstock.client import Client, Configuration


def list_configurations(client: Client, options: Namespace) -> int:
    found = client.configurations.list(options.component)
    if options.json:
        print_json([_summary(each) for each in found])
    else:
        rows = [(each.id, each.component, each.name, each.version, _state(each)) for each in found]
        print_table(("ID", "COMPONENT", "NAME", "VERSION", ""), rows)
    return 0


def show(client: Client, options: Namespace) -> int:
    found = get_configuration(client, options.config)
    if options.json:
        print_json(found)
        return 0
    print_columns(_facts(found))
    print(clean(pretty(found.configuration)))
    for row in found.rows:
        print(
            clean(f"\nRow {row.id}: {row.name}{' (disabled)' if row.is_disabled else ''}\n{pretty(row.configuration)}")
        )
    return 0


def run(client: Client, options: Namespace) -> int:
    found = find_configuration(client, options.config)
    return follow(client, client.run_job(found.component, found.id, options.mode), as_json=options.json)


def pretty(document: object) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def _facts(found: Configuration) -> list[tuple[str, str]]:
    facts = {
        "Configuration": found.id,
        "Component": found.component,
        "Name": found.name,
        "Description": found.description,
        "Version": f"{found.version} ({found.change_description})" if found.change_description else str(found.version),
        "Created": found.created or "",
        "Disabled": "yes" if found.is_disabled else "",
    }
    return [(name, value) for name, value in facts.items() if value]


def _summary(each: Configuration) -> dict[str, object]:
    names = ("id", "component", "name", "description", "version", "created")
    return {**{name: getattr(each, name) for name in names}, "isDisabled": each.is_disabled}


def _state(each: Configuration) -> str:
    return "disabled" if each.is_disabled else ""
