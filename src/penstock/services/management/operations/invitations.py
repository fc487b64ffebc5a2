"""Invitations: accepted by the invited user, with its own token or with the link of the e-mail, or declined."""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation import clock, events, ids
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.services.management.errors import (
    AlreadyInvited,
    AlreadyMember,
    InvitorGone,
    ReusedCode,
    ThingNotFound,
)
from penstock.services.management.models.events import SEALED_FOR, InvitationCreated
from penstock.services.management.models.memberships import (
    Invitation,
    InvitationView,
    NewMember,
    OwnInvitationView,
    ProjectInvitationView,
)
from penstock.services.management.models.people import Level, Member, User
from penstock.services.management.models.users import UserRef, user_ref
from penstock.services.management.models.wire import Ref, to_text, to_text_or_none
from penstock.services.management.operations import memberships
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.owners import get_name, is_in_organizations, list_organizations_of
from penstock.services.management.operations.standing import check_may_grant, is_member, may_invite, user_id_of
from penstock.services.management.operations.users import ensure_user
from penstock.services.management.store import invitations as store
from penstock.services.management.store import users

LINK_DAYS = 7
OPERATOR = UserRef(id=0, name="operator", email="")
"""Who has created what programs of the operator created."""


def invite(
    tx: Transaction, cipher: Cipher, caller: AnyCaller, level: Level, owner_id: int, new_member: NewMember
) -> Invitation:
    """The invited user gets an e-mail with a link, which works once."""
    if level == "project":
        check_may_grant(tx, caller, owner_id, new_member.role)
    user = ensure_user(tx, new_member.email)
    if is_member(tx, level, owner_id, user.id):
        raise AlreadyMember(level)
    if store.has_invitation(tx, level, owner_id, user.id):
        raise AlreadyInvited(level)
    now, secret = clock.now(), ids.new_secret()
    row = Invitation(
        id=ids.new_id(tx),
        level=level,
        owner_id=owner_id,
        user_id=user.id,
        creator_id=user_id_of(caller),
        role=new_member.role,
        reason=new_member.reason,
        created=now,
        expires=memberships.end_after(new_member.expiration_seconds),
        valid_until=now + timedelta(days=LINK_DAYS),
        code_hash=ids.hash_secret(secret),
    )
    store.add_invitation(tx, row)
    events.publish(tx, _to_event(tx, cipher, row, user, secret))
    _record(tx, caller, "invitation.created", row, role=row.role)
    return row


def _to_event(tx: Transaction, cipher: Cipher, row: Invitation, user: User, secret: str) -> InvitationCreated:
    invitor = users.find_user(tx, row.creator_id)
    return InvitationCreated(
        project_id=row.owner_id if row.level == "project" else 0,
        invitation_id=row.id,
        email=user.email,
        invitor=invitor.email if invitor else "the operator",
        level=row.level,
        to=get_name(tx, row.level, row.owner_id),
        sealed_code=cipher.seal(f"{row.id}-{secret}".encode(), SEALED_FOR).hex(),
    )


def get_invitation(tx: Transaction, level: Level, owner_id: int, text: str) -> Invitation:
    number = ids.read_id(text)
    found = store.find_invitation(tx, level, owner_id, number) if number is not None else None
    if not found:
        raise ThingNotFound("Invitation", text)
    return found


def cancel(tx: Transaction, caller: AnyCaller, row: Invitation) -> None:
    store.remove_invitation(tx, row.id)
    _record(tx, caller, "invitation.deleted", row)


def get_own(tx: Transaction, caller: AnyCaller, level: Level, text: str) -> Invitation:
    number = ids.read_id(text)
    found = store.find_invitation_of(tx, user_id_of(caller), number) if number is not None else None
    if not found or found.level != level:
        raise ThingNotFound("Invitation", text)
    return found


def accept(tx: Transaction, caller: AnyCaller, row: Invitation) -> None:
    """Raises InvitorGone if its creator has left, or may not invite any more: nobody comes back by an invitation that
    was made before."""
    if row.creator_id and not may_invite(tx, row.level, row.owner_id, row.creator_id, row.role):
        raise InvitorGone
    member = Member(
        level=row.level,
        owner_id=row.owner_id,
        user_id=row.user_id,
        role=row.role,
        reason=row.reason,
        created=clock.now(),
        expires=row.expires,
        invitor_id=row.creator_id or None,
    )
    store.remove_invitation(tx, row.id)
    memberships.join(tx, caller, member)
    _record(tx, caller, "invitation.accepted", row)


def find_by_code(tx: Transaction, code: str) -> Invitation:
    """The invitation whose link has this code; raises ReusedCode unless it still works."""
    number, _, secret = code.partition("-")
    found = store.find_any_invitation(tx, ids.read_id(number) or 0)
    is_right = hmac.compare_digest(found.code_hash if found and found.code_hash else b"", ids.hash_secret(secret))
    if not found or not is_right or (found.valid_until and found.valid_until <= clock.now()):
        raise ReusedCode
    return found


def find_own_by_code(tx: Transaction, caller: AnyCaller, code: str) -> Invitation:
    found = find_by_code(tx, code)
    if found.user_id != user_id_of(caller):
        raise ReusedCode
    return found


def _record(tx: Transaction, caller: AnyCaller, event: str, row: Invitation, **details: object) -> None:
    project_id = row.owner_id if row.level == "project" else 0
    record(tx, caller, event, f"user {row.user_id}", project_id, level=row.level, of=row.owner_id, **details)


def view_all(tx: Transaction, rows: list[Invitation]) -> list[InvitationView]:
    """Return invitations to maintainers and organizations."""
    people = users.list_users(tx, [number for row in rows for number in (row.user_id, row.creator_id)])
    return [InvitationView(**_common(tx, row, people)) for row in rows if row.user_id in people]


def view_all_of_project(tx: Transaction, rows: list[Invitation], *, is_strict: bool) -> list[ProjectInvitationView]:
    people = users.list_users(tx, [number for row in rows for number in (row.user_id, row.creator_id)])
    return [
        ProjectInvitationView(
            **_common(tx, row, people),
            expires=to_text_or_none(row.expires),
            reason=row.reason,
            role=UNSET if is_strict else row.role,
        )
        for row in rows
        if row.user_id in people
    ]


def _common(tx: Transaction, row: Invitation, people: dict[int, User]) -> dict[str, Any]:
    creator, user = people.get(row.creator_id), people[row.user_id]
    is_known = is_in_organizations(tx, user.id, list_organizations_of(tx, row.level, row.owner_id))
    return {
        "id": row.id,
        "created": to_text(row.created),
        # Whoever may invite can write any address: who has it is told only to those who know the user already.
        "user": user_ref(user) if is_known else _to_stranger(user),
        "creator": user_ref(creator) if creator else OPERATOR,
    }


def _to_stranger(user: User) -> UserRef:
    """What the address says by itself, and a user who is new has."""
    return UserRef(id=0, name=user.email.partition("@")[0], email=user.email)


def view_own(tx: Transaction, row: Invitation) -> OwnInvitationView:
    creator = users.find_user(tx, row.creator_id)
    view = OwnInvitationView(
        id=row.id, created=to_text(row.created), creator=user_ref(creator) if creator else OPERATOR
    )
    to = Ref(id=row.owner_id, name=get_name(tx, row.level, row.owner_id))
    if row.level != "project":
        return msgspec.structs.replace(view, **{row.level: to})
    expires = to_text_or_none(row.expires)
    return msgspec.structs.replace(view, project=to, expires=expires, reason=row.reason, role=row.role)
