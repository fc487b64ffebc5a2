"""What Notification does when other services publish events."""

from __future__ import annotations

from penstock.foundation.events import Reaction, on
from penstock.services.developer.interface import SignUpRequested, VendorInvitationCreated
from penstock.services.management.interface import InvitationCreated, PasswordResetRequested
from penstock.services.notification.links_by_email import (
    send_confirmation,
    send_invitation,
    send_reset,
    send_token,
    send_vendor_invitation,
)
from penstock.services.storage.interface import TokenShared

REACTIONS: list[Reaction] = [
    on(InvitationCreated, send_invitation, name="notification.sendInvitation"),
    on(PasswordResetRequested, send_reset, name="notification.sendPasswordReset"),
    on(SignUpRequested, send_confirmation, name="notification.sendSignUpConfirmation"),
    on(VendorInvitationCreated, send_vendor_invitation, name="notification.sendVendorInvitation"),
    on(TokenShared, send_token, name="notification.sendToken"),
]
