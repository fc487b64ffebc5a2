"""Branches over HTTP, and the prefix `branch/{branch}/`: the same rows once more, for a branch of the project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.foundation.callers import Caller, Right
from penstock.services.storage.models.branches import Branch, BranchView, ChangedBranch, NewBranch, branch_view
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.metadata import Metadata, NewMetadata, metadata_view
from penstock.services.storage.operations import branches, metadata
from penstock.services.storage.routes.jobs import accept
from penstock.web.requests import Request
from penstock.web.routing import Handler, Route, delete, get, post, put

ROOT = "/v2/storage"


def routes() -> list[Route]:
    every, one = f"{ROOT}/dev-branches", f"{ROOT}/dev-branches/{{branch}}"
    items = f"{ROOT}/branch/{{branch}}/metadata"
    new = {"body": NewBranch, "returns": Job, "status": 202}
    changed = {"body": ChangedBranch, "returns": BranchView}
    more = {"body": NewMetadata, "returns": list[Metadata], "status": 201}
    return [
        get(every, list_branches, returns=list[BranchView], needs=Right.TOKEN),
        post(every, create_branch, needs=Right.MANAGE_BUCKETS, **new),
        get(one, get_branch, returns=BranchView, needs=Right.TOKEN),
        put(one, update_branch, needs=Right.MANAGE_BUCKETS, **changed),
        delete(one, delete_branch, returns=Job, status=202, needs=Right.MANAGE_BUCKETS),
        get(items, list_branch_metadata, returns=list[Metadata], needs=Right.TOKEN),
        post(items, put_branch_metadata, needs=Right.MANAGE_BUCKETS, **more),
        delete(f"{items}/{{metadata_id}}", remove_branch_metadata, status=204, needs=Right.MANAGE_BUCKETS),
    ]


def in_branches(rows: Sequence[Route]) -> list[Route]:
    return [_in_branch(row) for row in rows]


def list_branches(request: Request) -> list[BranchView]:
    """Those that people made first, Main last."""
    with request.reading() as tx:
        return [branch_view(branch) for branch in branches.list_branches(tx, request.caller)]


def create_branch(request: Request) -> Job:
    """Starts a job whose result is the branch, with Main's configurations in it."""
    with request.writing() as tx:
        job = branches.start_creating(tx, request.caller, request.body)
    return accept(request, job)


def get_branch(request: Request) -> BranchView:
    with request.reading() as tx:
        return branch_view(branches.get_branch(tx, request.caller, request.path["branch"]))


def update_branch(request: Request) -> BranchView:
    with request.writing() as tx:
        return branch_view(branches.update_branch(tx, request.caller, request.path["branch"], request.body))


def delete_branch(request: Request) -> Job:
    """Starts a job that deletes the branch with everything in it."""
    with request.writing() as tx:
        job = branches.start_deleting(tx, request.caller, request.path["branch"])
    return accept(request, job)


def list_branch_metadata(request: Request) -> list[Metadata]:
    with request.reading() as tx:
        branch = branches.get_branch(tx, request.caller, request.path["branch"])
        rows = metadata.list_metadata(tx, branch.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def put_branch_metadata(request: Request) -> list[Metadata]:
    """Adds or overwrites; answers with all that the branch has."""
    with request.writing() as tx:
        branch = branches.get_branch(tx, request.caller, request.path["branch"])
        metadata.put_metadata(tx, branch.owner, "", request.body.metadata)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, branch.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def remove_branch_metadata(request: Request) -> None:
    with request.writing() as tx:
        branch = branches.get_branch(tx, request.caller, request.path["branch"])
        metadata.remove_metadata(tx, branch.owner, request.path["metadata_id"])


def _in_branch(row: Route) -> Route:
    path = f"{ROOT}/branch/{{branch}}{row.path.removeprefix(ROOT)}"
    # What is open without a branch is a branch's own business within one.
    needs = Right.TOKEN if row.needs is Right.PUBLIC else row.needs
    return msgspec.structs.replace(row, path=path, needs=needs, handler=_within(row.handler))


def _within(handler: Handler) -> Handler:
    """The same for a branch: it is there, and the caller is one who asks for it."""

    def handle(request: Request, *rest: Any) -> Any:
        return handler(msgspec.structs.replace(request, caller=_in(request)), *rest)

    handle.__name__, handle.__doc__ = f"{handler.__name__}_in_branch", handler.__doc__
    return handle


def _in(request: Request) -> Caller:
    caller, given = request.caller, request.path["branch"]
    if given in (branches.DEFAULT, str(caller.main_branch_id)):
        return caller
    with request.reading() as tx:
        found: Branch = branches.get_branch(tx, caller, given)
    return msgspec.structs.replace(caller, branch_id=found.id)
