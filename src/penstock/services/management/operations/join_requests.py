"""Requests of users to join a project of their organization; an administrator of the project approves or rejects."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import AlreadyMember, NotForPrograms, ThingNotFound
from penstock.services.management.models.memberships import (
    AccessRequest,
    JoinRequest,
    JoinRequestView,
    OwnJoinRequestView,
)
from penstock.services.management.models.people import Member
from penstock.services.management.models.users import user_ref
from penstock.services.management.models.wire import Ref, to_text, to_text_or_none
from penstock.services.management.operations import memberships
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.owners import get_name
from penstock.services.management.operations.standing import is_member, user_id_of
from penstock.services.management.store import invitations as store
from penstock.services.management.store import users


def ask(tx: Transaction, caller: AnyCaller, project_id: int, request: AccessRequest) -> JoinRequest:
    user_id = user_id_of(caller)
    if not user_id:
        raise NotForPrograms
    if is_member(tx, "project", project_id, user_id):
        raise AlreadyMember("project")
    if store.has_join_request(tx, project_id, user_id):
        raise Invalid("You have already requested access to this project.")
    expires = memberships.end_after(request.expiration_seconds)
    row = JoinRequest(
        id=ids.new_id(tx),
        project_id=project_id,
        user_id=user_id,
        reason=request.reason,
        created=clock.now(),
        expires=expires,
    )
    store.add_join_request(tx, row)
    record(tx, caller, "joinRequest.created", f"user {user_id}", project_id)
    return row


def get_request(tx: Transaction, project_id: int, text: str) -> JoinRequest:
    number = ids.read_id(text)
    found = store.find_join_request(tx, project_id, number) if number is not None else None
    if not found:
        raise ThingNotFound("Join request", text)
    return found


def get_own(tx: Transaction, caller: AnyCaller, text: str) -> JoinRequest:
    number = ids.read_id(text)
    found = store.find_join_request_of(tx, user_id_of(caller), number) if number is not None else None
    if not found:
        raise ThingNotFound("Join request", text)
    return found


def approve(tx: Transaction, caller: AnyCaller, row: JoinRequest) -> None:
    member = Member(
        level="project",
        owner_id=row.project_id,
        user_id=row.user_id,
        reason=row.reason,
        created=clock.now(),
        expires=row.expires,
        approver_id=user_id_of(caller) or None,
    )
    memberships.join(tx, caller, member)


def remove(tx: Transaction, caller: AnyCaller, row: JoinRequest) -> None:
    store.remove_join_request(tx, row.id)
    record(tx, caller, "joinRequest.deleted", f"user {row.user_id}", row.project_id)


def view_all(tx: Transaction, rows: list[JoinRequest]) -> list[JoinRequestView]:
    people = users.list_users(tx, [row.user_id for row in rows])
    return [
        JoinRequestView(
            id=row.id,
            created=to_text(row.created),
            expires=to_text_or_none(row.expires),
            reason=row.reason,
            user=user_ref(people[row.user_id]),
        )
        for row in rows
        if row.user_id in people
    ]


def view_own(tx: Transaction, row: JoinRequest) -> OwnJoinRequestView:
    return OwnJoinRequestView(
        id=row.id,
        created=to_text(row.created),
        expires=to_text_or_none(row.expires),
        reason=row.reason,
        project=Ref(id=row.project_id, name=get_name(tx, "project", row.project_id)),
    )
