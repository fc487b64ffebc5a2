"""Organizations over HTTP, with their projects, members, invitations and metadata."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.management.models.features import EntryView, NewEntries, entry_view
from penstock.services.management.models.groups import ForcedMfa, OrganizationChange, OrganizationView
from penstock.services.management.models.memberships import InvitationView, NewInvitation, NewMember
from penstock.services.management.models.project_views import NewProject, ProjectView
from penstock.services.management.models.users import AddedUser, UserRef, UserView, user_ref, user_view
from penstock.services.management.operations import groups, invitations, memberships, metadata, projects
from penstock.services.management.operations.project_views import view_projects
from penstock.services.management.operations.users import find_added
from penstock.services.management.ports import Logins, Storage
from penstock.services.management.store import invitations as invitation_store
from penstock.services.management.store import metadata as metadata_store
from penstock.services.management.store import projects as project_store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

READ, MANAGE, LEVEL = Right.READ_ORGANIZATION, Right.MANAGE_ORGANIZATION, "organization"


def routes(storage: Storage, logins: Logins) -> list[Route]:
    one, of_projects = "/manage/organizations/{organization_id}", _Projects(storage)
    return [
        get("/manage/organizations", list_organizations, needs=Right.TOKEN),
        get(one, get_organization, needs=READ),
        patch(one, change_organization, needs=MANAGE),
        delete(one, remove_organization, needs=MANAGE, status=204),
        get(f"{one}/projects", of_projects.list_projects, needs=READ, title="List projects of an organization"),
        post(f"{one}/projects", of_projects.create_project, needs=MANAGE, status=201),
        get(f"{one}/users", list_users, needs=READ, title="List members of an organization"),
        post(f"{one}/users", add_user, needs=MANAGE, status=201, title="Add a member to an organization"),
        delete(
            f"{one}/users/{{user}}", remove_user, needs=MANAGE, status=204, title="Remove a member of an organization"
        ),
        get(
            f"{one}/projects-users",
            list_users_of_projects,
            needs=READ,
            title="List members of all projects of an organization",
        ),
        get(f"{one}/invitations", list_invitations, needs=READ, title="List invitations to an organization"),
        post(
            f"{one}/invitations",
            _Inviting(logins).invite,
            needs=MANAGE,
            status=201,
            title="Invite a user to an organization",
        ),
        get(
            f"{one}/invitations/{{invitation_id}}",
            get_invitation,
            needs=READ,
            title="Get an invitation to an organization",
        ),
        delete(
            f"{one}/invitations/{{invitation_id}}",
            cancel_invitation,
            needs=MANAGE,
            status=204,
            title="Cancel an invitation to an organization",
        ),
        get(f"{one}/metadata", list_metadata, needs=READ, title="List metadata of an organization"),
        post(f"{one}/metadata", put_metadata, needs=MANAGE, status=201, title="Set metadata of an organization"),
        delete(
            f"{one}/metadata/{{metadata_id}}",
            remove_metadata,
            needs=MANAGE,
            status=204,
            title="Remove metadata of an organization",
        ),
        post(f"{one}/join-organization", join_organization, needs=READ, status=204),
        post(f"{one}/force-mfa", force_mfa, needs=MANAGE, title="Require a second factor in an organization"),
        patch(f"{one}/force-mfa", force_mfa, needs=MANAGE, title="Require a second factor in an organization"),
    ]


def list_organizations(request: Request) -> list[OrganizationView]:
    """List the organizations that the caller is a member of; for super administrators all."""
    with request.reading() as tx:
        return [groups.view_organization(tx, row) for row in groups.list_organizations(tx, request.identity)]


def get_organization(request: Request, organization_id: str) -> OrganizationView:
    with request.reading() as tx:
        return groups.view_organization(tx, groups.get_organization(tx, int(organization_id)))


def change_organization(request: Request, organization_id: str, body: OrganizationChange) -> OrganizationView:
    """Update the given fields."""
    with request.writing() as tx:
        row = groups.change_organization(tx, request.identity, int(organization_id), body)
        return groups.view_organization(tx, row)


def remove_organization(request: Request, organization_id: str) -> None:
    """One without projects."""
    with request.writing() as tx:
        groups.remove_organization(tx, request.identity, int(organization_id))


class _Projects:
    """Rows that ask Storage what projects hold."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def list_projects(self, request: Request, organization_id: str) -> list[ProjectView]:
        with request.reading() as tx:
            found = project_store.list_projects(tx, int(organization_id))
            return view_projects(tx, self._storage, request.addresses.host_of(STORAGE), found)

    def create_project(self, request: Request, organization_id: str, body: NewProject) -> ProjectView:
        """Create a project; a user who does so is its first administrator."""
        with request.writing() as tx:
            made = projects.create_project(tx, self._storage, request.identity, int(organization_id), body)
            return view_projects(tx, self._storage, request.addresses.host_of(STORAGE), [made])[0]


