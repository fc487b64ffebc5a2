"""The end of a component's process as a result, or as an error for its user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from penstock.foundation.logging import Log
from penstock.runtime.exit_status import Facts, Fault, judge
from penstock.runtime.launch import ProcessExit
from penstock.services.sync_actions.errors import ActionBroken, ActionFailed, ResultNotJson, ResultTooLarge

log = Log("sync-actions")

RESULT_BYTES = 16 << 20

Clean = Callable[[str], str]
"""Removes secrets, and paths of this machine."""


def read_result(ended: ProcessExit, facts: Facts, clean: Clean) -> bytes:
    """The JSON that the component wrote on standard output, byte for byte unless there is a secret in it."""
    said = clean(ended.content.decode("utf-8", "replace"))
    verdict = judge(msgspec.structs.replace(ended, output=said), facts)
    if verdict.fault is Fault.USER:
        raise ActionFailed(clean(verdict.message))
    if verdict.fault is Fault.APPLICATION:
        log.error("action broken", component=facts.name, said=clean(verdict.internal))
        raise ActionBroken(clean(verdict.message))
    if ended.is_cut:
        raise ResultTooLarge(RESULT_BYTES)
    return _read_json(ended.content, facts.name, clean)


def _read_json(content: bytes, component: str, clean: Clean) -> bytes:
    try:
        document: Any = msgspec.json.decode(content)
        text = content.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        log.error("result of an action is not JSON", component=component, reason=str(error))
        raise ResultNotJson(component) from error
    # In the text, so that nothing is written anew: usually there is nothing to remove.
    return content.strip() if clean(text) == text else msgspec.json.encode(_without_secrets(document, clean))


def _without_secrets(node: Any, clean: Clean) -> Any:
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        return {clean(key): _without_secrets(value, clean) for key, value in members.items()}
    if isinstance(node, list):
        return [_without_secrets(value, clean) for value in cast(list[Any], node)]
    if isinstance(node, bool) or node is None:
        return node
    cleaned = clean(str(node))
    return node if cleaned == str(node) else cleaned
