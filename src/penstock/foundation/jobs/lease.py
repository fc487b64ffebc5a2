"""A heartbeat beside a running job: renews its lease, and interrupts the work when it must end.

Work must end when another worker has the job, when a client cancels it, or when it takes too long. The first is known
here; for everything else the service passes a function that checks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.claims import RENEW_SECONDS, LeaseLost
from penstock.foundation.logging import Log

log = Log("jobs")

CHECK_SECONDS = 0.25


class Lease:
    """Use as a context manager around the work.

    `renew` writes the new end of the lease, or raises LeaseLost. `check` is called with every beat, and returns why the
    work must end. `interrupt` is called with that reason until the work has ended, since once may not be enough.
    """

    def __init__(
        self,
        renew: Callable[[], None],
        check: Callable[[], Exception | None],
        interrupt: Callable[[Exception], None],
        seconds: float = CHECK_SECONDS,
    ) -> None:
        self._renew, self._check, self._interrupt, self._seconds = renew, check, interrupt, seconds
        self._renew_at = 0.0
        self._is_over, self._wakeup = False, threading.Event()
        self._thread = threading.Thread(target=self._beat_until_over, daemon=True)
        self.reason: Exception | None = None
        """Why the work must end; the first reason stays."""

    def __enter__(self) -> Lease:
        self._renew_at = time.monotonic() + RENEW_SECONDS
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over = True
        self._wakeup.set()
        self._thread.join()

    def wake(self) -> None:
        """Let the next beat come now."""
        self._wakeup.set()

    def stop(self, reason: Exception) -> None:
        """Interrupt the work."""
        self.reason = self.reason or reason
        self._interrupt(self.reason)

    def _beat_until_over(self) -> None:
        while not self._rest():
            try:
                self._beat()
            except Exception as error:
                # A heartbeat that ends gives the job to another worker, whatever the error was.
                log.error("heartbeat of a job failed", exception=error)

    def _rest(self) -> bool:
        """Wait until the next beat; return whether the work is over."""
        self._wakeup.wait(self._seconds)
        self._wakeup.clear()
        return self._is_over

    def _beat(self) -> None:
        if self.reason:
            self._interrupt(self.reason)
        # What fails now is done with the next beat, or the lease runs out.
        with suppress(Unavailable):
            self._renew_if_due()
            if reason := self._check():
                self.stop(reason)

    def _renew_if_due(self) -> None:
        if time.monotonic() < self._renew_at:
            return
        try:
            self._renew()
        except LeaseLost as lost:
            self.stop(lost)
        self._renew_at = time.monotonic() + RENEW_SECONDS
