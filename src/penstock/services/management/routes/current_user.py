"""The invitations and join requests of the user who asks."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.foundation.callers import Right
from penstock.services.management.models.memberships import (
    AcceptedInvitation,
    Invitation,
    InvitationCode,
    OwnInvitationView,
    OwnJoinRequestView,
)
from penstock.services.management.models.people import Level
from penstock.services.management.operations import invitations, join_requests
from penstock.services.management.operations.owners import get_name
from penstock.services.management.operations.standing import user_id_of
from penstock.services.management.store import invitations as store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

HERE = "/manage/current-user"


def routes() -> list[Route]:
    requests = f"{HERE}/projects-join-requests"
    return [
        *_of_level("project", f"{HERE}/projects-invitations"),
        *_of_level("organization", f"{HERE}/organizations-invitations"),
        *_of_level("maintainer", f"{HERE}/maintainers-invitations"),
        post(
            f"{HERE}/accept-invitation",
            accept_by_code,
            needs=Right.USER,
            status=202,
            title="Accept an invitation by its code",
        ),
        post(
            f"{HERE}/decline-invitation",
            decline_by_code,
            needs=Right.USER,
            status=204,
            title="Decline an invitation by its code",
        ),
        get(requests, list_requests, needs=Right.USER, title="List your requests to join projects"),
        get(
            f"{requests}/{{request_id}}",
            get_request,
            needs=Right.USER,
            title="Get one of your requests to join a project",
        ),
        delete(
            f"{requests}/{{request_id}}",
            remove_request,
            needs=Right.USER,
            status=204,
            title="Withdraw a request to join a project",
        ),
    ]


def _of_level(level: Level, path: str) -> Iterator[Route]:
    def list_invitations(request: Request) -> list[OwnInvitationView]:
        """What the user was invited to."""
        with request.reading() as tx:
            found = store.list_invitations_of(tx, user_id_of(request.identity), level)
            return [invitations.view_own(tx, row) for row in found]

    def get_invitation(request: Request, invitation_id: str) -> OwnInvitationView:
        with request.reading() as tx:
            return invitations.view_own(tx, invitations.get_own(tx, request.identity, level, invitation_id))

    def accept_invitation(request: Request, invitation_id: str) -> OwnInvitationView:
        """Become a member."""
        with request.reading() as tx:
            found = invitations.get_own(tx, request.identity, level, invitation_id)
            view = invitations.view_own(tx, found)
        _accept(request, found)
        return view

    def decline_invitation(request: Request, invitation_id: str) -> None:
        with request.reading() as tx:
            found = invitations.get_own(tx, request.identity, level, invitation_id)
        _decline(request, found)

    one = f"{path}/{{invitation_id}}"
    yield get(path, list_invitations, needs=Right.USER, title="List your invitations")
    yield get(one, get_invitation, needs=Right.USER, title="Get one of your invitations")
    yield put(one, accept_invitation, needs=Right.USER, status=202, title="Accept an invitation")
    yield delete(one, decline_invitation, needs=Right.USER, status=204, title="Decline an invitation")


def _accept(request: Request, invitation: Invitation) -> None:
    """Whoever is invited joins in a transaction of the project that it joins."""
    with request.writing(project_id=_lock(invitation)) as tx:
        row = invitations.get_own(tx, request.identity, invitation.level, str(invitation.id))
        invitations.accept(tx, request.identity, row)


def _decline(request: Request, invitation: Invitation) -> None:
    with request.writing(project_id=_lock(invitation)) as tx:
        row = invitations.get_own(tx, request.identity, invitation.level, str(invitation.id))
        invitations.cancel(tx, request.identity, row)


def _lock(invitation: Invitation) -> int:
    return invitation.owner_id if invitation.level == "project" else 0


def accept_by_code(request: Request, body: InvitationCode) -> AcceptedInvitation:
    """Become a member, with the code of the link that was e-mailed; it works once."""
    with request.reading() as tx:
        found = invitations.find_own_by_code(tx, request.identity, body.code)
        name = get_name(tx, found.level, found.owner_id)
    _accept(request, found)
    return AcceptedInvitation(level=found.level, id=found.owner_id, name=name)


def decline_by_code(request: Request, body: InvitationCode) -> None:
    with request.reading() as tx:
        found = invitations.find_own_by_code(tx, request.identity, body.code)
    _decline(request, found)


def list_requests(request: Request) -> list[OwnJoinRequestView]:
    """The projects that the user has requested access to."""
    with request.reading() as tx:
        found = store.list_join_requests_of(tx, user_id_of(request.identity))
        return [join_requests.view_own(tx, row) for row in found]


def get_request(request: Request, request_id: str) -> OwnJoinRequestView:
    with request.reading() as tx:
        return join_requests.view_own(tx, join_requests.get_own(tx, request.identity, request_id))


def remove_request(request: Request, request_id: str) -> None:
    """Withdraw it."""
    with request.reading() as tx:
        found = join_requests.get_own(tx, request.identity, request_id)
    with request.writing(project_id=found.project_id) as tx:
        join_requests.remove(tx, request.identity, join_requests.get_own(tx, request.identity, request_id))
