"""Where the secrets of a document are, and which texts are ciphers already."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from penstock.foundation.errors import Invalid
from penstock.foundation.redaction.values import secret_keys
from penstock.foundation.secrets.scopes import KINDS

NESTING = 200
"""The maximum depth of a document: all code that walks one later, here and in components, must be able to."""

_CIPHER = re.compile(rf"KBC::(({'|'.join(KINDS)})(KV|GKMS)?::|(Component|ComponentProject)?Encrypted==)")
_OURS = re.compile(rf"KBC::({'|'.join(KINDS)})::")
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")


class NestedTooDeep(Invalid):
    def __init__(self) -> None:
        super().__init__(f"The document is nested deeper than {NESTING} levels.")


def is_cipher(value: str) -> bool:
    """Whether it looks like a cipher, of any stack and scope."""
    return bool(_CIPHER.match(value))


def is_placeholder(value: str) -> bool:
    """Whether it is as a whole one `{{ placeholder }}`."""
    return bool(_PLACEHOLDER.fullmatch(value))


def kind_of(value: str) -> str | None:
    """The kind of a cipher that may be of this stack; None for any other text."""
    found = _OURS.match(value)
    return found[1] if found else None


def walk(node: Any, change: Callable[[Any, str], Any], path: str = "", secret: bool = False, depth: int = 0) -> Any:
    """The document with every secret scalar changed; `change` is given its value and path."""
    if depth > NESTING:
        raise NestedTooDeep
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        hidden = secret_keys(members)
        return {
            key: walk(value, change, f"{path}.{key}".lstrip("."), secret or key in hidden, depth + 1)
            for key, value in members.items()
        }
    if isinstance(node, list):
        items = cast(list[Any], node)
        return [walk(value, change, f"{path}.{index}", secret, depth + 1) for index, value in enumerate(items)]
    return change(node, path) if secret else node
