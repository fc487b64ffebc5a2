"""What other services may call in Storage.

access.py           tokens, projects and branches
configurations.py   components and configurations
tables.py           tables: what components and other services load and read
files.py            files
triggers.py         triggers, whose jobs the queue creates
jobs.py             events, and jobs of Storage
workspaces.py       workspaces, and their engines
management.py       what Management is given when a stack is built
"""

from __future__ import annotations

from penstock.foundation.blobs import Incoming
from penstock.services.storage.interface.access import (
    RunToken,
    authenticate,
    authenticate_writer,
    create_admin_token,
    create_project,
    create_run_token,
    ensure_member_token,
    get_branch_id,
    get_caller,
    get_writer,
    in_branch,
    refresh_token,
    remove_run_token,
    service_caller,
)
from penstock.services.storage.interface.configurations import (
    Configuration,
    Row,
    RowSnapshot,
    Snapshot,
    create_configuration,
    find_configuration_name,
    get_component,
    has_configuration,
    overlay,
    read_configuration,
    read_configuration_version,
    read_snapshot,
    save_state,
)
from penstock.services.storage.interface.encryption import FOR_ENCRYPTION
from penstock.services.storage.interface.files import (
    UPLOAD_DAYS,
    add_file_tags,
    check_file,
    get_file,
    list_files,
    open_file,
    receive_upload,
    reserve_files,
    show_file,
    store_file,
    store_upload,
)
from penstock.services.storage.interface.jobs import JobEnd, RunEvent, add_events, find_job_end, list_run_events
from penstock.services.storage.interface.management import FOR_MANAGEMENT
from penstock.services.storage.interface.tables import (
    StartedImport,
    check_load,
    export_table,
    find_bucket_metadata,
    get_table,
    import_upload,
    load_table,
)
from penstock.services.storage.interface.triggers import Trigger, find_trigger, is_trigger_loaded, record_trigger_run
from penstock.services.storage.interface.workspaces import (
    SqlWorkspace,
    create_workspace,
    empty_workspace,
    find_table_links,
    forget_workspace,
    get_sql_workspace,
    has_workspace,
    load_workspace,
    log_in_to_workspace,
    open_engine,
    prepare_engines,
    remove_workspace,
    reset_workspace_password,
    set_public_key,
    unload_workspace,
)
from penstock.services.storage.models.branches import BranchDeleted
from penstock.services.storage.models.configurations import ConfigurationDeleted, NewConfiguration
from penstock.services.storage.models.events import NewEvent
from penstock.services.storage.models.files import TAG_CHARACTERS, File, FileQuery, FileRow, FileSource
from penstock.services.storage.models.queries import ImportRequest, RowsQuery
from penstock.services.storage.models.tables import Table
from penstock.services.storage.models.tokens import SHARE_SEALED_FOR, TokenShared
from penstock.services.storage.models.triggers import TableLoaded, TriggerChanged
from penstock.services.storage.models.workspaces import WAREHOUSE
from penstock.services.storage.operations.files.uploads import NewUpload
from penstock.services.storage.operations.workspaces.secrets import new_key_pair
from penstock.services.storage.ports import Queue

__all__ = [
    "FOR_ENCRYPTION",
    "FOR_MANAGEMENT",
    "SHARE_SEALED_FOR",
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
    "Queue",
    "Row",
    "RowSnapshot",
    "RowsQuery",
    "RunEvent",
    "RunToken",
    "Snapshot",
    "SqlWorkspace",
    "StartedImport",
    "Table",
    "TableLoaded",
    "TokenShared",
    "Trigger",
    "TriggerChanged",
    "add_events",
    "add_file_tags",
    "authenticate",
    "authenticate_writer",
    "check_file",
    "check_load",
    "create_admin_token",
    "create_configuration",
    "create_project",
    "create_run_token",
    "create_workspace",
    "empty_workspace",
    "ensure_member_token",
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
    "get_writer",
    "has_configuration",
    "has_workspace",
    "import_upload",
    "in_branch",
    "is_trigger_loaded",
    "list_files",
    "list_run_events",
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
    "read_snapshot",
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
