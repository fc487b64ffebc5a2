"""Members of projects over HTTP, with invitations and join requests."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Right
from penstock.services.management.models.memberships import (
    AccessRequest,
    JoinRequestView,
    MemberChange,
    MemberView,
    NewMember,
    ProjectInvitationView,
    RemovedMember,
)
from penstock.services.management.operations import groups, invitations, join_requests, memberships, projects
from penstock.services.management.ports import Logins, Storage
from penstock.services.management.routes.clients import is_strict
from penstock.services.management.store import invitations as store
from penstock.services.management.store.users import list_users
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post, put

READ, READ_MEMBERS, MANAGE = Right.READ_PROJECT, Right.READ_MEMBERS, Right.MANAGE_PROJECT
LEVEL = "project"


class RemovalQuery(msgspec.Struct, frozen=True, rename="camel"):
    revoke_tokens: bool | None = None
    """Whether the tokens are revoked that the member has made for programs in the project. If it is given, the response
    lists them."""


def routes(storage: Storage, logins: Logins) -> list[Route]:
    one, removing = "/manage/projects/{project_id}", _Removing(storage)
    return [
        get(f"{one}/users", list_members, needs=READ_MEMBERS, title="List members of a project"),
        post(f"{one}/users", add_member, needs=MANAGE, status=204, title="Add a member to a project"),
        patch(f"{one}/users/{{user}}", change_member, needs=MANAGE, title="Change the role of a member"),
        delete(f"{one}/users/{{user}}", removing.remove_member, needs=MANAGE, title="Remove a member of a project"),
        get(f"{one}/invitations", list_invitations, needs=READ_MEMBERS, title="List invitations to a project"),
        post(
            f"{one}/invitations", _Inviting(logins).invite, needs=MANAGE, status=201, title="Invite a user to a project"
        ),
        get(
            f"{one}/invitations/{{invitation_id}}",
            get_invitation,
            needs=READ_MEMBERS,
            title="Get an invitation to a project",
        ),
        delete(
            f"{one}/invitations/{{invitation_id}}",
            cancel_invitation,
            needs=MANAGE,
            status=204,
            title="Cancel an invitation to a project",
        ),
        post(f"{one}/join-project", join_project, needs=READ, status=204),
        post(f"{one}/request-access", request_access, needs=READ, status=201, title="Request access to a project"),
        get(f"{one}/join-requests", list_requests, needs=MANAGE, title="List requests to join a project"),
        get(f"{one}/join-requests/{{request_id}}", get_request, needs=MANAGE, title="Get a request to join a project"),
        put(
            f"{one}/join-requests/{{request_id}}",
            approve_request,
            needs=MANAGE,
            status=202,
            title="Approve a request to join a project",
        ),
        delete(
            f"{one}/join-requests/{{request_id}}",
            reject_request,
            needs=MANAGE,
            status=204,
            title="Reject a request to join a project",
        ),
    ]


def list_members(request: Request, project_id: str) -> list[MemberView]:
    with request.reading() as tx:
        return memberships.view_project_members(tx, int(project_id), is_strict=is_strict(request))


def add_member(request: Request, project_id: str, body: NewMember) -> None:
    """Add a member, without an invitation."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        memberships.add_to_project(tx, request.identity, number, body)


def change_member(request: Request, project_id: str, user: str, body: MemberChange) -> MemberView:
    """Change the role of a member."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        row = memberships.change_member(tx, request.identity, number, user, body)
        people = list_users(tx, [each for each in (row.user_id, row.invitor_id, row.approver_id) if each])
        return memberships.view_member(row, people, is_strict=is_strict(request))


class _Removing:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def remove_member(self, request: Request, project_id: str, user: str, query: RemovalQuery) -> RemovedMember | None:
        """Remove a member. With `revokeTokens`, the response is a list of the tokens that the member has made for
        programs: they are revoked if it is `true`, and go on working otherwise."""
        number = int(project_id)
        with request.writing(project_id=number) as tx:
            removed = memberships.remove_member(tx, request.identity, LEVEL, number, user).user_id
            tokens = self._storage.list_made_tokens(tx, number, removed)
            if query.revoke_tokens:
                self._storage.revoke_made_tokens(tx, request.identity, number, removed)
        if query.revoke_tokens is None:
            return None
        return RemovedMember(tokens=tokens, are_tokens_revoked=query.revoke_tokens)


def list_invitations(request: Request, project_id: str) -> list[ProjectInvitationView]:
    with request.reading() as tx:
        found = store.list_invitations(tx, LEVEL, int(project_id))
        return invitations.view_all_of_project(tx, found, is_strict=is_strict(request))


class _Inviting:
    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def invite(self, request: Request, project_id: str, body: NewMember) -> ProjectInvitationView:
        """Invite somebody by e-mail; whoever has no user yet gets one."""
        number = int(project_id)
        self._logins.begin_invitation(request.stack, request.identity, body.email)
        with request.writing(project_id=number) as tx:
            row = invitations.invite(tx, request.stack.cipher, request.identity, LEVEL, number, body)
            return invitations.view_all_of_project(tx, [row], is_strict=is_strict(request))[0]


def get_invitation(request: Request, project_id: str, invitation_id: str) -> ProjectInvitationView:
    with request.reading() as tx:
        row = invitations.get_invitation(tx, LEVEL, int(project_id), invitation_id)
        return invitations.view_all_of_project(tx, [row], is_strict=is_strict(request))[0]


def cancel_invitation(request: Request, project_id: str, invitation_id: str) -> None:
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        row = invitations.get_invitation(tx, LEVEL, number, invitation_id)
        invitations.cancel(tx, request.identity, row)


def join_project(request: Request, project_id: str) -> None:
    """Become an administrator, as a member of its organization or maintainer, if the organization allows that."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        organization = groups.get_organization(tx, projects.get_project(tx, number).organization_id)
        is_open = organization.allow_auto_join
        memberships.join_freely(tx, request.identity, LEVEL, number, is_open=is_open)


def request_access(request: Request, project_id: str, body: AccessRequest) -> JoinRequestView:
    """Ask the administrators of a project to let one join."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        row = join_requests.ask(tx, request.identity, number, body)
        return join_requests.view_all(tx, [row])[0]


def list_requests(request: Request, project_id: str) -> list[JoinRequestView]:
    with request.reading() as tx:
        return join_requests.view_all(tx, store.list_join_requests(tx, int(project_id)))


def get_request(request: Request, project_id: str, request_id: str) -> JoinRequestView:
    with request.reading() as tx:
        row = join_requests.get_request(tx, int(project_id), request_id)
        return join_requests.view_all(tx, [row])[0]


def approve_request(request: Request, project_id: str, request_id: str) -> JoinRequestView:
    """Let the user join."""
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        row = join_requests.get_request(tx, number, request_id)
        view = join_requests.view_all(tx, [row])[0]
        join_requests.approve(tx, request.identity, row)
        return view


def reject_request(request: Request, project_id: str, request_id: str) -> None:
    number = int(project_id)
    with request.writing(project_id=number) as tx:
        join_requests.remove(tx, request.identity, join_requests.get_request(tx, number, request_id))
