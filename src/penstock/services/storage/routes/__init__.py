"""Storage's route table, assembled from those of its resources."""

from __future__ import annotations

from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.blobs import ENDPOINT
from penstock.services.storage.routes import (
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
    sharing,
    structure,
    tables,
    tickets,
    tokens,
    triggers,
    versions,
)
from penstock.services.storage.routes.blob_responses import to_xml
from penstock.services.storage.routes.branches import in_branches
from penstock.web.errors import with_text_code
from penstock.web.routing import Route
from penstock.web.service import Service


def service() -> Service:
    # The storage index does not list itself.
    return Service(
        id=STORAGE,
        name="Storage API",
        routes=routes(),
        errors=with_text_code,
        errors_below={f"/{ENDPOINT}": to_xml},
        is_listed=False,
    )


def routes() -> list[Route]:
    of_branches = [
        *tokens.routes(),
        *components.routes(),
        *configurations.routes(),
        *configuration_rows.routes(),
        *versions.routes(),
        *buckets.routes(),
        *sharing.routes(),
        *tables.routes(),
        *data.routes(),
        *structure.routes(),
        *files.routes(),
        *events.routes(),
        *metadata.routes(),
        *names.routes(),
    ]
    without_branch = [
        *jobs.routes(),
        *triggers.routes(),
        *tickets.routes(),
        *components.only_without_branch(),
        *structure.main_routes(),
    ]
    within = in_branches([*of_branches, *components.only_in_branches()])
    # Blobs first: rows are matched from the top, and a large file is many requests.
    return [*blobs.routes(), *index.routes(), *without_branch, *branches.routes(), *of_branches, *within]
