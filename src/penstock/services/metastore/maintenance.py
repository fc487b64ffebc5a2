"""Removes documents that were deleted some time ago, with their revisions."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.metastore import store

KEPT = timedelta(days=30)


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        store.remove_deleted(tx, clock.now() - KEPT)
