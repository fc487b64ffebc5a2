"""Storage's route table, assembled from those of its resources."""

from __future__ import annotations

from penstock.services.storage.ports import Queue
from penstock.services.storage.routes import (
    audit_log,
    blobs,
    branches,
    buckets,
    components,
    configuration_rows,
    configurations,
    data,
    events,
    files,
    index,
    jobs,
    metadata,
    names,
    not_implemented,
    search,
    sharing,
    structure,
    table_files,
    tables,
    tickets,
    tokens,
    triggers,
    versions,
    workspace_data,
    workspaces,
)
from penstock.services.storage.routes.branches import in_branches
from penstock.web.routing import Route


def routes(queue: Queue) -> list[Route]:
    of_branches = [
        # First: `buckets/register-guide` is not a bucket.
        *not_implemented.routes(),
        *tokens.routes(),
        *components.routes(),
        *configurations.routes(),
        *configuration_rows.routes(),
        *versions.routes(),
        *buckets.routes(),
        *sharing.routes(),
        *tables.routes(),
        *data.routes(),
        *table_files.routes(),
        *structure.routes(),
        *files.routes(),
        *events.routes(queue),
        *metadata.routes(),
        *names.routes(),
        *search.routes(),
        *workspaces.routes(),
        *workspace_data.routes(),
    ]
    without_branch = [
        *audit_log.routes(),
        *jobs.routes(),
        *triggers.routes(),
        *tickets.routes(),
        *components.only_without_branch(),
        *structure.main_routes(),
        *search.main_routes(),
        *not_implemented.main_routes(),
    ]
    within = in_branches([*of_branches, *components.only_in_branches()])
    # Blobs first: rows are matched from the top, and a large file is many requests.
    return [*blobs.routes(), *index.routes(), *without_branch, *branches.routes(), *of_branches, *within]
