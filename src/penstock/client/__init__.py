"""The Python client of a stack: finds its services, runs jobs, reads their results. The commands use it too.

    from penstock.client import connect

    with connect("http://127.0.0.1:8300/_svc/storage", token) as stack:
        job = stack.run_job("ex-generic-v2", "sample-customers")
        job = stack.wait(job, on_event=lambda event: print(event.message))
        print(job.status, [table.id for table in job.tables])

Every error is a ClientError.
"""

from __future__ import annotations

from penstock.client.apps import App, PackedComponent
from penstock.client.client import Client, connect
from penstock.client.errors import (
    AccessDenied,
    ClientError,
    NotAStack,
    NotThere,
    RequestRefused,
    ServiceMissing,
    StackUnreachable,
    TokenRefused,
)
from penstock.client.files import File
from penstock.client.frames import TableData
from penstock.client.libraries import LibraryMissing
from penstock.client.models import (
    Api,
    Apis,
    Configuration,
    ConfigurationRow,
    Event,
    Job,
    JobWish,
    NewToken,
    OutputTable,
    Preview,
    Schedule,
    StorageJob,
    Table,
    Task,
    Token,
)
from penstock.client.project import Project
from penstock.client.sql import QueryFailed, SqlResult
from penstock.client.storage_jobs import StorageJobFailed

__all__ = [
    "AccessDenied",
    "Api",
    "Apis",
    "App",
    "Client",
    "ClientError",
    "Configuration",
    "ConfigurationRow",
    "Event",
    "File",
    "Job",
    "JobWish",
    "LibraryMissing",
    "NewToken",
    "NotAStack",
    "NotThere",
    "OutputTable",
    "PackedComponent",
    "Preview",
    "Project",
    "QueryFailed",
    "RequestRefused",
    "Schedule",
    "ServiceMissing",
    "SqlResult",
    "StackUnreachable",
    "StorageJob",
    "StorageJobFailed",
    "Table",
    "TableData",
    "Task",
    "Token",
    "TokenRefused",
    "connect",
]
