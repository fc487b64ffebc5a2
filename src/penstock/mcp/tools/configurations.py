"""Configurations: read, create, update. Secrets are never returned, and stay as they are where they are not set."""

from __future__ import annotations

from typing import Annotated, Any, cast

import msgspec

from penstock.client import Client, Configuration, ConfigurationRow
from penstock.foundation.redaction import HIDDEN, Redactor
from penstock.mcp.paging import Next, Offset, take
from penstock.mcp.tool import Arguments, InvalidArguments, Output
from penstock.mcp.tools.views import ComponentId, ConfigurationId

ROWS = 20

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255, description="What people call it.")]
Document = Annotated[
    dict[str, Any],
    msgspec.Meta(
        description="The whole document. Put secrets under keys that begin with #: the stack encrypts them.",
        examples=[{"parameters": {"api": {"baseUrl": "https://api.example.com/"}}}],
    ),
]
Reason = Annotated[str, msgspec.Meta(max_length=1000, description="Why, in a sentence: versions are shown with it.")]


class ConfigurationWish(Arguments, frozen=True):
    component_id: ComponentId
    config_id: ConfigurationId
    path: Annotated[
        str,
        msgspec.Meta(
            max_length=500, description="Only this part of the document.", examples=["parameters.config.jobs.0"]
        ),
    ] = ""
    offset: Annotated[Offset, msgspec.Meta(description="How many rows to skip.")] = 0


class NewConfiguration(Arguments, frozen=True):
    component_id: ComponentId
    name: Name
    configuration: Document
    description: Annotated[str, msgspec.Meta(max_length=5000)] = ""
    config_id: Annotated[str, msgspec.Meta(max_length=255, description="Empty: the stack makes one.")] = ""
    change_description: Reason = "Created by an agent."


class ConfigurationChange(Arguments, frozen=True):
    component_id: ComponentId
    config_id: ConfigurationId
    change_description: Annotated[Reason, msgspec.Meta(min_length=1)]
    configuration: Document | None = None
    name: Name | None = None
    description: Annotated[str, msgspec.Meta(max_length=5000)] | None = None
    is_disabled: bool | None = None


class RowView(Output, frozen=True):
    row_id: str
    name: str
    is_disabled: bool
    configuration: Any


class ConfigurationView(Output, frozen=True):
    component_id: str
    config_id: str
    name: str
    description: str
    version: int
    change_description: str
    is_disabled: bool
    configuration: Any
    """Values under keys that begin with # are hidden."""
    rows: list[RowView] = []
    next: Next | None = None
    hint: str = ""


def get_configuration(client: Client, arguments: ConfigurationWish) -> ConfigurationView:
    """A configuration with its document, rows and version; secrets in it are hidden.

    `path` returns a part of a large document. Example: {"component_id": "ex-generic-v2", "config_id":
    "sample-customers"}"""
    configuration = client.configurations.get(arguments.component_id, arguments.config_id)
    rows, following = take(configuration.rows, arguments.offset, ROWS)
    view = configuration_view(configuration)
    part = _find_part(view.configuration, arguments.path) if arguments.path else view.configuration
    return msgspec.structs.replace(view, configuration=part, rows=[_row_view(row) for row in rows], next=following)


def create_configuration(client: Client, arguments: NewConfiguration) -> ConfigurationView:
    """Create a configuration of a component; nothing runs yet.

    `get_component` has the settings with examples. Example: {"component_id": "ex-generic-v2", "name": "Orders",
    "configuration": {"parameters": {…}}}"""
    refuse_hidden(arguments.configuration)
    created = client.configurations.create(
        arguments.component_id,
        arguments.name,
        arguments.configuration,
        config_id=arguments.config_id,
        description=arguments.description,
        reason=arguments.change_description,
    )
    hint = f"Run it: run_job with component_id {arguments.component_id} and config_id {created.id}."
    return msgspec.structs.replace(configuration_view(created), hint=hint)


