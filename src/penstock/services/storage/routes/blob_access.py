"""Who may send a request to the blob endpoint: the signature in its address says."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.blobs import BlobFolder
from penstock.services.storage.models.blobs import Owner, Permission
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.files import signatures
from penstock.web.request_threads import use_queue
from penstock.web.requests import Request
from penstock.web.streaming import on_disk


async def verify(request: Request, container: str, http: HttpRequest, permission: Permission) -> Owner:
    row = await on_disk(signatures.verify, request.stack, container, http.query_params, permission)
    use_queue(None)
    if isinstance(row, WorkspaceRow):
        await on_disk(BlobFolder(request.stack.files_folder).note_use, row.id)
    return row
