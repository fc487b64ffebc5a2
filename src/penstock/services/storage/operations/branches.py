"""Branches: copies of Main in which configurations are changed without affecting it."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.storage.errors.branches import BranchExists, BranchNotFound, CannotRenameMain, MainStays
from penstock.services.storage.models.branches import Branch, ChangedBranch, NewBranch
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations.jobs import NewJob, create_job
from penstock.services.storage.store import branches, jobs

DEFAULT = "default"
MAX_LENGTH = 255
CREATE, DELETE = "devBranchCreate", "devBranchDelete"


def get_branch(tx: Transaction, caller: Caller, text: str) -> Branch:
    """A branch of the caller's project by its number, or Main by the word `default`."""
    number = caller.main_branch_id if text == DEFAULT else ids.read_id(text)
    found = branches.find_branch(tx, caller.project_id, number) if number is not None else None
    if not found:
        raise BranchNotFound(text)
    return found


def get_main_id(tx: Transaction, project_id: int) -> int:
    return next(branch.id for branch in branches.list_branches(tx, project_id) if branch.is_default)


def check_branch(tx: Transaction, caller: Caller) -> None:
    """Raise if the branch was deleted, so that nothing is added to its storage: it could not be seen or deleted.

    Call it in the transaction that adds something. Writing transactions of a project are serialized, so a deletion has
    either removed the branch before, or finds what was added.
    """
    if caller.has_own_storage and not branches.find_branch(tx, caller.project_id, caller.branch_id):
        raise BranchNotFound(str(caller.branch_id))


def list_branches(tx: Transaction, caller: Caller) -> list[Branch]:
    return branches.list_branches(tx, caller.project_id)


def start_creating(tx: Transaction, caller: Caller, new_branch: NewBranch) -> JobRow:
    """Create the job that creates the branch; its id is reserved now, so that a repeated job creates one branch."""
    check_name(tx, caller.project_id, new_branch.name)
    params = {"branchId": ids.new_id(tx), "name": new_branch.name, "description": new_branch.description}
    return create_job(tx, caller, NewJob(operation=CREATE, params=params))


def update_branch(tx: Transaction, caller: Caller, raw_id: str, change: ChangedBranch) -> Branch:
    known = get_branch(tx, caller, raw_id)
    changes = {"name": change.name, "description": change.description}
    changes = {field: text for field, text in changes.items() if text is not UNSET and text != getattr(known, field)}
    if "name" in changes:
        if known.is_default:
            raise CannotRenameMain
        check_name(tx, caller.project_id, str(changes["name"]))
    row = msgspec.structs.replace(known, **changes)
    branches.put_branch(tx, row)
    return row


def start_deleting(tx: Transaction, caller: Caller, text: str) -> JobRow:
    known = get_branch(tx, caller, text)
    if known.is_default:
        raise MainStays
    return create_job(tx, caller, NewJob(operation=DELETE, params={"branchId": known.id}))


def check_name(tx: Transaction, project_id: int, name: str) -> None:
    if not 0 < len(name.strip()) <= len(name) <= MAX_LENGTH:
        raise Invalid(f'Invalid request:\n - name: "A branch needs a name of at most {MAX_LENGTH} characters."')
    coming = {job.params["name"] for job in jobs.list_unfinished(tx, project_id, CREATE)}
    if name in coming or branches.find_branch_by_name(tx, project_id, name):
        raise BranchExists(name)
