"""People who become developers: sign-ups, invitations and requests to join a vendor, and the second factor."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal

import msgspec

from penstock.foundation.events import Event
from penstock.services.developer.models.accounts import Secret

Name = Annotated[str, msgspec.Meta(max_length=255)]
SIGN_UP_SEALED_FOR, INVITATION_SEALED_FOR = "developer sign-up code", "developer invitation code"


class SignUp(msgspec.Struct, frozen=True, kw_only=True):
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=255)]
    """E-mail address of the new user."""
    password: Secret
    """Password of the new user: 12 to 128 characters, at least 5 of them different."""
    name: Name = ""
    """Name of the new user."""


class SignedUp(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    email: str
    confirmed_by: Literal["email", "administrator"]
    """Who confirms the sign-up: the owner of the address, with the link of an e-mail, or an administrator."""


class Confirmation(msgspec.Struct, frozen=True):
    email: str
    message: str


class AgainRequest(msgspec.Struct, frozen=True):
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=255)]
    """The address to confirm."""


class NewPassword(msgspec.Struct, frozen=True, kw_only=True):
    code: Secret
    """The code of the e-mail."""
    password: Secret
    """The new password: 12 to 128 characters, at least 5 of them different."""


class FactorCode(msgspec.Struct, frozen=True):
    code: Name
    """A code of the authenticator app."""


class RecoveryCodes(msgspec.Struct, frozen=True, rename="camel"):
    recovery_codes: list[str]


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """Only for those who have no user on the stack yet."""

    name: Name = ""
    """Name of the new user, for somebody who is not a user of the stack yet."""
    password: Secret = ""
    """Password of the new user, for somebody who is not a user of the stack yet."""


class SignUpRow(msgspec.Struct, frozen=True, kw_only=True):
    email: str
    name: str
    password_hash: str
    code_hash: bytes
    created: datetime
    expires: datetime


class InvitationRow(msgspec.Struct, frozen=True, kw_only=True):
    vendor_id: str
    email: str
    code_hash: bytes
    created: datetime
    expires: datetime
    created_by: str


class JoinRequestRow(msgspec.Struct, frozen=True, kw_only=True):
    vendor_id: str
    user_id: int
    created: datetime


class PortalUser(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A user of the stack, or a sign-up that waits, as administrators list it."""

    username: str
    email: str
    name: str
    vendors: list[str]
    is_admin: bool
    is_confirmed: bool
    created_on: datetime


class SignUpRequested(Event, frozen=True, kw_only=True):
    """Somebody has signed up. Published for every address, so that the request takes as long for each."""

    name: ClassVar[str] = "developer.signUpRequested"
    email: str
    is_new: bool
    """Whether nobody has the address yet: else nothing is sent."""
    hours: int
    sealed_code: str
    """The code of the link, encrypted by the cipher of the stack for SIGN_UP_SEALED_FOR."""


class VendorInvitationCreated(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "developer.vendorInvitationCreated"
    email: str
    invitor: str
    vendor_id: str
    vendor_name: str
    days: int
    sealed_code: str
    """The code of the link, encrypted by the cipher of the stack for INVITATION_SEALED_FOR."""
