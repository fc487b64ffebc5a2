"""Charges what the statements of one client take: together, so that not every statement writes to the database."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from uuid import uuid4

from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.billing import interface as billing

log = Log("sql port")

CHARGE_SECONDS = 60.0
"""How long statements wait to be charged; a server that is killed loses no more."""


class Meter:
    """Used by one thread at a time."""

    def __init__(self, stack: Stack, project_id: int) -> None:
        self._stack, self._project_id = stack, project_id
        self._seconds, self._rows, self._since = 0.0, 0, time.monotonic()

    @contextmanager
    def measuring(self) -> Generator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds += time.monotonic() - began
            if time.monotonic() - self._since > CHARGE_SECONDS:
                self.charge()

    def count_rows(self, count: int) -> None:
        self._rows += count

    def charge(self) -> None:
        """An entry for what was used since the last one. If the database cannot be written, it is tried again with the
        next statement."""
        self._since = time.monotonic()
        if not self._seconds:
            return
        used = billing.Used(
            project_id=self._project_id,
            kind=billing.Kind.WORKSPACE,
            reference=uuid4().hex,
            duration=round(self._seconds * 1_000_000),
            rows=self._rows,
        )
        try:
            with self._stack.database.writing(self._project_id) as tx:
                billing.charge(tx, self._stack, used)
        except AppError as error:
            log.warning("charge for a workspace failed", project=self._project_id, reason=error.message)
            return
        self._seconds, self._rows = 0.0, 0
