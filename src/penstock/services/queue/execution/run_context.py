"""What a part of a job passes to its component, to artifacts and into the names of buckets."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.artifacts import Run
from penstock.runtime.documents import read_section
from penstock.runtime.environment import RunContext
from penstock.services.management.interface import NATIVE_TYPES
from penstock.services.queue.execution.opening import Opened
from penstock.services.queue.models.jobs import JobRow


def to_context(
    job: JobRow,
    domain: str,
    opened: Opened,
    row_id: str | None,
    version: int | None,
    component: Component,
    features: tuple[str, ...],
) -> RunContext:
    return RunContext(
        run_id=str(job.id),
        project_id=str(job.project_id),
        component=job.component,
        stack=service_host(STORAGE, domain),
        config_id=job.config,
        config_version=str(version) if version is not None else None,
        row_id=row_id,
        branch_id=str(job.branch_id),
        parameters=read_section(opened.encrypted, "parameters", "container"),
        run_mode=job.mode,
        features=features,
        data_type_support=_find_type_support(opened, component, features),
    )


def _find_type_support(opened: Opened, component: Component, features: tuple[str, ...]) -> str:
    """The configuration's, else the component's, else that of the project: its feature asks components for types."""
    storage = read_section(opened.document, "storage", "container")
    output = read_section(storage, "output", "container.storage")
    usual = "authoritative" if NATIVE_TYPES in features else "none"
    return output.get("data_type_support") or component.data_type_support or usual


def to_artifact_run(job: JobRow) -> Run:
    return Run(
        branch_id=str(job.branch_id),
        component_id=job.component,
        config_id=job.config or "",
        job_id=str(job.id),
        orchestration_id=job.orchestration_job_id,
    )


def find_default_bucket(job: JobRow, component: Component) -> str | None:
    if not job.config or not component.default_bucket:
        return None
    return f"{component.default_bucket_stage}.c-{job.component.replace('.', '-')}-{job.config}"
