"""`primaryKey` and `incremental` of jobs, by data type: how the tables of their records are loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from penstock.extractor.base.errors import invalid
from penstock.extractor.config.jobs import Job
from penstock.extractor.records.upserts import Upsert


def read_upserts(jobs: Iterable[Job], mapped: Collection[str]) -> dict[str, Upsert]:
    """Those of all jobs that set one; raises UserError if jobs that share a table differ."""
    found: dict[str, Upsert] = {}
    for job in jobs:
        upsert = Upsert(job.primary_key, job.incremental)
        if upsert == Upsert():
            continue
        if job.primary_key and job.data_type in mapped:
            raise invalid(
                f"The columns of '{job.data_type}' are mapped", f"{job.path}.primaryKey", "Set `primaryKey` there."
            )
        if found.setdefault(job.data_type, upsert) != upsert:
            raise invalid(
                f"Another job of the data type '{job.data_type}' has another `primaryKey` or `incremental`",
                job.path,
                "Jobs that share a table need the same, or a `dataType` each.",
            )
    return found
