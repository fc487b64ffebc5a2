"""Bodies and queries of requests."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec

from penstock.foundation.limits import Statements
from penstock.sql.models import Dialect, FileFormat

SQL_CHARACTERS = 1_000_000
"""Of one statement."""
DEFAULT_PAGE, MIN_PAGE, MAX_PAGE = 1_000, 100, 10_000
DEFAULT_HISTORY = 500
MAX_OFFSET = 2**62

Sql = Annotated[str, msgspec.Meta(max_length=SQL_CHARACTERS)]


class ActorType(StrEnum):
    USER = "user"
    SYSTEM = "system"


class NewQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    statements: Statements[Sql]
    """The SQL statements, each of at most 1,000,000 characters. They run in this order, in one session."""
    transactional: bool = False
    """Whether all of them are one transaction: if one fails, none has an effect."""
    actor_type: ActorType = ActorType.USER
    """Who asks: `user` for people, `system` for programs."""
    session_id: UUID | None = None
    """Session of an earlier job, to use its temporary tables and variables. Without it, a new session begins."""
    timeout: Annotated[str, msgspec.Meta(max_length=50)] | None = None
    """How long the whole job may take, such as `60s` or `1m30s`."""
    refresh_metadata_on_success: bool = False
    """Accepted for compatibility: metadata is never out of date."""
    dialect: Dialect = "snowflake"
    """The dialect that the statements are written in."""


class Cancellation(msgspec.Struct, frozen=True, kw_only=True):
    reason: Annotated[str, msgspec.Meta(max_length=1_000)] = ""
    """Why the job is stopped."""


class ResultsQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    offset: Annotated[int, msgspec.Meta(ge=0, le=MAX_OFFSET)] = 0
    """How many rows of the result are skipped."""
    page_size: Annotated[int, msgspec.Meta(ge=MIN_PAGE, le=MAX_PAGE)] = DEFAULT_PAGE
    """The highest number of rows to return."""


class HistoryQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    after_id: Annotated[str, msgspec.Meta(max_length=50)] = ""
    """Id of the last statement of the page before."""
    page_size: Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGE)] = DEFAULT_HISTORY
    """The highest number of statements to return."""


class ExportQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    file_type: FileFormat
    """Format of the file."""
    gzip: bool = False
    """Whether a CSV file is compressed with gzip."""
