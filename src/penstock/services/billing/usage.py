"""What a project used and what that cost, from the totals of its days: their number does not grow with its jobs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.billing import store
from penstock.services.billing.errors import InvalidDay, InvalidGrouping, InvalidRange
from penstock.services.billing.models import SECOND, Kind, to_credits

MAX_DAYS, DEFAULT_DAYS = 366, 30
GROUPS = ("day", "component", "configuration", "kind")
MAX_ROWS = 1000
EARLIEST_YEAR = 1970
_NAMES = {"first": "from", "last": "to", "group_by": "groupBy"}
_COLUMNS = ("entries", "seconds", "freeSeconds", "bytes", "rows", "credits")


class UsageQuery(msgspec.Struct, frozen=True, kw_only=True, rename=_NAMES):
    first: str = ""
    """The first day in UTC, such as `2026-01-31`. Without it, 30 days before the last one."""
    last: str = ""
    """The last day in UTC. Without it, today."""
    group_by: Annotated[str, msgspec.Meta(max_length=100)] = "day"
    """What makes a row: some of `day`, `component`, `configuration` and `kind`, separated by commas."""
    component: Annotated[str, msgspec.Meta(max_length=255)] = ""
    """Only usage of this component."""
    configuration: Annotated[str, msgspec.Meta(max_length=255)] = ""
    """Only usage of this configuration."""
    kind: Kind | None = None
    """Only usage of this kind."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROWS)] = 100
    """The highest number of rows to return."""
    offset: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    """How many rows are skipped before the first one that is returned."""


class Total(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Sums; the columns that were not grouped by are left out."""

    project_id: str | None = None
    day: str | None = None
    component: str | None = None
    configuration: str | None = None
    kind: str | None = None
    entries: int
    seconds: float
    free_seconds: float
    bytes: int
    rows: int
    credits: float


class Usage(msgspec.Struct, frozen=True, kw_only=True, rename=_NAMES):
    first: str
    last: str
    total: Total
    """Of all rows, those of other pages too."""
    rows: list[Total]


def read_usage(tx: Transaction, project_id: int | None, query: UsageQuery, *, by_project: bool = False) -> Usage:
    """Return the usage of one project, or of all if there is none; `by_project`: of each of them separately."""
    first, last = _read_days(query)
    by = ["project_id"] * by_project + _read_groups(query.group_by)
    where = {name: value for name in GROUPS[1:] if (value := getattr(query, name))}
    known: dict[str, Any] = {"first": first, "last": last, "where": where}
    rows = store.list_totals(tx, project_id, by=by, limit=query.limit, offset=query.offset, **known)
    return Usage(
        first=first,
        last=last,
        total=_to_total(store.sum_totals(tx, project_id, **known)),
        rows=[_to_total(row) for row in rows],
    )


def write_csv(rows: Iterable[Total], by: str) -> str:
    """Write CSV with a header; the columns that were grouped by come first."""
    groups, text = _read_groups(by), io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow([*groups, *_COLUMNS])
    for row in rows:
        fields = msgspec.to_builtins(row)
        written.writerow([fields.get(name, "") for name in (*groups, *_COLUMNS)])
    return text.getvalue()


def _to_total(row: dict[str, Any]) -> Total:
    groups = {name: str(row[name]) for name in ("project_id", *GROUPS) if name in row}
    return Total(
        **groups,
        entries=row["entries"],
        seconds=row["duration"] / SECOND,
        free_seconds=row["free"] / SECOND,
        bytes=row["bytes"],
        rows=row["rows"],
        credits=to_credits(row["amount"]),
    )


def _read_groups(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    for name in found:
        if name not in GROUPS:
            raise InvalidGrouping(name, GROUPS)
    return list(dict.fromkeys(found)) or ["day"]


def _read_days(query: UsageQuery) -> tuple[str, str]:
    last = _read_day("to", query.last) if query.last else clock.now().date()
    first = _read_day("from", query.first) if query.first else last - timedelta(days=DEFAULT_DAYS)
    if not 0 <= (last - first).days < MAX_DAYS:
        raise InvalidRange(first.isoformat(), last.isoformat(), MAX_DAYS)
    return first.isoformat(), last.isoformat()


def _read_day(field: str, text: str) -> date:
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        found = date.min
    if found.year < EARLIEST_YEAR:
        raise InvalidDay(field, text[:100])
    return found
