"""Members of maintainers, organizations and projects."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import (
    AccessDenied,
    AlreadyMember,
    LastOfProject,
    NotForPrograms,
    ThingNotFound,
)
from penstock.services.management.models.memberships import MemberChange, MemberView, NewMember
from penstock.services.management.models.people import ADMINISTRATORS, Level, Member, Role, User
from penstock.services.management.models.users import user_ref
from penstock.services.management.models.wire import to_text, to_text_or_none
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.standing import check_may_grant, is_member, is_super, user_id_of
from penstock.services.management.operations.users import ensure_user, get_user
from penstock.services.management.store import invitations, members, users


def list_users(tx: Transaction, level: Level, owner_id: int) -> list[User]:
    found = [each.user_id for each in _current(members.list_members(tx, level, owner_id))]
    known = users.list_users(tx, found)
    return [known[number] for number in found if number in known]


def list_users_of_projects(tx: Transaction, project_ids: list[int]) -> list[User]:
    """Each once."""
    found = {each.user_id for each in _current(members.list_members_of_all(tx, "project", project_ids))}
    return sorted(users.list_users(tx, found).values(), key=lambda user: user.id)


def _current(members: list[Member]) -> list[Member]:
    now = clock.now()
    return [each for each in members if not each.expires or each.expires > now]


def add_member(tx: Transaction, caller: AnyCaller, level: Level, owner_id: int, user: User) -> None:
    """Add a member immediately, without an invitation."""
    join(tx, caller, Member(level=level, owner_id=owner_id, user_id=user.id, created=clock.now()))


def add_to_project(tx: Transaction, caller: AnyCaller, project_id: int, new_member: NewMember) -> None:
    check_may_grant(tx, caller, project_id, new_member.role)
    member = Member(
        level="project",
        owner_id=project_id,
        user_id=ensure_user(tx, new_member.email).id,
        role=new_member.role,
        reason=new_member.reason,
        created=clock.now(),
        expires=end_after(new_member.expiration_seconds),
        approver_id=user_id_of(caller) or None,
    )
    join(tx, caller, member)


def end_after(seconds: int | None) -> datetime | None:
    return clock.now() + timedelta(seconds=seconds) if seconds else None


def join(tx: Transaction, caller: AnyCaller, member: Member) -> None:
    """Make a user a member, whatever has led to it. An open invitation or request has then been answered."""
    if is_member(tx, member.level, member.owner_id, member.user_id):
        raise AlreadyMember(member.level)
    members.remove_member(tx, member.level, member.owner_id, member.user_id)  # one that has expired
    members.add_member(tx, member)
    for each in invitations.list_invitations_of(tx, member.user_id, member.level):
        if each.owner_id == member.owner_id:
            invitations.remove_invitation(tx, each.id)
    if member.level == "project":
        invitations.remove_join_requests(tx, member.owner_id, member.user_id)
    _record(tx, caller, "member.added", member, role=member.role)


def join_freely(tx: Transaction, caller: AnyCaller, level: Level, owner_id: int, *, is_open: bool) -> None:
    """The caller joins by itself, which is for those who are members above, if the organization allows that."""
    if not user_id_of(caller):
        raise NotForPrograms
    if not is_open and not is_super(caller):
        raise AccessDenied(f"Members above cannot join this {level} by themselves. Ask for access, or to be invited.")
    join(tx, caller, Member(level=level, owner_id=owner_id, user_id=user_id_of(caller), created=clock.now()))


def change_member(tx: Transaction, caller: AnyCaller, project_id: int, text: str, change: MemberChange) -> Member:
    member = _get(tx, "project", project_id, get_user(tx, text), text)
    role: Role = change.role if isinstance(change.role, str) else member.role
    if isinstance(change.can_approve_merge_requests, bool) and change.can_approve_merge_requests != (
        role in ADMINISTRATORS
    ):
        raise Invalid(
            "canApproveMergeRequests follows from the role: administrators can, and others cannot. Change the role."
        )
    if role != member.role:
        check_may_grant(tx, caller, project_id, role)
        if role not in ADMINISTRATORS:
            _check_not_last(tx, caller, member)
    changed = msgspec.structs.replace(member, role=role)
    members.change_member(tx, changed)
    _record(tx, caller, "member.updated", changed, role=role)
    return changed


def remove_member(tx: Transaction, caller: AnyCaller, level: Level, owner_id: int, text: str) -> Member:
    """The one that was removed."""
    member = _get(tx, level, owner_id, get_user(tx, text), text)
    _check_not_last(tx, caller, member)
    members.remove_member(tx, level, owner_id, member.user_id)
    _record(tx, caller, "member.removed", member)
    return member


def _check_not_last(tx: Transaction, caller: AnyCaller, member: Member) -> None:
    """Raise if the last administrator of a project leaves it by itself. Whoever is above may remove anybody, and a
    super administrator manages the project all the same."""
    is_own = member.user_id == user_id_of(caller) and not is_super(caller)
    if member.level != "project" or member.role not in ADMINISTRATORS or not is_own:
        return
    others = _current(members.list_members(tx, "project", member.owner_id))
    if not any(each.role in ADMINISTRATORS and each.user_id != member.user_id for each in others):
        raise LastOfProject


def _get(tx: Transaction, level: Level, owner_id: int, user: User, text: str) -> Member:
    found = members.find_member(tx, level, owner_id, user.id)
    if not found:
        raise ThingNotFound("User", text)
    return found


def _record(tx: Transaction, caller: AnyCaller, event: str, member: Member, **details: object) -> None:
    project_id = member.owner_id if member.level == "project" else 0
    record(tx, caller, event, f"user {member.user_id}", project_id, level=member.level, of=member.owner_id, **details)


def view_project_members(tx: Transaction, project_id: int, *, is_strict: bool) -> list[MemberView]:
    found = _current(members.list_members(tx, "project", project_id))
    people = users.list_users(
        tx, [number for each in found for number in (each.user_id, each.invitor_id, each.approver_id) if number]
    )
    return [view_member(each, people, is_strict=is_strict) for each in found if each.user_id in people]


def view_member(member: Member, people: dict[int, User], *, is_strict: bool) -> MemberView:
    """`is_strict` is for clients that refuse keys they do not know."""
    user, invitor, approver = (
        people.get(each or 0) for each in (member.user_id, member.invitor_id, member.approver_id)
    )
    assert user
    view = MemberView(
        id=user.id,
        name=user.name,
        email=user.email,
        features=user.features,
        expires=to_text_or_none(member.expires),
        created=to_text(member.created),
        reason=member.reason,
        role=member.role,
        status="active",
        invitor=user_ref(invitor) if invitor else None,
        approver=user_ref(approver) if approver else None,
    )
    return (
        view if is_strict else msgspec.structs.replace(view, can_approve_merge_requests=member.role in ADMINISTRATORS)
    )