def list_users_of_projects(request: Request, organization_id: str) -> list[UserRef]:
    """The members of all projects of the organization, each once."""
    with request.reading() as tx:
        found = [row.id for row in project_store.list_projects(tx, int(organization_id))]
        return [user_ref(user) for user in memberships.list_users_of_projects(tx, found)]


def join_organization(request: Request, organization_id: str) -> None:
    """Become a member, as a member of its maintainer, if the organization allows that."""
    with request.writing() as tx:
        row = groups.get_organization(tx, int(organization_id))
        memberships.join_freely(tx, request.identity, LEVEL, row.id, is_open=row.allow_auto_join)


def force_mfa(request: Request, organization_id: str, body: ForcedMfa) -> OrganizationView:
    """Require a second factor of everybody who works in projects of the organization."""
    with request.writing() as tx:
        wanted = OrganizationChange(mfa_required=body.mfa_required)
        row = groups.change_organization(tx, request.identity, int(organization_id), wanted)
        return groups.view_organization(tx, row)


def list_users(request: Request, organization_id: str) -> list[UserView]:
    with request.reading() as tx:
        return [user_view(each) for each in memberships.list_users(tx, LEVEL, int(organization_id))]


def add_user(request: Request, organization_id: str, body: AddedUser) -> UserView:
    """Add a member, without an invitation."""
    with request.writing() as tx:
        user = find_added(tx, request.identity, body)
        memberships.add_member(tx, request.identity, LEVEL, int(organization_id), user)
        return user_view(user)


def remove_user(request: Request, organization_id: str, user: str) -> None:
    with request.writing() as tx:
        memberships.remove_member(tx, request.identity, LEVEL, int(organization_id), user)


def list_invitations(request: Request, organization_id: str) -> list[InvitationView]:
    with request.reading() as tx:
        found = invitation_store.list_invitations(tx, LEVEL, int(organization_id))
        return invitations.view_all(tx, found)


class _Inviting:
    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def invite(self, request: Request, organization_id: str, body: NewInvitation) -> InvitationView:
        """Invite somebody by e-mail."""
        self._logins.begin_invitation(request.stack, request.identity, body.email)
        with request.writing() as tx:
            wanted = NewMember(email=body.email)
            row = invitations.invite(tx, request.stack.cipher, request.identity, LEVEL, int(organization_id), wanted)
            return invitations.view_all(tx, [row])[0]


def get_invitation(request: Request, organization_id: str, invitation_id: str) -> InvitationView:
    with request.reading() as tx:
        row = invitations.get_invitation(tx, LEVEL, int(organization_id), invitation_id)
        return invitations.view_all(tx, [row])[0]


def cancel_invitation(request: Request, organization_id: str, invitation_id: str) -> None:
    with request.writing() as tx:
        row = invitations.get_invitation(tx, LEVEL, int(organization_id), invitation_id)
        invitations.cancel(tx, request.identity, row)


def list_metadata(request: Request, organization_id: str) -> list[EntryView]:
    with request.reading() as tx:
        return [entry_view(row) for row in metadata_store.list_entries(tx, LEVEL, int(organization_id))]


def put_metadata(request: Request, organization_id: str, body: NewEntries) -> list[EntryView]:
    """Set keys; returns all of them."""
    with request.writing() as tx:
        return [
            entry_view(row) for row in metadata.put_entries(tx, request.identity, LEVEL, int(organization_id), body)
        ]


def remove_metadata(request: Request, organization_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        metadata.remove_entry(tx, request.identity, LEVEL, int(organization_id), metadata_id)
