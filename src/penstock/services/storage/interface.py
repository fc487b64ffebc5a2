"""What other services may call in Storage."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from penstock.components.component import Component
from penstock.contracts.files import OutputFile
from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.blobs import BlobFolder, Incoming
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.branches import BranchDeleted
from penstock.services.storage.models.configuration_rows import StoredRow, in_order
from penstock.services.storage.models.configurations import ConfigurationDeleted, ConfigurationKey, NewConfiguration
from penstock.services.storage.models.events import NewEvent
from penstock.services.storage.models.files import TAG_CHARACTERS, File, FileQuery, FileRow, FileSource, file_view
from penstock.services.storage.models.jobs import ENDED, JobRow
from penstock.services.storage.models.metadata import MetadataRow
from penstock.services.storage.models.queries import ImportRequest, RowsQuery
from penstock.services.storage.models.tables import Table
from penstock.services.storage.models.triggers import TableLoaded, TriggerChanged
from penstock.services.storage.models.workspaces import WAREHOUSE, NewWorkspace, WorkspaceRow
from penstock.services.storage.operations import (
    branches,
    events,
    jobs,
    projects,
    tokens,
    triggers,
    workspace_engines,
    workspace_rows,
)
from penstock.services.storage.operations.configurations import components, configurations, documents, versions
from penstock.services.storage.operations.files import component_files, files, uploads
from penstock.services.storage.operations.files.rows import upload_name
from penstock.services.storage.operations.files.signatures import Signer
from penstock.services.storage.operations.files.uploads import NewUpload
from penstock.services.storage.operations.tables import component_exports, component_loads, imports, links
from penstock.services.storage.operations.tables.views import Viewer
from penstock.services.storage.operations.workspaces import credentials, logins, mappings, unloads, workspaces
from penstock.services.storage.operations.workspaces.secrets import new_key_pair
from penstock.sql import Engine, Names, TableLink, Workspace

__all__ = [
    "TAG_CHARACTERS",
    "UPLOAD_DAYS",
    "WAREHOUSE",
    "BranchDeleted",
    "Configuration",
    "ConfigurationDeleted",
    "File",
    "FileQuery",
    "FileRow",
    "FileSource",
    "ImportRequest",
    "Incoming",
    "JobEnd",
    "NewConfiguration",
    "NewEvent",
    "NewUpload",
    "Row",
    "RowsQuery",
    "RunToken",
    "SqlWorkspace",
    "StartedImport",
    "Table",
    "TableLoaded",
    "Trigger",
    "TriggerChanged",
    "add_events",
    "add_file_tags",
    "authenticate",
    "check_file",
    "check_load",
    "create_admin_token",
    "create_configuration",
    "create_project",
    "create_run_token",
    "create_workspace",
    "empty_workspace",
    "export_table",
    "find_bucket_metadata",
    "find_configuration_name",
    "find_job_end",
    "find_table_links",
    "find_trigger",
    "forget_workspace",
    "get_branch_id",
    "get_caller",
    "get_component",
    "get_file",
    "get_sql_workspace",
    "get_table",
    "has_configuration",
    "has_workspace",
    "import_upload",
    "in_branch",
    "is_trigger_loaded",
    "list_files",
    "load_table",
    "load_workspace",
    "log_in_to_workspace",
    "new_key_pair",
    "open_engine",
    "open_file",
    "overlay",
    "prepare_engines",
    "read_configuration",
    "read_configuration_version",
    "receive_upload",
    "record_trigger_run",
    "refresh_token",
    "remove_run_token",
    "remove_workspace",
    "reserve_files",
    "reset_workspace_password",
    "save_state",
    "service_caller",
    "set_public_key",
    "show_file",
    "store_file",
    "store_upload",
    "unload_workspace",
]

T = TypeVar("T")

UPLOAD_DAYS = files.MAX_AGE_DAYS
"""How long an uploaded file is kept that is not permanent."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration row, which can be run on its own."""

    id: str
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as a job needs it; secrets in its documents are still encrypted."""

    id: str
    version: int
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]
    rows: list[Row] = []
    """In their order."""


class RunToken(msgspec.Struct, frozen=True):
    id: int
    text: str


class SqlWorkspace(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace, as those who run SQL in it need it."""

    id: int
    branch_id: int
    schema: str
    database: str
    user: str
    is_read_only: bool
    """Whether SQL changes nothing in it."""
    reads_storage: bool
    """Whether SQL in it reads tables of the project."""
    statement_seconds: int | None
    """How long a statement may take, if that is less than the stack allows."""
    creator_id: int
    """The token that created it."""
    engine: Workspace


