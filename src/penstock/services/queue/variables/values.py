"""Step 3, first half: which values the variables of a configuration have.

The variables are declared in a `keboola.variables` configuration; each of its rows is a set of values. A job may bring
values of its own, or name a row; otherwise the configuration names one. Sets are never mixed: the chosen one must have
a value for every variable that is declared, and what else it has may be used too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Forbidden, Invalid, NotFound
from penstock.foundation.secrets import Scope
from penstock.services.queue.variables.errors import (
    NameEmpty,
    NoValue,
    NoValues,
    ValuesInvalid,
    ValuesTwice,
    ValuesUnreadable,
    VariablesInvalid,
    VariablesUnreadable,
)

Scalar = str | int | float | bool
NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class JobValues(msgspec.Struct, frozen=True, kw_only=True):
    """What a job says of its values."""

    values_id: str | None = None
    values_data: dict[str, Any] = {}
    """`{"values": [{"name": …, "value": …}]}`; empty means that it says nothing."""


def values_scope(project_id: int, component_id: str) -> Scope:
    """Return the scope of the values that a job brings: those of `#` names are kept encrypted."""
    return Scope(project_id, component_id, purpose="variable values")


class Chosen(msgspec.Struct, frozen=True):
    values: dict[str, str]
    told: str = ""
    """What the log says of the choice."""


class _Declared(msgspec.Struct, frozen=True):
    name: NonEmpty
    type: Literal["string"]


class _Variables(msgspec.Struct, frozen=True):
    variables: list[_Declared]


class _Value(msgspec.Struct, frozen=True):
    name: Scalar
    value: Scalar | None


class _Values(msgspec.Struct, frozen=True):
    values: list[_Value]


class ReadVariables(msgspec.Struct, frozen=True):
    """Reads the document of a variables configuration, and that of one of its rows."""

    configuration: Callable[[str], Mapping[str, Any]]
    row: Callable[[str, str], Mapping[str, Any]]


def check_job_values(job_values: JobValues) -> None:
    if job_values.values_id and job_values.values_data.get("values"):
        raise ValuesTwice


def choose_values(document: Mapping[str, Any], job_values: JobValues, read: ReadVariables) -> Chosen:
    """The values for a configuration that has a `variables_id`."""
    variables_id = str(document["variables_id"])
    declared = _read_declared(read, variables_id)
    chosen = _choose(variables_id, document.get("variables_values_id"), job_values, read)
    for variable in declared:
        if variable.name not in chosen.values:
            raise NoValue(variable.name)
    return chosen


def _choose(variables_id: str, default_id: Any, job_values: JobValues, read: ReadVariables) -> Chosen:
    if job_values.values_data.get("values"):
        return Chosen(_to_values(job_values.values_data), "Replacing variables using inline values.")
    if job_values.values_id:
        told = f'Replacing variables using values with ID: "{job_values.values_id}".'
        return Chosen(_read_row(read, variables_id, job_values.values_id), told)
    if default_id:
        told = f'Replacing variables using default values with ID: "{default_id}"'
        return Chosen(_read_row(read, variables_id, str(default_id)), told)
    raise NoValues(variables_id)


def _read_declared(read: ReadVariables, variables_id: str) -> list[_Declared]:
    try:
        return msgspec.convert(read.configuration(variables_id), _Variables).variables
    except msgspec.ValidationError as error:
        raise VariablesInvalid(explain_error(error)) from error
    except (Invalid, NotFound, Forbidden) as error:
        raise VariablesUnreadable(error.message) from error


def _read_row(read: ReadVariables, variables_id: str, row_id: str) -> dict[str, str]:
    try:
        row = read.row(variables_id, row_id)
    except (Invalid, NotFound, Forbidden) as error:
        raise ValuesUnreadable(row_id, variables_id) from error
    values = _to_values(row)
    # What is kept has no empty values; a job's own may be empty.
    if empty := next((name for name, value in values.items() if not value), None):
        raise ValuesInvalid(f'The value of "{empty}" is empty.')
    return values


def _to_values(fields: Mapping[str, Any]) -> dict[str, str]:
    try:
        values = msgspec.convert(fields, _Values).values
    except msgspec.ValidationError as error:
        raise ValuesInvalid(explain_error(error)) from error
    if any(each.name == "" for each in values):
        raise NameEmpty
    return {_to_text(each.name): _to_text(each.value) for each in values}


def _to_text(value: Scalar | None) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    is_whole = isinstance(value, float) and value.is_integer()
    return msgspec.json.encode(int(value) if is_whole else value).decode()
