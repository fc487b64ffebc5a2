"""Where a run in a branch finds its tables and files, and where it puts them.

branch_storage.py   what a run asks
marked_names.py     one storage for all branches; names tell whose a bucket or a file is
own_storage.py      a storage for each branch: the project has the feature `storage-branches`
"""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.queue.execution.branches.branch_storage import BranchStorage
from penstock.services.queue.execution.branches.marked_names import MarkedNames
from penstock.services.queue.execution.branches.own_storage import OwnStorage

__all__ = ["BranchStorage", "storage_of"]


def storage_of(stack: Stack, caller: Caller) -> BranchStorage:
    return OwnStorage(stack, caller) if caller.has_storage_branches else MarkedNames(stack, caller)
