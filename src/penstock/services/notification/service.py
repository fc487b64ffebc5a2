"""What the stack has to know of Notification."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from penstock.foundation import clock
from penstock.foundation.events import Reaction, on
from penstock.foundation.jobs.background import WorkerContext
from penstock.foundation.stack import Stack
from penstock.services.developer.interface import SignUpRequested, VendorInvitationCreated
from penstock.services.management.interface import InvitationCreated, PasswordResetRequested
from penstock.services.notification.links_by_email import (
    send_confirmation,
    send_invitation,
    send_reset,
    send_token,
    send_vendor_invitation,
)
from penstock.services.notification.operations.secrets import opens_secrets
from penstock.services.notification.routes import PUSH_EVENTS, SEND_NOTIFICATIONS, routes
from penstock.services.notification.store import deliveries, subscriptions
from penstock.services.notification.worker import Worker
from penstock.services.storage.interface import TokenShared, authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service

KEPT = timedelta(days=30)
GRACE = timedelta(days=1)
"""Deliveries of a subscription are sent while it exists, and some are retried."""


def service() -> Service:
    return Service(
        id="notification",
        name="Notification API",
        routes=routes(),
        rights=[PUSH_EVENTS, SEND_NOTIFICATIONS],
        auth=storage_token(authenticate),
        errors=with_status_code,
        # Two, so that a receiver that does not respond does not hold up all others.
        workers=[make_worker, make_worker],
        reactions=REACTIONS,
        maintenance=[maintain],
        migrations=Path(__file__).parent / "migrations",
        opens_secrets=opens_secrets,
    )


def make_worker(context: WorkerContext) -> Worker:
    return Worker(context.stack, context.name)


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        subscriptions.remove_expired(tx, clock.now() - GRACE)
        deliveries.remove_ended(tx, clock.now() - KEPT)


REACTIONS: list[Reaction] = [
    on(InvitationCreated, send_invitation, name="notification.sendInvitation"),
    on(PasswordResetRequested, send_reset, name="notification.sendPasswordReset"),
    on(SignUpRequested, send_confirmation, name="notification.sendSignUpConfirmation"),
    on(VendorInvitationCreated, send_vendor_invitation, name="notification.sendVendorInvitation"),
    on(TokenShared, send_token, name="notification.sendToken"),
]
