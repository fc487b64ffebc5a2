"""Notification's worker: sends deliveries, and tries those that fail again with growing delays.

A delivery is sent at least once: after a crash between the sending and its record it is sent again, with the same id.
One that settings of the stack refuse is kept, and tried when a worker starts with other settings.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs import worker as jobs_worker
from penstock.foundation.jobs.claims import MAX_LOST_LEASES, LeaseLost
from penstock.foundation.jobs.lease import Lease
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.notification.channels.email import send_email
from penstock.services.notification.channels.outcome import NotSent
from penstock.services.notification.channels.webhook import make_body, send_webhook
from penstock.services.notification.filters import find_value
from penstock.services.notification.links import job_url
from penstock.services.notification.links_by_email import WRITERS
from penstock.services.notification.models import DeliveryRow
from penstock.services.notification.operations.secrets import create_secret, read_secret
from penstock.services.notification.store import deliveries, subscriptions

log = Log("notification")

ATTEMPTS = 10
FIRST_DELAY, MAX_DELAY = 10.0, 3600.0
"""Seconds; each delay is three times the one before, so the last attempt comes after about four hours."""
REFUSED_DAYS, MAX_REFUSED = 7, 1000
"""For how long deliveries are kept that settings refuse, and how many of a project."""
KEPT = f"It is kept for {REFUSED_DAYS} days, and sent once settings of the stack permit it."
DELETED = "The subscription was deleted before the notification was sent."
LOST = f"It was tried {MAX_LOST_LEASES} times, and each time its worker died. It is not tried again."


class Worker(jobs_worker.Worker[DeliveryRow]):
    def __init__(self, stack: Stack, name: str) -> None:
        super().__init__(stack.database, name, deliveries.CLAIMS)
        self._stack = stack

    def prepare(self) -> None:
        super().prepare()
        with suppress(Unavailable), self._database.writing() as tx:
            deliveries.release_refused(tx, self._settings, clock.now())

    @cached_property
    def _settings(self) -> str:
        """Identifies what deliveries may reach."""
        return hashlib.sha256(msgspec.json.encode(self._stack.outbound)).hexdigest()

    def claim(self) -> DeliveryRow | None:
        if self._stack.ballast.is_read_only():
            return None
        with self._database.claiming() as tx:
            return deliveries.claim(tx, self.name, clock.now())

    def perform(self, job: DeliveryRow) -> None:
        if job.lost_leases >= MAX_LOST_LEASES:
            return self._finish(job, LOST)
        if not self._is_wanted(job):
            return self._finish(job, DELETED)
        try:
            with Lease(lambda: self._renew(job), lambda: None, lambda _reason: None):
                self._send(job)
        except (Unavailable, LeaseLost):
            raise
        except NotSent as error:
            return self._record_failure(job, error)
        except Exception as error:
            # Recorded, so that it is tried again with growing delays, and not for ever.
            log.error("notification failed", exception=error, delivery_id=job.id)
            return self._record_failure(job, NotSent(f"It could not be sent: {type(error).__name__}."))
        return self._finish(job, None)

    def _is_wanted(self, row: DeliveryRow) -> bool:
        if row.subscription_id is None:
            return True
        with self._database.reading() as tx:
            # One that has expired since was still there when the event happened.
            return subscriptions.exists(tx, row.project_id, row.subscription_id)

    def _send(self, row: DeliveryRow) -> None:
        write = WRITERS.get(row.event)
        payload = write(self._stack, row.payload) if write else _with_url(self._stack, row)
        if row.channel == "email":
            send_email(self._stack.settings, row, payload)
        else:
            send_webhook(self._stack.outbound, row, make_body(row.event, payload), self._get_secret(row.project_id))

    def _get_secret(self, project_id: int) -> str:
        """The first webhook of a project creates its secret."""
        cipher = self._stack.cipher
        with self._database.reading() as tx:
            if found := read_secret(tx, cipher, project_id):
                return found
        with self._database.writing(project_id) as tx:
            return read_secret(tx, cipher, project_id) or create_secret(tx, cipher, project_id)

    def _renew(self, row: DeliveryRow) -> None:
        with self._database.writing(row.project_id) as tx:
            deliveries.renew(tx, row)

    def _finish(self, row: DeliveryRow, error: str | None) -> None:
        with self._database.writing(row.project_id) as tx:
            deliveries.finish(tx, row, error)

    def _record_failure(self, row: DeliveryRow, error: NotSent) -> None:
        facts = {"delivery_id": row.id, "project_id": row.project_id, "channel": row.channel, "attempt": row.attempt}
        log.warning("notification failed", reason=str(error), **facts)
        if error.is_refused:
            return self._keep_refused(row, str(error))
        tries = row.attempt - row.refusals
        if error.is_final or tries >= ATTEMPTS:
            return self._finish(row, str(error))
        until = clock.now() + timedelta(seconds=delay_after(tries))
        with self._database.writing(row.project_id) as tx:
            deliveries.delay(tx, row, until, str(error))
        return None

    def _keep_refused(self, row: DeliveryRow, reason: str) -> None:
        now = clock.now()
        with self._database.writing(row.project_id) as tx:
            is_one_too_many = not row.refused_by and deliveries.count_refused(tx, row.project_id) >= MAX_REFUSED
            if is_one_too_many or row.created_time + timedelta(days=REFUSED_DAYS) <= now:
                deliveries.finish(tx, row, reason)
            else:
                until = now + timedelta(seconds=delay_after(row.attempt))
                deliveries.delay_refused(tx, row, until, f"{reason} {KEPT}", self._settings)


def delay_after(attempt: int) -> float:
    return min(FIRST_DELAY * 3.0 ** (attempt - 1), MAX_DELAY)


def _with_url(stack: Stack, row: DeliveryRow) -> dict[str, Any]:
    """The payload of a job, with its address in this stack."""
    payload, job_id = row.payload, find_value(row.payload, "job.id")
    if job_id is None or "url" in payload["job"]:
        return payload
    url = job_url(stack.settings, row.project_id, str(job_id))
    return {**payload, "job": {"id": str(job_id), "url": url, **payload["job"]}}
