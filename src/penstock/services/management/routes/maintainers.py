"""Maintainers over HTTP, with their organizations, members, invitations and metadata."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.management.models.features import EntryView, NewEntries, entry_view
from penstock.services.management.models.groups import (
    MaintainerChange,
    MaintainerView,
    NewMaintainer,
    NewOrganization,
    OrganizationView,
)
from penstock.services.management.models.memberships import InvitationView, NewInvitation, NewMember
from penstock.services.management.models.users import AddedUser, UserView, user_view
from penstock.services.management.operations import groups, invitations, memberships, metadata
from penstock.services.management.operations.users import find_added
from penstock.services.management.ports import Logins
from penstock.services.management.store import invitations as invitation_store
from penstock.services.management.store import metadata as metadata_store
from penstock.services.management.store import organizations
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

MINE, LEVEL = Right.MAINTAINER, "maintainer"


def routes(logins: Logins) -> list[Route]:
    one = "/manage/maintainers/{maintainer_id}"
    return [
        get("/manage/maintainers", list_maintainers, needs=Right.TOKEN),
        post("/manage/maintainers", create_maintainer, needs=Right.SUPER, status=201),
        get(one, get_maintainer, needs=MINE),
        patch(one, change_maintainer, needs=MINE),
        delete(one, remove_maintainer, needs=Right.SUPER, status=204),
        get(f"{one}/organizations", list_organizations, needs=MINE, title="List organizations of a maintainer"),
        post(f"{one}/organizations", create_organization, needs=MINE, status=201),
        get(f"{one}/users", list_users, needs=MINE, title="List members of a maintainer"),
        post(f"{one}/users", add_user, needs=MINE, status=201, title="Add a member to a maintainer"),
        delete(f"{one}/users/{{user}}", remove_user, needs=MINE, status=204, title="Remove a member of a maintainer"),
        post(f"{one}/join-maintainer", join_maintainer, needs=Right.SUPER, status=204),
        get(f"{one}/invitations", list_invitations, needs=MINE, title="List invitations to a maintainer"),
        post(
            f"{one}/invitations",
            _Inviting(logins).invite,
            needs=MINE,
            status=201,
            title="Invite a user to a maintainer",
        ),
        get(
            f"{one}/invitations/{{invitation_id}}",
            get_invitation,
            needs=MINE,
            title="Get an invitation to a maintainer",
        ),
        delete(
            f"{one}/invitations/{{invitation_id}}",
            cancel_invitation,
            needs=MINE,
            status=204,
            title="Cancel an invitation to a maintainer",
        ),
        get(f"{one}/metadata", list_metadata, needs=MINE, title="List metadata of a maintainer"),
        post(f"{one}/metadata", put_metadata, needs=MINE, status=201, title="Set metadata of a maintainer"),
        delete(
            f"{one}/metadata/{{metadata_id}}",
            remove_metadata,
            needs=MINE,
            status=204,
            title="Remove metadata of a maintainer",
        ),
    ]


def list_maintainers(request: Request) -> list[MaintainerView]:
    """List the maintainers that the caller is a member of; for super administrators all."""
    with request.reading() as tx:
        return [groups.view_maintainer(tx, row) for row in groups.list_maintainers(tx, request.identity)]


def create_maintainer(request: Request, body: NewMaintainer) -> MaintainerView:
    """Create a maintainer; a user who does so is its first member."""
    with request.writing() as tx:
        return groups.view_maintainer(tx, groups.create_maintainer(tx, request.identity, body))


def get_maintainer(request: Request, maintainer_id: str) -> MaintainerView:
    with request.reading() as tx:
        return groups.view_maintainer(tx, groups.get_maintainer(tx, int(maintainer_id)))


def change_maintainer(request: Request, maintainer_id: str, body: MaintainerChange) -> MaintainerView:
    """Update the given fields."""
    with request.writing() as tx:
        row = groups.change_maintainer(tx, request.identity, int(maintainer_id), body)
        return groups.view_maintainer(tx, row)


def remove_maintainer(request: Request, maintainer_id: str) -> None:
    """One without organizations."""
    with request.writing() as tx:
        row = groups.get_maintainer(tx, groups.read_number("Maintainer", maintainer_id))
        groups.remove_maintainer(tx, request.identity, row.id)


def list_organizations(request: Request, maintainer_id: str) -> list[OrganizationView]:
    with request.reading() as tx:
        found = organizations.list_organizations(tx, int(maintainer_id))
        return [groups.view_organization(tx, row) for row in found]


def create_organization(request: Request, maintainer_id: str, body: NewOrganization) -> OrganizationView:
    """Create an organization; a user who does so is its first member."""
    with request.writing() as tx:
        row = groups.create_organization(tx, request.identity, int(maintainer_id), body)
        return groups.view_organization(tx, row)


def list_users(request: Request, maintainer_id: str) -> list[UserView]:
    with request.reading() as tx:
        return [user_view(each) for each in memberships.list_users(tx, LEVEL, int(maintainer_id))]


def add_user(request: Request, maintainer_id: str, body: AddedUser) -> UserView:
    """Add a member, without an invitation."""
    with request.writing() as tx:
        user = find_added(tx, request.identity, body)
        memberships.add_member(tx, request.identity, LEVEL, int(maintainer_id), user)
        return user_view(user)


def remove_user(request: Request, maintainer_id: str, user: str) -> None:
    with request.writing() as tx:
        memberships.remove_member(tx, request.identity, LEVEL, int(maintainer_id), user)


def join_maintainer(request: Request, maintainer_id: str) -> None:
    """Become a member, as a super administrator."""
    with request.writing() as tx:
        row = groups.get_maintainer(tx, groups.read_number("Maintainer", maintainer_id))
        groups.join_maintainer(tx, request.identity, row.id)


def list_invitations(request: Request, maintainer_id: str) -> list[InvitationView]:
    with request.reading() as tx:
        found = invitation_store.list_invitations(tx, LEVEL, int(maintainer_id))
        return invitations.view_all(tx, found)


class _Inviting:
    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def invite(self, request: Request, maintainer_id: str, body: NewInvitation) -> InvitationView:
        """Invite somebody by e-mail."""
        self._logins.begin_invitation(request.stack, request.identity, body.email)
        with request.writing() as tx:
            wanted = NewMember(email=body.email)
            row = invitations.invite(tx, request.stack.cipher, request.identity, LEVEL, int(maintainer_id), wanted)
            return invitations.view_all(tx, [row])[0]


def get_invitation(request: Request, maintainer_id: str, invitation_id: str) -> InvitationView:
    with request.reading() as tx:
        row = invitations.get_invitation(tx, LEVEL, int(maintainer_id), invitation_id)
        return invitations.view_all(tx, [row])[0]


def cancel_invitation(request: Request, maintainer_id: str, invitation_id: str) -> None:
    with request.writing() as tx:
        row = invitations.get_invitation(tx, LEVEL, int(maintainer_id), invitation_id)
        invitations.cancel(tx, request.identity, row)


def list_metadata(request: Request, maintainer_id: str) -> list[EntryView]:
    with request.reading() as tx:
        return [entry_view(row) for row in metadata_store.list_entries(tx, LEVEL, int(maintainer_id))]


def put_metadata(request: Request, maintainer_id: str, body: NewEntries) -> list[EntryView]:
    """Set keys; returns all of them."""
    with request.writing() as tx:
        return [entry_view(row) for row in metadata.put_entries(tx, request.identity, LEVEL, int(maintainer_id), body)]


def remove_metadata(request: Request, maintainer_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        metadata.remove_entry(tx, request.identity, LEVEL, int(maintainer_id), metadata_id)
