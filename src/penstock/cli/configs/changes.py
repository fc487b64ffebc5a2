"""`penstock configs create`, `edit` and `delete`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from penstock.cli.configs.documents import check_document, read_document
from penstock.cli.configs.editor import edit_document
from penstock.cli.configs.reference import find_configuration, full_id, get_configuration
from penstock.cli.output import clean, print_json
from penstock.client import Client, Configuration
from penstock.foundation.errors import Conflict, Invalid


def create(client: Client, options: Namespace) -> int:
    document = read_document(options.file)
    _check(options.component, document, options)
    name = options.name or options.id or Path(options.file).stem
    configuration = client.configurations.create(
        options.component, name, document, config_id=options.id, description=options.description
    )
    return _report(
        configuration,
        options,
        f"Created {full_id(configuration)} ({configuration.name}). Run it: penstock configs run {configuration.id}",
    )


def edit(client: Client, options: Namespace) -> int:
    configuration = get_configuration(client, options.config)
    document = _new_document(configuration, options)
    if document == configuration.configuration:
        return _report(configuration, options, f"{full_id(configuration)} is unchanged.")
    changed = update_document(client, configuration, document, "Changed with penstock configs edit")
    return _report(changed, options, f"Changed {full_id(changed)}, now version {changed.version}.")


def update_document(
    client: Client, configuration: Configuration, document: dict[str, Any], reason: str
) -> Configuration:
    """Refused if someone else has changed the configuration since it was read."""
    now = client.configurations.get(configuration.component, configuration.id)
    if now.version != configuration.version:
        raise Conflict(
            f"{full_id(configuration)} was changed meanwhile: version {configuration.version} is now {now.version}. "
            "Nothing was sent."
        )
    return client.configurations.update(configuration.component, configuration.id, {"configuration": document}, reason)


def delete(client: Client, options: Namespace) -> int:
    configuration = find_configuration(client, options.config)
    client.configurations.delete(configuration.component, configuration.id)
    if options.json:
        print_json({"id": configuration.id, "component": configuration.component, "isDeleted": True})
    else:
        print(clean(f"Moved {full_id(configuration)} ({configuration.name}) to the trash."))
    return 0


def _new_document(configuration: Configuration, options: Namespace) -> dict[str, Any]:
    if not options.file:
        name = f"{configuration.component}-{configuration.id}"
        return edit_document(configuration.configuration, name, lambda it: _check(configuration.component, it, options))
    document = read_document(options.file)
    _check(configuration.component, document, options)
    return document


def _check(component: str, document: dict[str, Any], options: Namespace) -> None:
    try:
        check_document(component, document)
    except Invalid as error:
        if not options.force:
            raise Invalid(f"{error} Send it as it is with --force.") from error


def _report(configuration: Configuration, options: Namespace, sentence: str) -> int:
    if options.json:
        print_json(configuration)
    else:
        print(clean(sentence))
    return 0
