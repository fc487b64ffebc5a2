"""Which hosts the secrets of a configuration were entered for, when its placeholders have become values.

A secret is sealed for the hosts that its configuration names, as it is stored. Where such a name holds a placeholder,
or the whole address is one, the user who entered the secret left the host to the variables, and the stored name is what
opens it. Everywhere else a value must not lead the secret to another host: it opens only if the hosts are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Document = dict[str, Any]


def find_meant_hosts(hosts_of: Callable[[Document], str], stored: Document, resolved: Document) -> str:
    """The hosts of the scope in which the secrets of a resolved document are opened."""
    named = hosts_of(stored)
    # An address that is all placeholder names no host yet, so there is an empty one among them.
    is_open = "{{" in named or "" in named.split(" ")
    return named if is_open else hosts_of(resolved)
