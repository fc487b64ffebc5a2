"""The action `perform_function`: evaluates one function of a configuration."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, flat
from penstock.extractor.tools.actions.action_request import ActionRequest, hide
from penstock.extractor.tools.actions.evaluation import build_contexts, evaluated

KEY = "__FUNCTION_CFG"


async def run(request: ActionRequest) -> dict[str, Any]:
    """Returns `{"result": …}`, redacted, because not every user who may perform actions may read secrets."""
    if request.parameters.get(KEY) is None:
        raise UserError(f"{KEY} is missing! Set `parameters.{KEY}` to a function, such as {{'function': 'time'}}.")
    result = evaluated(request.parameters[KEY], _contexts(request.config))
    return {"result": hide(result, request.log.redactor)}


def _contexts(config: dict[str, Any]) -> Contexts:
    """Returns the user's parameters, which may be functions themselves."""
    plain = {key: value for key, value in config.items() if key != "jobs"}
    contexts = build_contexts({"attr": flat(plain)})
    results = {key: result for key, value in plain.items() for result in _results(value, contexts)}
    return {**contexts, "attr": {**contexts["attr"], **results}}


def _results(value: Any, contexts: Contexts) -> list[Any]:
    """Returns one result, or none: a parameter that cannot be evaluated counts as missing, and matters only if it is
    used."""
    if not isinstance(value, dict) or "function" not in value:
        return []
    with suppress(UserError):
        return [evaluated(value, contexts)]
    return []
