"""The action `perform_function`: what one function of a configuration gives."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from penstock.extractor.actions.asked import Asked
from penstock.extractor.actions.evaluation import contexts_of, evaluated
from penstock.extractor.actions.hiding import hide
from penstock.extractor.errors import UserError
from penstock.extractor.functions import Contexts, flat

KEY = "__FUNCTION_CFG"


async def run(asked: Asked) -> dict[str, Any]:
    """`{"result": …}`; a secret in it is hidden, because whoever may ask may not be who may read it."""
    if asked.parameters.get(KEY) is None:
        raise UserError(f"{KEY} is missing! Set `parameters.{KEY}` to a function, such as {{'function': 'time'}}.")
    result = evaluated(asked.parameters[KEY], _contexts(asked.config))
    return {"result": hide(result, asked.log.redactor)}


def _contexts(config: dict[str, Any]) -> Contexts:
    """The user's parameters, which may be functions themselves."""
    plain = {key: value for key, value in config.items() if key != "jobs"}
    contexts = contexts_of({"attr": flat(plain)})
    results = {key: result for key, value in plain.items() for result in _results(value, contexts)}
    return {**contexts, "attr": {**contexts["attr"], **results}}


def _results(value: Any, contexts: Contexts) -> list[Any]:
    """One, or none: a parameter that cannot be evaluated is like one that is missing, and matters only if asked for."""
    if not isinstance(value, dict) or "function" not in value:
        return []
    with suppress(UserError):
        return [evaluated(value, contexts)]
    return []
