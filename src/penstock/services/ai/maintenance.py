"""Removes old feedback."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.ai import store

KEPT = timedelta(days=180)


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        store.remove_older(tx, clock.now() - KEPT)
