"""The jobs of branches: copy Main's configurations into a new one, and remove one with its contents.

Configurations are copied in batches, so that no transaction holds the database for long. The branch itself is added
last: a half-copied branch is never visible, and a repeated job continues where it stopped.
"""

from __future__ import annotations

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.events import publish
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors.branches import BranchExists
from penstock.services.storage.models.branches import Branch, BranchDeleted, BranchView, branch_view
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import CONFIGURATION, MetadataItem
from penstock.services.storage.operations import buckets
from penstock.services.storage.operations.configurations import configurations
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.files.cleaning import remove_file
from penstock.services.storage.operations.metadata import (
    drop_metadata,
    drop_metadata_below,
    list_metadata,
    put_metadata,
)
from penstock.services.storage.operations.tables import snapshots
from penstock.services.storage.operations.workspace_rows import forget_of_branch
from penstock.services.storage.operations.workspaces.folders import remove_orphans
from penstock.services.storage.store import branch_copies, branches, jobs
from penstock.services.storage.store import configurations as kept
from penstock.services.storage.store.branch_copies import Copying

PORTION = 100


def create_branch(stack: Stack, caller: Caller, job: JobRow) -> BranchView:
    branch_id, name = int(job.params["branchId"]), str(job.params["name"])
    copying = _copying(caller, branch_id)
    while _copy_portion(stack, copying):
        pass
    with stack.database.writing(job.project_id) as tx:
        # A worker whose lease was lost must not recreate a branch that was deleted meanwhile.
        jobs.renew(tx, job, clock.now())
        known = branches.find_branch(tx, job.project_id, branch_id)
        taken = branches.find_branch_by_name(tx, job.project_id, name)
        if taken and not known:
            _remove_configurations(tx, job.project_id, branch_id)
        else:
            return branch_view(known or _add_branch(tx, caller, job))
    raise BranchExists(name)


def delete_branch(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Delete the branch with everything in it. Its buckets are deleted by separate jobs, after the loads into them."""
    branch_id = int(job.params["branchId"])
    with stack.database.writing(job.project_id) as tx:
        known = branches.find_branch(tx, job.project_id, branch_id)
        if known:
            _forget(tx, caller, known)
    with stack.database.reading() as tx:
        uploaded = branches.list_file_ids(tx, job.project_id, branch_id)
    for file_id in uploaded:
        remove_file(stack, job.project_id, file_id)
    remove_orphans(stack)
    stack.notify_workers(STORAGE)


def _forget(tx: Transaction, caller: Caller, branch: Branch) -> None:
    message = f'Deleted branch "{branch.name}" ({branch.id})'
    add_event(tx, caller, "storage.devBranchDeleted", message, object_id=str(branch.id), object_type="devBranch")
    for bucket in buckets.list_buckets(tx, caller):
        if bucket.name.startswith(f"c-{branch.id}-"):
            buckets.plan_deletion(tx, caller, bucket.id, is_forced=True)
    _forget_own_storage(tx, caller, branch)
    forget_of_branch(tx, caller, branch.id)
    drop_metadata(tx, branch.owner)
    _remove_configurations(tx, branch.project_id, branch.id)
    branches.remove_branch(tx, branch.project_id, branch.id)
    publish(tx, BranchDeleted(project_id=branch.project_id, branch_id=branch.id))


def _forget_own_storage(tx: Transaction, caller: Caller, branch: Branch) -> None:
    """Also if branches no longer have separate storage: this one may have had it."""
    within = msgspec.structs.replace(caller, branch_id=branch.id, has_storage_branches=True)
    for bucket in buckets.list_buckets(tx, within):
        buckets.plan_deletion(tx, within, bucket.id, is_forced=True)
    snapshots.plan_branch_removal(tx, caller, branch.id)


def reset_to_default(tx: Transaction, caller: Caller, key: ConfigurationKey) -> None:
    """Reset a branch's configuration to Main's; it is removed if Main does not have it."""
    if caller.branch_id == caller.main_branch_id:
        raise Invalid("Reset to default branch is not implemented for default branch")
    source = ConfigurationKey(key.project_id, caller.main_branch_id, key.component_id, key.id)
    ours, mains = kept.find_configuration(tx, key), kept.find_configuration(tx, source)
    if mains and not mains.is_deleted:
        configurations.purge(tx, key)
        _copy(tx, _copying(caller, caller.branch_id), [source])
    elif not ours:
        configurations.get_configuration(tx, key)
    elif not ours.is_deleted:
        configurations.remove_configuration(tx, caller, key)


def _copy_portion(stack: Stack, copying: Copying) -> bool:
    """Whether anything was copied. A branch that already exists is complete."""
    with stack.database.writing(copying.project_id) as tx:
        if branches.find_branch(tx, copying.project_id, copying.branch_id):
            return False
        keys = branch_copies.list_uncopied(tx, copying, PORTION)
        if keys:
            _copy(tx, copying, keys)
        return bool(keys)


def _copy(tx: Transaction, copying: Copying, keys: list[ConfigurationKey]) -> None:
    branch_copies.copy_configurations(tx, copying, keys)
    for key in keys:
        items = [MetadataItem(item.key, item.value) for item in list_metadata(tx, key.owner)]
        if items:
            target = ConfigurationKey(key.project_id, copying.branch_id, key.component_id, key.id)
            put_metadata(tx, target.owner, "", items)


def _add_branch(tx: Transaction, caller: Caller, job: JobRow) -> Branch:
    branch = Branch(
        id=int(job.params["branchId"]),
        project_id=job.project_id,
        name=str(job.params["name"]),
        description=str(job.params["description"]),
        is_default=False,
        created=clock.now(),
        creator_id=caller.token_id,
        creator_name=caller.description,
    )
    branches.add_branch(tx, branch)
    return branch


def _remove_configurations(tx: Transaction, project_id: int, branch_id: int) -> None:
    branch_copies.remove_all(tx, project_id, branch_id)
    drop_metadata_below(tx, project_id, branch_id, CONFIGURATION, "")


def _copying(caller: Caller, branch_id: int) -> Copying:
    return Copying(
        project_id=caller.project_id,
        main_id=caller.main_branch_id,
        branch_id=branch_id,
        token_id=caller.token_id,
        token_description=caller.description,
        now=clock.now(),
    )
