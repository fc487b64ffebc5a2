"""One configuration as the texts of its files, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, cast
from urllib.parse import quote, unquote

import msgspec

from penstock.client.config_files.content import Content, RowContent
from penstock.client.config_files.scripts import put_scripts, take_scripts
from penstock.foundation.errors import Invalid

META, CONFIG, ROWS = "meta.json", "config.json", "rows"


def to_name(an_id: str) -> str:
    """The name of a folder; `/` and a leading dot cannot be in it."""
    name = quote(an_id, safe=" ")
    return f"%2E{name[1:]}" if name.startswith(".") else name


def to_id(name: str) -> str:
    return unquote(name)


def to_files(content: Content, component: str) -> dict[str, str]:
    """Return the files by their path inside the folder of the configuration."""
    files = _part_files(content, component, "", {"rowsSortOrder": content.rows_sort_order})
    for row_id, row in content.rows.items():
        files |= _part_files(row, component, f"{ROWS}/{to_name(row_id)}/", {})
    return files


def to_content(files: Mapping[str, str], component: str, folder: Path) -> Content:
    """`folder` is for messages, and for the name of a configuration that has none."""
    names = sorted({PurePosixPath(path).parts[1] for path in files if path.startswith(f"{ROWS}/")}, key=to_id)
    rows = {to_id(name): RowContent(*_read_part(files, component, folder, f"{ROWS}/{name}/")) for name in names}
    order: list[str] = _read_json(files, META, folder, {}).get("rowsSortOrder") or []
    whole = [row_id for row_id in order if row_id in rows] + [row_id for row_id in rows if row_id not in order]
    return Content(*_read_part(files, component, folder, ""), rows, whole if order else [])


def _part_files(part: Content | RowContent, component: str, prefix: str, more: dict[str, Any]) -> dict[str, str]:
    document, scripts = take_scripts(part.configuration, component)
    meta = {"name": part.name, "description": part.description, "isDisabled": part.is_disabled}
    meta |= {name: value for name, value in more.items() if value}
    files = {META: _json(meta), CONFIG: _json(document), **scripts}
    return {f"{prefix}{path}": text for path, text in files.items()}


def _read_part(files: Mapping[str, str], component: str, folder: Path, prefix: str) -> tuple[str, str, bool, Any]:
    meta = _read_json(files, f"{prefix}{META}", folder, {})
    document = _read_json(files, f"{prefix}{CONFIG}", folder, {})
    full = put_scripts(document, component, _reader(files, prefix, folder))
    name = meta.get("name") or to_id((PurePosixPath(folder.name) / prefix).name)
    return str(name), str(meta.get("description", "")), bool(meta.get("isDisabled", False)), full


def _reader(files: Mapping[str, str], prefix: str, folder: Path) -> Callable[[str], str]:
    """Reads scripts from the folder of the configuration, and from nowhere else."""

    def read(path: str) -> str:
        if f"{prefix}{path}" not in files:
            raise Invalid(f"{folder / prefix / CONFIG} names the script {path}, which is not in its folder.")
        return files[f"{prefix}{path}"]

    return read


def _read_json(files: Mapping[str, str], path: str, folder: Path, default: dict[str, Any]) -> dict[str, Any]:
    if path not in files:
        return default
    try:
        value = json.loads(files[path])
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise Invalid(f"{folder / path} is not valid JSON: {error.msg}, {position}.") from error
    if not isinstance(value, dict):
        raise Invalid(f"{folder / path} does not hold an object.")
    return cast(dict[str, Any], value)


def _json(value: Any) -> str:
    """Ten times as fast as the standard library, which indents in Python."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
