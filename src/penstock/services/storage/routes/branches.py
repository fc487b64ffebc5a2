"""The optional prefix `branch/{branch}/`: the same rows once more, for a branch of the project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.foundation.callers import Right
from penstock.services.storage.errors import BranchNotFound
from penstock.web.requests import Request
from penstock.web.routing import Handler, Route

ROOT = "/v2/storage"


def in_branches(rows: Sequence[Route]) -> list[Route]:
    return [_in_branch(row) for row in rows]


def _in_branch(row: Route) -> Route:
    path = f"{ROOT}/branch/{{branch}}{row.path.removeprefix(ROOT)}"
    # What is open without a branch is a branch's own business within one.
    needs = Right.TOKEN if row.needs is Right.PUBLIC else row.needs
    return msgspec.structs.replace(row, path=path, needs=needs, handler=_checked(row.handler))


def _checked(handler: Handler) -> Handler:
    def handle(request: Request) -> Any:
        branch = request.path["branch"]
        if branch not in ("default", str(request.caller.branch_id)):
            raise BranchNotFound(branch)
        return handler(request)

    handle.__name__, handle.__doc__ = f"{handler.__name__}_in_branch", handler.__doc__
    return handle
