"""The input and output mapping of the configuration that a workspace belongs to."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, cast

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.constraints import explain_error
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.workspaces import InvalidLoad
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.workspace_loads import LoadRequest, MappingInput, MappingRequest
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.configurations.configurations import get_configuration
from penstock.services.storage.operations.workspace_rows import get_sql_workspace
from penstock.services.storage.operations.workspaces.loads import check_load, plan_load

T = TypeVar("T")


def plan_mapping_load(
    tx: Transaction, caller: Caller, workspace_id: str, *, is_preserved: bool, only: str = ""
) -> list[JobRow]:
    """A job that loads the input mapping, or one table of it by its name in the workspace; none if there is nothing to
    do."""
    row = get_sql_workspace(tx, caller, workspace_id)
    inputs = [each for each in read_mapping(tx, row, "input", MappingInput) if only in ("", each.destination)]
    if not inputs:
        return [] if is_preserved or only else [plan_emptying(tx, caller, workspace_id)]
    if is_preserved:  # the tables themselves are loaded again
        inputs = [msgspec.structs.replace(each, overwrite=True) for each in inputs]
    wanted = MappingRequest(input=inputs, preserve=is_preserved).to_load()
    check_load(tx, caller, workspace_id, wanted)
    return [plan_load(tx, caller, workspace_id, wanted)]


def plan_emptying(tx: Transaction, caller: Caller, workspace_id: str) -> JobRow:
    """A job that drops all tables of the workspace: a load of nothing."""
    return plan_load(tx, caller, workspace_id, LoadRequest())


def read_mapping(tx: Transaction, row: WorkspaceRow, direction: Literal["input", "output"], item: type[T]) -> list[T]:
    """The tables of the mapping; none if the workspace has no configuration."""
    if not row.component or not row.configuration_id:
        return []
    key = ConfigurationKey(row.project_id, row.branch_id, row.component, row.configuration_id)
    found: Any = msgspec.json.decode(get_configuration(tx, key).configuration)
    for name in ("storage", direction, "tables"):
        found = cast(dict[str, Any], found).get(name) if isinstance(found, dict) else None
    try:
        return msgspec.convert(found or [], list[item], strict=False)
    except msgspec.ValidationError as error:
        raise InvalidLoad(
            f"`storage.{direction}.tables` of the configuration cannot be read. {explain_error(error)}"
        ) from error
