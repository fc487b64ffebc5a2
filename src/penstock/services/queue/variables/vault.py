"""Step 2: `{{ vault.name }}` becomes the value of that name in the vault.

Two braces only, and no other delimiters: whatever else the configuration holds is left to the variables of its own. A
secret is put in as the cipher that the vault keeps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from penstock.services.queue.variables.text import Filled, check_size, escape, to_document, to_text

_PLACEHOLDER = re.compile(r"(?<!{){{\s*(vault\.([a-zA-Z0-9_-]+))\s*}}")


def fill_document(document: dict[str, Any], read: Callable[[], Mapping[str, str]]) -> Filled:
    """The document with the values in it; they are read only if there is a placeholder, which stays if it has none."""
    text = to_text(document)
    if not _PLACEHOLDER.search(text):
        return Filled(document=document)
    values, size = read(), 0
    used: dict[str, str] = {}
    missing: dict[str, None] = {}

    def insert(placeholder: re.Match[str]) -> str:
        nonlocal size
        full, name = placeholder[1], placeholder[2]
        if name not in values:
            missing[full] = None
            return placeholder[0]
        used[full] = values[name]
        size += len(used[full])
        check_size(size)
        return escape(used[full])

    return Filled(document=to_document(_PLACEHOLDER.sub(insert, text)), used=used, missing=list(missing))
