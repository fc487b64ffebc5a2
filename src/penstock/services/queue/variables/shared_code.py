"""Step 1: lines of a script that are kept once, as rows of a `keboola.shared-code` configuration.

A line that names such a row as `{{ row-id }}` is replaced by the row's lines, as a whole: what else stands in it is
lost. Only lists of plain values have lines; a text by itself is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard, cast

from penstock.foundation.errors import Forbidden, Invalid, NotFound
from penstock.services.queue.variables.errors import SharedCodeInvalid, SharedCodeUnreadable

Read = Callable[[str, str], dict[str, Any]]
"""The document of a row, by the ids of its configuration and its own."""
Lines = list[Any]

_NAME = re.compile(r"\{\{([ a-zA-Z0-9_-]+)\}\}")


def insert_shared_code(document: dict[str, Any], read: Read) -> tuple[dict[str, Any], list[str]]:
    """The document with the shared lines in it, and the ids of the rows they came from."""
    config_id, row_ids = document.get("shared_code_id"), document.get("shared_code_row_ids")
    if not config_id or not row_ids:
        return document, []
    if not isinstance(row_ids, list):
        raise SharedCodeInvalid('"shared_code_row_ids" must be a list of ids.')
    ids = list(dict.fromkeys(map(str, cast(list[Any], row_ids))))
    code = {row_id: _read_lines(read, str(config_id), row_id) for row_id in ids}
    return {name: _insert(value, code) for name, value in document.items()}, ids


def _read_lines(read: Read, config_id: str, row_id: str) -> Lines:
    try:
        content = read(config_id, row_id).get("code_content")
    except (Invalid, NotFound, Forbidden) as error:
        raise SharedCodeUnreadable(error.message) from error
    if isinstance(content, str):
        return [content]
    if not _is_plain(content):
        raise SharedCodeInvalid(f'"code_content" of row "{row_id}" must be a text or a list of texts.')
    return content


def _insert(node: Any, code: Mapping[str, Lines]) -> Any:
    if isinstance(node, dict):
        return {name: _insert(value, code) for name, value in cast(dict[str, Any], node).items()}
    if _is_plain(node):
        return [line for item in node for line in _replace(item, code)]
    if isinstance(node, list):
        return [_insert(item, code) for item in cast(list[Any], node)]
    return node


def _replace(item: Any, code: Mapping[str, Lines]) -> Lines:
    named = {name.strip() for name in _NAME.findall(item)} if isinstance(item, str) else set[str]()
    if named.isdisjoint(code):
        return [item]
    return [line for row_id, lines in code.items() if row_id in named for line in lines]


def _is_plain(node: Any) -> TypeGuard[Lines]:
    """Whether it is a list of scalars; null is none."""
    if not isinstance(node, list):
        return False
    return all(isinstance(item, str | int | float | bool) for item in cast(list[Any], node))
