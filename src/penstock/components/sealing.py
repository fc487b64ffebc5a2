"""Encryption of the secrets in a configuration: those of its component, and those of each processor separately.

A component's secrets are bound to the hosts in its configuration and to its processors: with another list of processors
they cannot be decrypted. A secret in the parameters of a processor can be decrypted for that processor's component
only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from penstock.components.processors import KEY, WAYS, Processor, describe_processors, list_processors
from penstock.foundation.secrets import NO_BINDINGS, Bindings, Cipher, Scope

STATE = "state"
"""The purpose of secrets in the state of a component."""

Document = dict[str, Any]
Change = Callable[[Any, Scope, str], Any]
"""Encrypts or decrypts a part of a document, given its scope and path."""


def get_scope(
    project_id: int, component_id: str, hosts: str, document: Document, *, config_id: str = "", branch_type: str = ""
) -> Scope:
    """Returns the scope of the component's own secrets in a document, of a configuration in a kind of branch."""
    processors = describe_processors(document)
    return Scope(project_id, component_id, hosts, processors, config_id=config_id, branch_type=branch_type)


def seal_state(cipher: Cipher, state: Document, scope: Scope, bindings: Bindings = NO_BINDINGS) -> Document:
    """Returns the state of a component with its secrets encrypted. They are bound to being state, so that they cannot
    be moved into a configuration, where they would be sent to its hosts."""
    return cipher.encrypt(state, _of_state(scope), bindings)


def open_state(cipher: Cipher, state: Document, scope: Scope, bindings: Bindings = NO_BINDINGS) -> Document:
    """Returns the state with its secrets decrypted, also if it is from before they were bound to being state."""
    return cipher.decrypt(state, _of_state(scope), earlier=scope, bindings=bindings)


def seal_secrets(cipher: Cipher, document: Document, scope: Scope, bindings: Bindings = NO_BINDINGS) -> Document:
    """Returns the document with its secrets encrypted; `scope` is that of the component's own. They may move to hosts
    that the project trusts."""
    return _change(document, scope, lambda part, of, _path: cipher.encrypt(part, of, bindings))


def open_secrets(cipher: Cipher, document: Document, scope: Scope, bindings: Bindings = NO_BINDINGS) -> Document:
    """Returns the document with its secrets decrypted; raises for one that was encrypted for another scope."""
    return _change(document, scope, lambda part, of, path: cipher.decrypt(part, of, path, bindings=bindings))


def _of_state(scope: Scope) -> Scope:
    return msgspec.structs.replace(scope, purpose=STATE)


def _change(document: Document, scope: Scope, change: Change) -> Document:
    processors = list_processors(document)
    if not processors:
        return change(document, scope, "")
    changed = change({**document, KEY: _without(document[KEY], processors)}, scope, "")
    for processor in processors:
        own = msgspec.structs.replace(scope, component_id=processor.component_id, hosts="", processors="")
        changed[KEY][processor.way][processor.number] = change(processor.item, own, processor.path)
    return changed


def _without(section: Document, processors: list[Processor]) -> Document:
    """Replaces them by empty objects."""
    gone = {(processor.way, processor.number) for processor in processors}
    lists = {way: cast(list[Any], section[way]) for way in WAYS if isinstance(section.get(way), list)}
    emptied: Document = {
        way: [Document() if (way, number) in gone else item for number, item in enumerate(items)]
        for way, items in lists.items()
    }
    return {**section, **emptied}