def update_configuration(client: Client, arguments: ConfigurationChange) -> ConfigurationView:
    """Change a configuration: what is given replaces what is there, and the former version is kept.

    Send the whole document. A secret that is still [hidden] in it stays as it is. Example: {"component_id":
    "ex-generic-v2", "config_id": "orders", "configuration": {…}, "change_description": "Read 100 rows a page."}"""
    fields = {"name": arguments.name, "description": arguments.description, "isDisabled": arguments.is_disabled}
    changes: dict[str, Any] = {key: value for key, value in fields.items() if value is not None}
    if arguments.configuration is not None:
        stored = client.configurations.get(arguments.component_id, arguments.config_id)
        changes["configuration"] = keep_secrets(arguments.configuration, stored.configuration)
        refuse_hidden(changes["configuration"])
    if not changes:
        raise InvalidArguments(
            "Nothing to change was given: set `configuration`, `name`, `description` or `is_disabled`."
        )
    reason = arguments.change_description
    changed = client.configurations.update(arguments.component_id, arguments.config_id, changes, reason)
    return configuration_view(changed)


def configuration_view(configuration: Configuration) -> ConfigurationView:
    return ConfigurationView(
        component_id=configuration.component,
        config_id=configuration.id,
        name=configuration.name,
        description=configuration.description,
        version=configuration.version,
        change_description=configuration.change_description,
        is_disabled=configuration.is_disabled,
        configuration=Redactor().hide(configuration.configuration),
    )


def keep_secrets(new: Any, old: Any) -> Any:
    """The new document, with the stored value wherever it has the word for a hidden one."""
    if isinstance(new, dict):
        before = cast(dict[str, Any], old) if isinstance(old, dict) else {}
        return {key: keep_secrets(value, before.get(key)) for key, value in cast(dict[str, Any], new).items()}
    if isinstance(new, list):
        items = cast(list[Any], new)
        former = _match(items, cast(list[Any], old) if isinstance(old, list) else [])
        return [keep_secrets(item, before) for item, before in zip(items, former, strict=True)]
    return old if new in HIDDEN_WORDS and old is not None else new


def _match(new: list[Any], old: list[Any]) -> list[Any]:
    """Return the earlier position of each item, since items are inserted, removed and moved: that of the item that
    reads the same, else of the one at its place, unless that has become another item."""
    before, now = _places([Redactor().hide(each) for each in old]), _places(new)
    earlier = {at: was for key, places in now.items() for at, was in _pair(places, before.get(key, [])).items()}
    matched = set(earlier.values())
    return [
        old[earlier[at]] if at in earlier else old[at] if at < len(old) and at not in matched else None
        for at in range(len(new))
    ]


def _places(items: list[Any]) -> dict[bytes, list[int]]:
    """Return the positions of the items that read the same: they differ in a secret only."""
    positions: dict[bytes, list[int]] = {}
    for at, item in enumerate(items):
        positions.setdefault(msgspec.json.encode(item, order="sorted"), []).append(at)
    return positions


def _pair(now: list[int], before: list[int]) -> dict[int, int]:
    """Return the earlier position of each of the items that read the same. As many as before are the same ones in their
    order; if there are fewer, those at their places are. One more is a copy, if there was only one that it can be a
    copy of."""
    if len(now) < len(before):
        stays = {at: at for at in set(now) & set(before)}
        moved = [at for at in now if at not in stays]
        return stays | dict(zip(moved, [at for at in before if at not in stays], strict=False))
    copies = dict.fromkeys(now, before[0]) if len(before) == 1 else {}
    return copies | dict(zip(now, before, strict=False))


def refuse_hidden(document: Any, path: str = "") -> None:
    """The word for a hidden secret must not be stored as one."""
    if isinstance(document, dict):
        for key, value in cast(dict[str, Any], document).items():
            refuse_hidden(value, key)
    elif isinstance(document, list):
        for item in cast(list[Any], document):
            refuse_hidden(item, path)
    elif document in HIDDEN_WORDS:
        raise InvalidArguments(f"The value of {path!r} is {document}: ask the user for the secret, and put it in.")


HIDDEN_WORDS = (HIDDEN, "--HIDDEN--")


def _row_view(row: ConfigurationRow) -> RowView:
    document = Redactor().hide(row.configuration)
    return RowView(row_id=row.id, name=row.name, is_disabled=row.is_disabled, configuration=document)


def _find_part(document: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(document, dict) and name in document:
            document = cast(dict[str, Any], document)[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(cast(list[Any], document)):
            document = cast(list[Any], document)[int(name)]
        else:
            raise InvalidArguments(f"The document has nothing at {path!r}: {name!r} is not there.")
    return document