class StartedImport(msgspec.Struct, frozen=True):
    """A load of a table, done by a job of Storage."""

    job: JobRow

    def has_ended(self, stack: Stack) -> bool:
        return jobs.find_status(stack, self.job) in ENDED

    def find_results(self, stack: Stack, into: type[T]) -> T | None:
        """The results of the job, decoded as this type; None while it runs. Raises the error of one that failed."""
        ended = jobs.find_ended(stack, self.job)
        return jobs.read_results(ended, into) if ended else None


class JobEnd(msgspec.Struct, frozen=True):
    """How a job of Storage ended: without an error, or with this message."""

    error: str | None


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration to be run when tables have new rows."""

    id: int
    component: str
    configuration_id: str
    token_id: int
    """Whose rights its jobs have."""
    branch_id: int
    ready: datetime | None
    """When it may run again, after its cool-down; None if it has not run yet."""


def authenticate(stack: Stack, token: str) -> Caller:
    return tokens.authenticate(stack, token)


def get_caller(tx: Transaction, project_id: int, token_id: int) -> Caller:
    """The caller that a token identifies; raises if it was revoked or has expired."""
    return tokens.get_caller(tx, project_id, token_id)


def service_caller(project_id: int, main_branch_id: int, token_id: int, description: str) -> Caller:
    """A service that acts by itself in the default branch, as events name it. It has no permissions."""
    return Caller(
        project_id=project_id,
        branch_id=main_branch_id,
        main_branch_id=main_branch_id,
        token_id=token_id,
        description=description,
    )


def create_run_token(tx: Transaction, caller: Caller, description: str, seconds: int | None) -> RunToken:
    """A token for what runs on behalf of the caller; it expires after `seconds` at the latest, or with the caller's."""
    issued = tokens.create_run_token(tx, caller, description, seconds)
    return RunToken(issued.row.id, issued.text)


def remove_run_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    tokens.remove_run_token(tx, caller, token_id)


def refresh_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    """Replace its secret by one that nobody knows; raises if the token is gone or may do more than the caller."""
    tokens.refresh_token(tx, caller, str(token_id))


def create_project(tx: Transaction, name: str, admin: str) -> tuple[str, Caller]:
    """Create a project; returns the text of its administrator's token, and the caller it identifies."""
    token, caller = projects.create_project(tx, name, admin)
    return token.text, caller


def create_admin_token(tx: Transaction, project_id: int, admin: str) -> str:
    return tokens.create_master_token(tx, project_id, admin).text


def create_configuration(
    tx: Transaction, stack: Stack, caller: Caller, component_id: str, wanted: NewConfiguration
) -> None:
    configurations.create_configuration(tx, caller, stack.cipher, component_id, wanted)


def get_component(tx: Transaction, caller: Caller, component_id: str) -> Component:
    return components.get_component(tx, caller, component_id)


def get_branch_id(tx: Transaction, caller: Caller, given: str) -> int:
    """A branch of the caller's project by its number or by the word `default`; raises if it does not exist."""
    return branches.get_branch(tx, caller, given).id


def in_branch(tx: Transaction, caller: Caller, given: str) -> Caller:
    """The caller in that branch of its project, as get_branch_id() finds it; without one, in Main."""
    return msgspec.structs.replace(caller, branch_id=get_branch_id(tx, caller, given or "default"))


