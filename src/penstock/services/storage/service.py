"""What the stack has to know of Storage."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.jobs.background import WorkerContext
from penstock.foundation.stacks import STORAGE
from penstock.services.storage import purging
from penstock.services.storage.models.blobs import ENDPOINT
from penstock.services.storage.operations import members
from penstock.services.storage.operations.callers import find_caller
from penstock.services.storage.operations.configurations.key_evidence import opens_secrets
from penstock.services.storage.operations.maintenance import maintain_recent
from penstock.services.storage.ports import Queue
from penstock.services.storage.purging import PurgeWorker
from penstock.services.storage.routes import routes
from penstock.services.storage.routes.blob_responses import to_xml
from penstock.services.storage.worker import Worker
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service(queue: Queue) -> Service:
    """`queue` is what Queue does for it: it is above, so it is not imported."""
    return Service(
        id=STORAGE,
        name="Storage API",
        routes=routes(queue),
        auth=storage_token(find_caller),
        errors_below={f"/{ENDPOINT}": to_xml},
        is_listed=False,  # the index is its own
        workers=[make_worker, lambda context: PurgeWorker(context.stack, context.name)],
        reactions=[*members.REACTIONS, *purging.REACTIONS],
        maintenance=[maintain_recent],
        migrations=Path(__file__).parent / "migrations",
        opens_secrets=opens_secrets,
    )


def make_worker(context: WorkerContext) -> Worker:
    return Worker(context.stack, context.name)
