"""Responses of a stack, as far as the client reads them; unknown fields are ignored."""

from __future__ import annotations

from penstock.client.models.configurations import Component, Configuration, ConfigurationRow, NewRow, Version
from penstock.client.models.jobs import (
    Event,
    Job,
    JobWish,
    OutputTable,
    Result,
    StorageJob,
    StorageJobError,
    Tables,
    Task,
)
from penstock.client.models.schedules import (
    Execution,
    NewSchedule,
    Schedule,
    ScheduleError,
    ScheduleTarget,
    ScheduleTimes,
)
from penstock.client.models.services import Api, Apis, Index, Service
from penstock.client.models.tables import Cell, Column, ColumnType, Definition, Preview, Table
from penstock.client.models.tokens import Admin, NewToken, Token

__all__ = [
    "Admin",
    "Api",
    "Apis",
    "Cell",
    "Column",
    "ColumnType",
    "Component",
    "Configuration",
    "ConfigurationRow",
    "Definition",
    "Event",
    "Execution",
    "Index",
    "Job",
    "JobWish",
    "NewRow",
    "NewSchedule",
    "NewToken",
    "OutputTable",
    "Preview",
    "Result",
    "Schedule",
    "ScheduleError",
    "ScheduleTarget",
    "ScheduleTimes",
    "Service",
    "StorageJob",
    "StorageJobError",
    "Table",
    "Tables",
    "Task",
    "Token",
    "Version",
]
