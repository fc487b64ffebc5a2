"""Reads a configuration of keboola.scheduler."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Invalid
from penstock.services.scheduler.cron import read_timetable
from penstock.services.scheduler.errors import InvalidSchedule
from penstock.services.scheduler.models import Definition


def read_definition(configuration_id: str, document: dict[str, Any]) -> Definition:
    """Raises InvalidSchedule, whose message names the field."""
    try:
        definition = msgspec.convert({name: _regular(part) for name, part in document.items()}, Definition)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidSchedule(configuration_id, explain_error(error)) from error
    try:
        read_timetable(definition.schedule.cron_tab, definition.schedule.timezone)
    except Invalid as error:
        raise InvalidSchedule(configuration_id, error.message) from error
    return definition


def _regular(value: Any) -> Any:
    """Clients write ids as numbers too, and null for what is not set."""
    if isinstance(value, dict):
        return {key: _regular(each) for key, each in cast(dict[str, Any], value).items() if each is not None}
    if isinstance(value, list):
        return [_regular(each) for each in cast(list[Any], value)]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
