"""What differs between two versions of a configuration, or between two branches, setting by setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.foundation.redaction import HIDDEN
from penstock.foundation.redaction.values import secret_keys
from penstock.services.ai.errors import NoEarlierVersion
from penstock.services.ai.models import MergeQuestion, VersionQuestion
from penstock.services.ai.operations.describing import find_row, read_configured
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import Snapshot

LINES = 100
VALUE_CHARACTERS = 200


class Value(NamedTuple):
    """A setting as it is compared, and as it is shown: secrets are compared as ciphers, and not shown."""

    compared: str
    shown: str


Settings = dict[str, Value]


def compare_versions(tx: Transaction, caller: Caller, question: VersionQuestion) -> str:
    current = read_configured(tx, caller, question, str(question.current_version_id)).snapshot
    if question.previous_version_id is None and current.version == 1:
        raise NoEarlierVersion(current.version)
    before = str(question.previous_version_id or current.version - 1)
    there = storage.in_branch(tx, caller, str(question.branch_id))
    previous = storage.read_snapshot(tx, there, question.component_id, str(question.config_id), before)
    row_id = None if question.row_id is None else str(question.row_id)
    title = f'Version {current.version} of "{current.name}" compared with version {previous.version}'
    said = f'\n\nIts author wrote: "{current.change_description}"' if current.change_description else ""
    return _compare(title, _settings(previous, row_id), _settings(current, row_id)) + said


def compare_branches(tx: Transaction, caller: Caller, question: MergeQuestion) -> str:
    """What merging the current branch into the base branch would change."""
    config_id = str(question.config_id)
    base_branch, branch = str(question.base_branch_id), str(question.current_branch_id)
    current = _find(tx, storage.in_branch(tx, caller, branch), question.component_id, config_id)
    base = _find(tx, storage.in_branch(tx, caller, base_branch), question.component_id, config_id)
    if isinstance(current, NotFound):
        if isinstance(base, NotFound):
            raise current
        return f'"{base.name}" does not exist in the branch {branch}: merging it deletes the configuration.'
    if isinstance(base, NotFound):
        title, before = f'"{current.name}" is new: it does not exist in the branch {base_branch}', Settings()
    else:
        title, before = f'Merging "{current.name}" from the branch {branch} into {base_branch}', _settings(base, None)
    return _compare(title, before, _settings(current, None))


def _find(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> Snapshot | NotFound:
    storage.get_component(tx, caller, component_id)
    try:
        return storage.read_snapshot(tx, caller, component_id, config_id)
    except NotFound as error:
        return error


def _settings(of: Snapshot, row_id: str | None) -> Settings:
    if row_id is not None:
        row = find_row(of, row_id)
        return {"name": _value(row.name), "isDisabled": _value(row.is_disabled), **dict(_flatten(row.document, ""))}
    own = {"name": of.name, "description": of.description, "isDisabled": of.is_disabled}
    found = {key: _value(value) for key, value in own.items()}
    found.update(_flatten(of.document, ""))
    for row in of.rows:
        found.update(_flatten({"name": row.name, **row.document}, f"rows[{row.id}]"))
    return found


def _flatten(node: Any, path: str, *, is_secret: bool = False) -> Iterator[tuple[str, Value]]:
    """Return its settings by their paths; an empty object or list is one too."""
    if isinstance(node, dict) and node:
        inside = cast(dict[str, Any], node)
        secret = secret_keys(inside)
        for key, value in inside.items():
            place = f"{path}.{key}" if path else key
            yield from _flatten(value, place, is_secret=is_secret or key in secret)
    elif isinstance(node, list) and node:
        for number, value in enumerate(cast(list[Any], node)):
            yield from _flatten(value, f"{path}[{number}]", is_secret=is_secret)
    elif path:
        value = _value(node)
        yield path, Value(value.compared, HIDDEN) if is_secret else value


def _value(node: Any) -> Value:
    text = msgspec.json.encode(node).decode()
    return Value(text, text if len(text) <= VALUE_CHARACTERS else f"{text[:VALUE_CHARACTERS]}…")


def _compare(title: str, before: Settings, after: Settings) -> str:
    added = [f"- added `{path}`: {after[path].shown}" for path in after if path not in before]
    removed = [f"- removed `{path}`: {before[path].shown}" for path in before if path not in after]
    changed = [
        f"- changed `{path}`: {before[path].shown} → {after[path].shown}"
        for path in after
        if path in before and before[path].compared != after[path].compared
    ]
    lines = [*changed, *added, *removed]
    if not lines:
        return f"{title}: nothing differs."
    counts = f"{len(changed)} settings changed, {len(added)} added, {len(removed)} removed"
    more = [f"- and {len(lines) - LINES} more"] if len(lines) > LINES else []
    return "\n".join([f"{title}: {counts}.\n", *lines[:LINES], *more])
