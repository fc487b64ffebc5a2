"""Limits of a project: their names, and those that are enforced. A limit that is not set does not exist."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.services.management.models.limits import Limit

JOBS_IN_PARALLEL = "components.jobsParallelism"
"""Jobs of Queue that run at a time; the others wait."""
STORAGE_BYTES = "storage.dataSizeBytes"
"""Of all tables; a load is refused once they have reached it."""
STORAGE_ROWS = "storage.rowsCount"
ADMINS = "kbc.adminsCount"
"""Members of the project: shown, not enforced."""
ENFORCED = (JOBS_IN_PARALLEL, STORAGE_BYTES, STORAGE_ROWS)


def show_values(values: Mapping[str, float]) -> dict[str, Limit]:
    """Return limits by name; whole numbers without a fraction."""
    return {name: Limit(name, _shorten(value)) for name, value in sorted(values.items())}


def show_metrics(rows: int, size_bytes: int, admins: int) -> dict[str, Limit]:
    """What is measured of a project."""
    return show_values({ADMINS: admins, STORAGE_BYTES: size_bytes, STORAGE_ROWS: rows})


def _shorten(value: float) -> float:
    return int(value) if float(value).is_integer() else value