def read_configuration(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> Configuration:
    key = components.key_of(tx, caller, component_id, config_id)
    found = configurations.with_rows(tx, configurations.get_configuration(tx, key))
    row = found.configuration
    return Configuration(
        id=row.id,
        version=row.version,
        is_disabled=row.is_disabled,
        document=msgspec.json.decode(row.configuration),
        state=msgspec.json.decode(row.state),
        rows=[_read_row(each) for each in in_order(found.rows, row.rows_sort_order)],
    )


def find_configuration_name(
    tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str
) -> str | None:
    """None if there is no such configuration, or not any more."""
    return configurations.find_name(tx, ConfigurationKey(project_id, branch_id, component_id, config_id))


def read_configuration_version(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, version: str
) -> dict[str, Any]:
    """The document of a version, without rows; raises if there is no such configuration or version."""
    key = components.key_of(tx, caller, component_id, config_id)
    return msgspec.json.decode(versions.get_version(tx, key, version).configuration)


def has_configuration(tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str) -> bool:
    return configurations.has_configuration(tx, ConfigurationKey(project_id, branch_id, component_id, config_id))


def _read_row(row: StoredRow) -> Row:
    return Row(
        id=row.id,
        is_disabled=row.is_disabled,
        document=msgspec.json.decode(row.configuration),
        state=msgspec.json.decode(row.state),
    )


def overlay(configuration: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """The document to run for one row of a configuration."""
    return documents.overlay(configuration, row)


def save_state(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, row_id: str | None, state: dict[str, Any]
) -> None:
    """Merge the state for the next run into the stored one, member by member. Secrets in it are already encrypted."""
    configurations.save_state(tx, caller, component_id, config_id, row_id, state)


def check_load(stack: Stack, caller: Caller, load: TableLoad) -> None:
    """Raise the errors of a load that can be found before it starts."""
    component_loads.plan_load(stack, caller, load)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> StoredTable:
    return component_loads.load_table(stack, caller, load)


def get_table(stack: Stack, caller: Caller, table_id: str, storage_url: str) -> tuple[Table, datetime | None]:
    """A table with its full detail and the time of its last import; raises if it does not exist or the caller may not
    read it."""
    return component_exports.get_table(stack, caller, table_id, storage_url)


def find_bucket_metadata(stack: Stack, caller: Caller, bucket_id: str) -> list[MetadataRow] | None:
    """None if the bucket does not exist or the caller may not read it."""
    return component_exports.find_bucket_metadata(stack, caller, bucket_id)


def export_table(stack: Stack, caller: Caller, table_id: str, asked: RowsQuery, target: Path) -> int:
    """Write rows as one CSV file with a header; returns its size."""
    return component_exports.export_table(stack, caller, table_id, asked, target)


def list_files(tx: Transaction, caller: Caller, query: FileQuery) -> list[FileRow]:
    """Newest first."""
    return files.list_files(tx, caller, query)


def get_file(tx: Transaction, caller: Caller, file_id: str) -> FileRow:
    return files.get_file(tx, caller, file_id)


def open_file(stack: Stack, row: FileRow) -> FileSource:
    """The paths of the file's bytes. Callers must not modify them."""
    return files.open_source(stack, row)


def add_file_tags(tx: Transaction, caller: Caller, file_id: str, tags: Sequence[str]) -> None:
    for tag in tags:
        files.add_tag(tx, caller, file_id, tag)


def reserve_files(stack: Stack, caller: Caller, count: int) -> list[int]:
    """Reserve ids for files to be stored, so that storing them can be retried."""
    return component_files.reserve_ids(stack, caller, count)


def check_file(file: OutputFile) -> None:
    """Raise the errors of a file that can be found before it is stored."""
    component_files.check_tags(file.tags)


def store_file(stack: Stack, caller: Caller, file_id: int, file: OutputFile, storage_url: str) -> FileRow:
    return component_files.store_file(stack, caller, file_id, file, storage_url)


def receive_upload(stack: Stack) -> Incoming:
    """Where the bytes of an upload are written, until they become a file or are discarded."""
    return BlobFolder(stack.files_folder).receive()


def store_upload(stack: Stack, caller: Caller, incoming: Incoming, wanted: NewUpload) -> FileRow:
    """A file with the received bytes, under a name as clients expect it. Without `max_age_days` it is permanent."""
    named = msgspec.structs.replace(wanted, name=upload_name(wanted.name))
    return uploads.store_upload(stack, caller, incoming, named)


def show_file(tx: Transaction, stack: Stack, caller: Caller, row: FileRow, storage_url: str) -> File:
    """A file as Storage shows it, with an address to download it."""
    return file_view(row, Signer(tx, stack, caller).sign_url(row, storage_url))


def import_upload(
    stack: Stack, caller: Caller, table_id: str, incoming: Incoming, wanted: ImportRequest
) -> StartedImport:
    """Start to load received rows into a table; raises before anything is stored if the caller may not, or if the
    options are not valid."""
    return StartedImport(imports.import_upload(stack, caller, table_id, incoming, wanted))


def find_trigger(tx: Transaction, project_id: int, trigger_id: int) -> Trigger | None:
    row = triggers.find_trigger(tx, project_id, trigger_id)
    if not row:
        return None
    branch_id = branches.get_main_id(tx, project_id)
    return Trigger(
        id=row.id,
        component=row.component,
        configuration_id=row.configuration_id,
        token_id=row.run_with_token_id,
        branch_id=branch_id,
        ready=row.last_run + timedelta(minutes=row.cool_down_minutes) if row.last_run else None,
    )


def is_trigger_loaded(tx: Transaction, project_id: int, trigger_id: int) -> bool:
    """Whether all of its tables have new rows since its last run."""
    row = triggers.find_trigger(tx, project_id, trigger_id)
    return row is not None and triggers.is_loaded(tx, row, branches.get_main_id(tx, project_id))


def record_trigger_run(tx: Transaction, project_id: int, trigger_id: int, time: datetime) -> None:
    """Its cool-down begins at that time, and only later loads of its tables count."""
    triggers.record_run(tx, project_id, trigger_id, time)


def add_events(tx: Transaction, caller: Caller, happened: Sequence[NewEvent]) -> None:
    events.add_events(tx, caller, happened)


def get_sql_workspace(tx: Transaction, caller: Caller, workspace_id: str) -> SqlWorkspace:
    """A workspace of the caller's branch; raises if it does not exist or the caller may not use it."""
    return _to_sql_workspace(workspace_rows.get_workspace(tx, caller, workspace_id))


def log_in_to_workspace(tx: Transaction, user: str, password: str) -> tuple[Caller, SqlWorkspace]:
    """A workspace by its credentials, and the token that created it, in the branch of the workspace."""
    caller, row = logins.log_in(tx, user, password)
    return caller, _to_sql_workspace(row)


def has_workspace(tx: Transaction, project_id: int, workspace_id: int) -> bool:
    return workspace_rows.has_workspace(tx, project_id, workspace_id)


def create_workspace(
    tx: Transaction,
    caller: Caller,
    *,
    component_id: str | None = None,
    config_id: str | None = None,
    login_type: str = "",
) -> SqlWorkspace:
    """A workspace in the caller's branch, free or of a configuration. It is ready at once."""
    key = workspaces.get_key(tx, caller, component_id, config_id) if component_id and config_id else None
    wanted = NewWorkspace(login_type=login_type)
    return _to_sql_workspace(workspaces.create_workspace(tx, caller, wanted, key).row)


def forget_workspace(tx: Transaction, caller: Caller, workspace_id: int) -> SqlWorkspace:
    """Remove the record of a workspace. Call remove_workspace() when that is committed."""
    row = workspace_rows.get_workspace(tx, caller, workspace_id)
    workspace_rows.forget_workspace(tx, caller, row)
    return _to_sql_workspace(row)


def remove_workspace(stack: Stack, workspace: SqlWorkspace) -> None:
    """Stop its engine, and remove everything in it."""
    workspace_engines.engines_of(stack).remove(workspace.engine)


def set_public_key(tx: Transaction, caller: Caller, workspace_id: int, public_key: str) -> None:
    credentials.set_public_key(tx, caller, str(workspace_id), public_key)


def reset_workspace_password(tx: Transaction, caller: Caller, workspace_id: int) -> tuple[str, str]:
    """The user of the workspace, and its new password."""
    user = workspace_rows.get_workspace(tx, caller, workspace_id).user
    return user, credentials.reset_password(tx, caller, str(workspace_id))


def open_engine(stack: Stack, workspace: SqlWorkspace) -> Engine:
    """A connection to the engine of the workspace, which is started if it is not running. Close it after use."""
    return workspace_engines.engines_of(stack).open(workspace.engine)


def prepare_engines(stack: Stack) -> None:
    """What is added to `stack.closers` after this is closed before the engines are."""
    workspace_engines.engines_of(stack)


def find_table_links(stack: Stack, caller: Caller, workspace: SqlWorkspace, names: Names) -> list[TableLink]:
    """The tables of the project that a statement of the caller may read in the workspace."""
    return links.find_tables(stack, caller, workspace.creator_id, names) if workspace.reads_storage else []


def find_job_end(tx: Transaction, project_id: int, job_id: int) -> JobEnd | None:
    """How a job of Storage ended; None while it has not. Jobs are kept for 90 days."""
    row = jobs.find_job(tx, project_id, job_id)
    if not row:
        return JobEnd(f"How job {job_id} ended is not recorded any more.")
    return JobEnd(jobs.read_error(row)) if row.is_finished else None


def load_workspace(
    tx: Transaction, caller: Caller, workspace_id: int, *, is_preserved: bool, only: str = ""
) -> list[int]:
    """Start to load the input mapping of the workspace's configuration; returns the ids of the jobs. Without
    `is_preserved` the workspace is emptied first. `only` is the name of one table in the workspace."""
    planned = mappings.plan_mapping_load(tx, caller, str(workspace_id), is_preserved=is_preserved, only=only)
    return [job.id for job in planned]


def empty_workspace(tx: Transaction, caller: Caller, workspace_id: int) -> int:
    """Start to drop all tables of the workspace; returns the id of the job."""
    return mappings.plan_emptying(tx, caller, str(workspace_id)).id


def unload_workspace(
    tx: Transaction, stack: Stack, caller: Caller, workspace_id: int, storage_url: str, *, only: str = ""
) -> list[int]:
    """Start to load tables of the workspace into Storage, by the output mapping; returns the ids of the jobs."""
    return [job.id for job in unloads.plan_unload(tx, stack, Viewer(caller, storage_url), str(workspace_id), only)]


def _to_sql_workspace(row: WorkspaceRow) -> SqlWorkspace:
    return SqlWorkspace(
        id=row.id,
        branch_id=row.branch_id,
        schema=row.schema,
        database=row.database,
        user=row.user,
        is_read_only=row.is_read_only,
        reads_storage=row.read_only_storage_access,
        statement_seconds=row.statement_timeout_seconds or None,
        creator_id=row.creator_id,
        engine=workspace_engines.to_sql(row),
    )
