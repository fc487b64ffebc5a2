"""`penstock configs list`, `show` and `run`."""

from __future__ import annotations

from argparse import Namespace

import msgspec

from penstock.cli.configs.reference import find_configuration, get_configuration
from penstock.cli.output import clean, print_columns, print_json, print_table
from penstock.cli.run import follow
from penstock.client import Client, Configuration


def list_configurations(client: Client, options: Namespace) -> int:
    configurations = client.configurations.list(options.component)
    if options.json:
        print_json([_summary(each) for each in configurations])
    else:
        rows = [(each.id, each.component, each.name, each.version, _state(each)) for each in configurations]
        print_table(("ID", "COMPONENT", "NAME", "VERSION", ""), rows)
    return 0


def show(client: Client, options: Namespace) -> int:
    configuration = get_configuration(client, options.config)
    if options.json:
        print_json(configuration)
        return 0
    print_columns(_facts(configuration))
    print(clean(pretty(configuration.configuration)))
    for row in configuration.rows:
        print(
            clean(f"\nRow {row.id}: {row.name}{' (disabled)' if row.is_disabled else ''}\n{pretty(row.configuration)}")
        )
    return 0


def run(client: Client, options: Namespace) -> int:
    configuration = find_configuration(client, options.config)
    return follow(client, client.run_job(configuration.component, configuration.id, options.mode), as_json=options.json)


def pretty(document: object) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def _facts(configuration: Configuration) -> list[tuple[str, str]]:
    facts = {
        "Configuration": configuration.id,
        "Component": configuration.component,
        "Name": configuration.name,
        "Description": configuration.description,
        "Version": f"{configuration.version} ({configuration.change_description})"
        if configuration.change_description
        else str(configuration.version),
        "Created": configuration.created or "",
        "Disabled": "yes" if configuration.is_disabled else "",
    }
    return [(name, value) for name, value in facts.items() if value]


def _summary(configuration: Configuration) -> dict[str, object]:
    names = ("id", "component", "name", "description", "version", "created")
    return {**{name: getattr(configuration, name) for name in names}, "isDisabled": configuration.is_disabled}


def _state(configuration: Configuration) -> str:
    return "disabled" if configuration.is_disabled else ""
