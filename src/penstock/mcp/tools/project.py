"""The project of the token."""

from __future__ import annotations

from collections import Counter

from penstock.client import Client, Table
from penstock.mcp.access import only_reads
from penstock.mcp.tool import Arguments, Output
from penstock.mcp.tools.views import JobSummary, summarize_job

MAX_BUCKETS, NEWEST_JOBS = 50, 5


class NoArguments(Arguments, frozen=True):
    """None."""


class BucketView(Output, frozen=True):
    bucket_id: str
    tables: int
    rows: int


class ProjectView(Output, frozen=True):
    project_id: int
    name: str
    token: str
    """Its description."""
    only_reads: bool
    tables: int
    rows: int
    buckets: list[BucketView]
    configurations: dict[str, int]
    """How many each component has."""
    schedules: int
    newest_jobs: list[JobSummary]
    hint: str = ""


def get_project(client: Client, arguments: NoArguments) -> ProjectView:  # noqa: ARG001
    """Overview of the project: its buckets and tables, configurations per component, schedules and newest jobs.

    Call it first. Example: {}"""
    project, token, tables = client.project, client.tokens.verify(), client.list_tables()
    buckets = _buckets(tables)
    listed = buckets[:MAX_BUCKETS]
    return ProjectView(
        project_id=project.id,
        name=project.name,
        token=token.description,
        only_reads=only_reads(token),
        tables=len(tables),
        rows=sum(table.rows_count or 0 for table in tables),
        buckets=listed,
        configurations=dict(Counter(each.component for each in client.configurations.list())),
        schedules=len(client.schedules.list()),
        newest_jobs=[summarize_job(job) for job in client.jobs.search({"limit": NEWEST_JOBS})],
        hint="" if len(listed) == len(buckets) else f"{len(buckets) - len(listed)} more buckets: use search.",
    )


def _buckets(tables: list[Table]) -> list[BucketView]:
    counts, rows = Counter[str](), Counter[str]()
    for table in tables:
        bucket = table.id.rpartition(".")[0]
        counts[bucket] += 1
        rows[bucket] += table.rows_count or 0
    return [BucketView(bucket_id=bucket, tables=counts[bucket], rows=rows[bucket]) for bucket in sorted(counts)]
