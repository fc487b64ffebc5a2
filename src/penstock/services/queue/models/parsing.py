"""The body of `POST /jobs` is parsed here, once: what clients write in several ways gets one form, such as
`"backend": "small"`, `"parallelism": "2"`, `"delay": "60"`. Nothing else reads it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from penstock.foundation import clock
from penstock.foundation.limits import VARIABLES
from penstock.foundation.strtotime import read_time
from penstock.services.queue.errors import InvalidJob, NotOneOf, TwoKindsOfValues
from penstock.services.queue.models.requests import EXECUTORS, MODES, ON_ERROR, SIZES, JobRequest, NewJob

INFINITY = "infinity"
MAX_LENGTH = 255
LATEST_DELAY = 10 * 365 * 24 * 3600
"""Seconds: longer is a mistake, and beyond what calendars hold."""


def parse_job(raw: NewJob, run_id: str | None = None) -> JobRequest:
    """`run_id` is that of the program that asks: the job is a part of it, unless it says otherwise."""
    if not raw.component:
        raise InvalidJob("component", "This field is missing: which component shall run?")
    values, values_id = read_values(raw.variable_values_data), read_name("variableValuesId", raw.variable_values_id)
    if values and values_id:
        raise TwoKindsOfValues
    return JobRequest(
        component=raw.component,
        config=read_name("config", raw.config),
        config_data=raw.config_data,
        config_row_ids=[] if raw.config_data is not None else read_row_ids(raw.config_row_ids),
        mode=_read_mode(raw.mode),
        tag=read_name("tag", raw.tag),
        branch_id=read_name("branchId", raw.branch_id),
        variable_values_id=values_id,
        variable_values=values,
        backend=read_backend("backend", raw.backend),
        executor=read_executor("executor", raw.executor),
        parallelism=read_parallelism("parallelism", raw.parallelism),
        on_error=read_on_error(raw.behavior),
        delayed_start_time=read_start(raw),
        orchestration_job_id=read_name("orchestrationJobId", raw.orchestration_job_id),
        orchestration_task_id=read_name("orchestrationTaskId", raw.orchestration_task_id),
        orchestration_phase_id=read_name("orchestrationPhaseId", raw.orchestration_phase_id),
        only_orchestration_task_ids=read_task_ids(raw.only_orchestration_task_ids),
        previous_job_id=read_name("previousJobId", raw.previous_job_id),
        parent_run_id=read_name("parentRunId", raw.parent_run_id or run_id),
        deduplication_id=read_name("deduplicationId", raw.deduplication_id),
    )


def read_name(field: str, value: object) -> str | None:
    """An id, or nothing: the empty text counts as none."""
    name = "" if value is None else str(value)
    if len(name) > MAX_LENGTH:
        raise InvalidJob(field, f"This has {len(name)} characters; at most {MAX_LENGTH} are taken.")
    if "\0" in name:
        raise InvalidJob(field, "This holds the character U+0000, which no id has.")
    if name.isspace():
        raise InvalidJob(field, "This holds only spaces. Leave it out, or name what it is meant for.")
    return name or None


def read_row_ids(values: Sequence[object] | None) -> list[str]:
    found = [read_name("configRowIds", row_id) for row_id in values or []]
    return [row_id for row_id in found if row_id]


def _read_mode(value: str) -> str:
    if value not in MODES:
        raise NotOneOf("mode", value, MODES)
    return value


def read_parallelism(field: str, value: object) -> str | None:
    """How many rows run side by side, as text: a number, or `infinity`."""
    text = "" if value is None else str(value).strip()
    if text in ("", INFINITY):
        return text or None
    if isinstance(value, bool | float) or not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise InvalidJob(field, f"{text[:100]!r} is not a number of rows; use 0, 1, 2, … or infinity.")
    return str(int(text))


def read_backend(field: str, raw: object) -> dict[str, str]:
    """Keys that are not known are passed over."""
    members: dict[str, Any] = {"type": raw} if isinstance(raw, str) else _members(field, raw)
    found = {name: members[name] for name in ("type", "containerType", "context") if members.get(name)}
    for name in found.keys() & {"type", "containerType"}:
        if found[name] not in SIZES:
            raise NotOneOf(f"{field}.{name}", found[name], SIZES)
    return {name: str(value)[:MAX_LENGTH] for name, value in found.items()}


def read_executor(field: str, value: object) -> str | None:
    if value in (None, ""):
        return None
    if value not in EXECUTORS:
        raise NotOneOf(field, value, EXECUTORS)
    return str(value)


def read_on_error(value: object) -> str | None:
    wanted = _members("behavior", value).get("onError")
    if wanted in (None, ""):
        return None
    if wanted not in ON_ERROR:
        raise NotOneOf("behavior.onError", wanted, ON_ERROR)
    return str(wanted)


def read_values(value: object) -> list[dict[str, str]]:
    """Names and values of variables; numbers become text."""
    values: object = _members("variableValuesData", value).get("values") or []
    if not isinstance(values, list):
        raise InvalidJob("variableValuesData.values", "This must be a list.")
    if len(cast(list[Any], values)) > VARIABLES:
        raise InvalidJob("variableValuesData.values", f"A job is given at most {VARIABLES:,} values.")
    items = enumerate(cast(list[Any], values))
    return [_read_value(f"variableValuesData.values[{number}]", item) for number, item in items]


def read_task_ids(values: Sequence[object] | None) -> list[str] | None:
    ids = [_scalar("onlyOrchestrationTaskIds", one) for one in values or []]
    if len(set(ids)) < len(ids):
        raise InvalidJob("onlyOrchestrationTaskIds", "A task is named twice.")
    return ids or None


def read_start(raw: NewJob) -> datetime | None:
    """When the job may begin, at the earliest; a delay of 0 is none."""
    delay, moment = raw.delay, raw.delayed_start_time
    if moment in (None, ""):
        return clock.now() + timedelta(seconds=seconds) if (seconds := _read_delay(delay)) else None
    if delay not in (None, ""):
        raise InvalidJob("delay", "Provide either delay or delayedStartTime, but not both.")
    found = read_time(str(moment))
    if not found:
        raise InvalidJob(
            "delayedStartTime", f"{str(moment)[:100]!r} is not a valid time, such as 2026-01-31T10:00:00+00:00."
        )
    return found


def _read_delay(value: object) -> int:
    text = "" if value is None else str(value).strip()
    if not text:
        return 0
    if isinstance(value, bool) or not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise InvalidJob("delay", f"{text[:100]!r} is not a number of seconds.")
    if int(text) > LATEST_DELAY:
        raise InvalidJob("delay", f"A job may be delayed by at most {LATEST_DELAY} seconds.")
    return int(text)


def _read_value(field: str, item: object) -> dict[str, str]:
    members = _members(field, item)
    name = members.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidJob(f"{field}.name", "A variable needs a name.")
    return {"name": name, "value": _scalar(f"{field}.value", members.get("value", ""))}


def _scalar(field: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        raise InvalidJob(field, "This must be a text or a number.")
    return str(value)


def _members(field: str, value: object) -> dict[str, Any]:
    """Return the members of an object; nothing, and the `[]` that some clients write for it, has none."""
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise InvalidJob(field, "This must be an object.")
    return cast(dict[str, Any], value)
