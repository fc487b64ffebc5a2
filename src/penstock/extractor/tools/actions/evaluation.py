"""Evaluates functions like a run, and `string_to_date`, which exists only in actions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate, flat
from penstock.extractor.base.values import as_map, to_text
from penstock.foundation import clock
from penstock.foundation.strtotime import strtotime

STRING_TO_DATE = "string_to_date"
FORMAT = "%Y-%m-%d"
PREFIX = "User script error: "
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def build_contexts(attributes: Contexts, *, is_first_run: bool = False) -> Contexts:
    """Returns the contexts of a job's parameters. An action has no earlier run, so both times are now, but for an
    action that shows a first run."""
    now = int(clock.now().timestamp())
    return {**attributes, "time": flat({"previousStart": 0 if is_first_run else now, "currentStart": now})}


def evaluated(value: Any, contexts: Contexts) -> Any:
    return evaluate(_with_dates(value, contexts) if isinstance(value, dict) else value, contexts)


def _with_dates(value: Any, contexts: Contexts) -> Any:
    """Returns the value with a text in place of every `string_to_date`."""
    if isinstance(value, list):
        return [_with_dates(item, contexts) for item in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    members = {key: _with_dates(member, contexts) for key, member in cast(dict[str, Any], value).items()}
    if members.get("function") != STRING_TO_DATE:
        return members
    return _string_to_date([evaluate(argument, contexts) for argument in as_map(members.get("args")).values()])


def _string_to_date(arguments: list[Any]) -> str:
    if not 1 <= len(arguments) <= 2:
        raise UserError(
            f"{PREFIX}Bad argument count for function '{STRING_TO_DATE}'! It takes 1 to 2, not {len(arguments)}."
        )
    described, template = to_text(arguments[0]), to_text(arguments[1]) if len(arguments) == 2 else FORMAT
    moment = strtotime(described, int(clock.now().timestamp()))
    try:
        # Not fromtimestamp, which supports fewer years on some systems.
        return (_EPOCH + timedelta(seconds=cast(int, moment))).strftime(template)
    except (TypeError, OverflowError, ValueError):
        raise UserError(
            f"{PREFIX}Function '{STRING_TO_DATE}' cannot read its first argument as a date or a time."
        ) from None
