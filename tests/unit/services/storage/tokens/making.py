"""Tokens, created and read over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.services.storage.operations.issuing import create_master_token
from penstock.services.storage.store import tokens as store
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project

TOKENS, VERIFY = "/v2/storage/tokens", "/v2/storage/tokens/verify"


POWERS = (
    *("isMasterToken", "canManageBuckets", "canManageTokens", "canCreateJobs", "canPurgeTrash"),
    *("canReadAllFileUploads", "canManageProtectedDefaultBranch"),
)


def make(services: ServicesOnly, maker: str | None = None, **wanted: Any) -> dict[str, Any]:
    response = services.service("storage", maker).post(TOKENS, wanted)
    assert response.status == 201, response.text
    return response.json


def verify(services: ServicesOnly, token: str) -> Response:
    return services.service("storage", token).get(VERIFY)


def manager_token(services: ServicesOnly, permissions: dict[str, str]) -> str:
    """A token that manages tokens and is not a master token; no route creates one yet."""
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        issued = create_master_token(tx, caller.project_id, "manager")
        weak = {"is_master": False, "can_manage_buckets": False, "can_create_jobs": False}
        store.remove_token(tx, caller.project_id, issued.row.id)
        store.add_token(tx, msgspec.structs.replace(issued.row, **weak, bucket_permissions=permissions))
    return issued.text
