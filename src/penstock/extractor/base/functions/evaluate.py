"""Evaluates a value of a configuration: replaces function calls and references inside it by their results."""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions.contexts import Contexts
from penstock.extractor.base.functions.library import FUNCTIONS, FUNCTIONS_OF_PLACEHOLDERS
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_list, to_text

PREFIX = "User script error: "


def evaluate(value: Any, contexts: Contexts) -> Any:
    """Evaluates an object with everything inside it; a scalar or a list is returned as it is."""
    if not isinstance(value, dict) or is_list(value):
        return cast(Any, value)
    try:
        return _as_text(_evaluated(value, contexts))
    except UserError as error:
        raise UserError(f"{PREFIX}{error}") from error
    except RecursionError as error:
        raise UserError(f"{PREFIX}The value is nested too deeply.") from error


def _evaluated(value: Any, contexts: Contexts) -> Any:
    if isinstance(value, list):
        return [_evaluated(item, contexts) for item in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    members = cast(dict[str, Any], value)
    if "function" in members:
        return _call(members, contexts)
    name = next(iter(members), "")
    if len(members) == 1 and name in contexts:
        return _look_up(name, members[name], contexts)
    return {key: _evaluated(member, contexts) for key, member in members.items()}


def _call(call: dict[str, Any], contexts: Contexts) -> Any:
    name = _name(call["function"])
    functions = FUNCTIONS_OF_PLACEHOLDERS if "placeholder" in contexts else FUNCTIONS
    if name not in functions:
        raise UserError(f"Illegal function '{name}'!")
    raw_arguments = call.get("args")
    if not isinstance(raw_arguments, (dict, list)) and raw_arguments is not None:
        raise UserError(f"The arguments of function '{name}' are not a list. Set `args` to a list of them.")
    arguments = [_evaluated(argument, contexts) for argument in as_map(cast(Any, raw_arguments)).values()]
    return functions[name].call(name, arguments)


def _look_up(name: str, key: Any, contexts: Contexts) -> Any:
    if isinstance(key, (dict, list)):
        raise UserError(f"Error evaluating user function - {name} '{json_text(cast(Any, key))}' is not a string!")
    value = contexts[name].get(to_text(key))
    if value is None:
        raise UserError(f"Error evaluating user function - {name} '{to_text(key)}' not found!")
    return value


def _name(function: Any) -> str:
    return json_text(cast(Any, function)) if isinstance(function, (dict, list)) else to_text(function)


def _as_text(value: Any) -> Any:
    """Returns the same value; raises UserError if it contains a raw hash, which is not text."""
    for member in as_map(value).values():
        _as_text(member)
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise UserError("The result is not text. Put it into `base64_encode`.") from error
    return value
