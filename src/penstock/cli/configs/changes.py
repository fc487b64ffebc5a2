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
    made = client.configurations.create(
        options.component, name, document, config_id=options.id, description=options.description
    )
    return _report(made, options, f"Created {full_id(made)} ({made.name}). Run it: penstock configs run {made.id}")


def edit(client: Client, options: Namespace) -> int:
    found = get_configuration(client, options.config)
    document = _new_document(found, options)
    if document == found.configuration:
        return _report(found, options, f"{full_id(found)} is unchanged.")
    changed = update_document(client, found, document, "Changed with penstock configs edit")
    return _report(changed, options, f"Changed {full_id(changed)}, now version {changed.version}.")


def update_document(client: Client, found: Configuration, document: dict[str, Any], reason: str) -> Configuration:
    """Refused if someone else has changed the configuration since it was read."""
    now = client.configurations.get(found.component, found.id)
    if now.version != found.version:
        raise Conflict(
            f"{full_id(found)} was changed meanwhile: version {found.version} is now {now.version}. Nothing was sent."
        )
    return client.configurations.update(found.component, found.id, {"configuration": document}, reason)


def delete(client: Client, options: Namespace) -> int:
    found = find_configuration(client, options.config)
    client.configurations.delete(found.component, found.id)
    if options.json:
        print_json({"id": found.id, "component": found.component, "isDeleted": True})
    else:
        print(clean(f"Moved {full_id(found)} ({found.name}) to the trash."))
    return 0


def _new_document(found: Configuration, options: Namespace) -> dict[str, Any]:
    if not options.file:
        name = f"{found.component}-{found.id}"
        return edit_document(found.configuration, name, lambda it: _check(found.component, it, options))
    document = read_document(options.file)
    _check(found.component, document, options)
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
