"""The difference that a change makes, as lines of a unified diff of its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from penstock.client.config_files.content import Content
from penstock.client.config_files.files import to_files, to_name
from penstock.client.config_files.plan import Change

CIPHER = "KBC::"


def diff_lines(change: Change) -> Iterator[str]:
    """Compare the project with the files. Secrets that are not encrypted yet are hidden."""
    from difflib import unified_diff

    before = _files(change, change.remote.content if change.remote else None)
    after = _files(change, change.local)
    for path in sorted({*before, *after}):
        name = f"{to_name(change.key.component)}/{to_name(change.key.id)}/{path}"
        old, new = before.get(path), after.get(path)
        sides = ("/dev/null" if old is None else f"a/{name}", "/dev/null" if new is None else f"b/{name}")
        yield from unified_diff((old or "").splitlines(), (new or "").splitlines(), *sides, lineterm="")


def _files(change: Change, content: Content | None) -> dict[str, str]:
    return to_files(_without_secrets(content), change.key.component) if content else {}


def _without_secrets(content: Content) -> Content:
    rows = {
        row_id: msgspec.structs.replace(row, configuration=_hide(row.configuration))
        for row_id, row in content.rows.items()
    }
    return msgspec.structs.replace(content, configuration=_hide(content.configuration), rows=rows)


def _hide(value: Any, *, is_secret: bool = False) -> Any:
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return {name: _hide(each, is_secret=is_secret or name.startswith("#")) for name, each in members.items()}
    if isinstance(value, list):
        return [_hide(each, is_secret=is_secret) for each in cast(list[Any], value)]
    return "(not encrypted yet)" if is_secret and value and not str(value).startswith(CIPHER) else value
