"""Branches over HTTP, and the prefix `branch/{branch}/`: the same routes again, for a branch of the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

import msgspec

from penstock.foundation.callers import Caller, Right
from penstock.services.storage.models.branches import BranchView, ChangedBranch, NewBranch, branch_view
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.metadata import Metadata, NewMetadata, metadata_view
from penstock.services.storage.operations import branches, metadata
from penstock.services.storage.routes.jobs import accept
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put
from penstock.web.titles import make_title

ROOT = "/v2/storage"

P = ParamSpec("P")
T = TypeVar("T")


def routes() -> list[Route]:
    every, one = f"{ROOT}/dev-branches", f"{ROOT}/dev-branches/{{branch}}"
    items = f"{ROOT}/branch/{{branch}}/metadata"
    return [
        get(every, list_branches, needs=Right.TOKEN),
        post(every, create_branch, needs=Right.MANAGE_BUCKETS, status=202),
        get(one, get_branch, needs=Right.TOKEN),
        put(one, update_branch, needs=Right.MANAGE_BUCKETS),
        delete(one, delete_branch, needs=Right.MANAGE_BUCKETS, status=202),
        get(items, list_branch_metadata, needs=Right.TOKEN, title="List metadata of a branch"),
        post(items, put_branch_metadata, needs=Right.MANAGE_BUCKETS, status=201, title="Set metadata of a branch"),
        delete(
            f"{items}/{{metadata_id}}",
            remove_branch_metadata,
            needs=Right.MANAGE_BUCKETS,
            status=204,
            title="Remove metadata of a branch",
        ),
    ]


def in_branches(rows: Sequence[Route]) -> list[Route]:
    return [_in_branch(row) for row in rows]


def list_branches(request: Request) -> list[BranchView]:
    """Lists branches that users created first, Main last."""
    with request.reading() as tx:
        return [branch_view(branch) for branch in branches.list_branches(tx, request.caller)]


def create_branch(request: Request, body: NewBranch) -> Job:
    """Starts a job whose result is the branch, with Main's configurations in it."""
    with request.writing() as tx:
        job = branches.start_creating(tx, request.caller, body)
    return accept(request, job)


def get_branch(request: Request, branch: str) -> BranchView:
    with request.reading() as tx:
        return branch_view(branches.get_branch(tx, request.caller, branch))


def update_branch(request: Request, branch: str, body: ChangedBranch) -> BranchView:
    with request.writing() as tx:
        return branch_view(branches.update_branch(tx, request.caller, branch, body))


def delete_branch(request: Request, branch: str) -> Job:
    """Starts a job that deletes the branch with everything in it."""
    with request.writing() as tx:
        job = branches.start_deleting(tx, request.caller, branch)
    return accept(request, job)


def list_branch_metadata(request: Request, branch: str) -> list[Metadata]:
    with request.reading() as tx:
        owner = branches.get_branch(tx, request.caller, branch).owner
        rows = metadata.list_metadata(tx, owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def put_branch_metadata(request: Request, branch: str, body: NewMetadata) -> list[Metadata]:
    """Adds or overwrites; returns all metadata of the branch."""
    with request.reading() as tx:
        owner = branches.get_branch(tx, request.caller, branch).owner
        metadata.check_metadata(tx, owner, "", body.metadata)
    with request.writing() as tx:
        owner = branches.get_branch(tx, request.caller, branch).owner
        metadata.put_metadata(tx, owner, "", body.metadata)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def remove_branch_metadata(request: Request, branch: str, metadata_id: str) -> None:
    with request.writing() as tx:
        owner = branches.get_branch(tx, request.caller, branch).owner
        metadata.remove_metadata(tx, owner, metadata_id)


def _in_branch(row: Route) -> Route:
    path = f"{ROOT}/branch/{{branch}}{row.path.removeprefix(ROOT)}"
    # Routes that are public without a branch require a token within one: branches belong to a project.
    needs = Right.TOKEN if row.needs is Right.PUBLIC else row.needs
    return msgspec.structs.replace(
        row,
        path=path,
        needs=needs,
        handler=_within(row.handler),
        title=f"{make_title(row)} in a branch",
        twin=row.template,
    )


def _within(handler: Callable[Concatenate[Request, P], T]) -> Callable[Concatenate[Request, str, P], T]:
    """The same handler for a branch: the branch exists, and the caller works in it."""

    def handle(request: Request, branch: str, *args: P.args, **kwargs: P.kwargs) -> T:
        within = msgspec.structs.replace(request, identity=_caller_in(request, branch))
        return handler(within, *args, **kwargs)

    handle.__name__, handle.__doc__ = f"{handler.__name__}_in_branch", handler.__doc__
    return handle


def _caller_in(request: Request, branch: str) -> Caller:
    caller = request.caller
    if branch in (branches.DEFAULT, str(caller.main_branch_id)):
        return caller
    with request.reading() as tx:
        found = branches.get_branch(tx, caller, branch)
    return msgspec.structs.replace(caller, branch_id=found.id)
