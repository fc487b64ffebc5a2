"""Users over HTTP. `user` is a number or an e-mail address."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.management.models.features import EntryView, FeatureRef, NewEntries, entry_view
from penstock.services.management.models.groups import MaintainerView, OrganizationView, ProjectRef
from penstock.services.management.models.people import Level
from penstock.services.management.models.users import UserChange, UserView, user_view
from penstock.services.management.models.wire import to_text
from penstock.services.management.operations import features, groups, metadata, users
from penstock.services.management.ports import Logins
from penstock.services.management.store import metadata as metadata_store
from penstock.services.management.store import projects as project_store
from penstock.services.management.store.members import list_memberships
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

SAME, SUPER = Right.SAME_USER, Right.SUPER


def routes(logins: Logins) -> list[Route]:
    one, removing = "/manage/users/{user}", _Removing(logins)
    return [
        get(one, get_user, needs=SAME),
        put(one, change_user, needs=SAME),
        delete(one, removing.remove_user, needs=SUPER, status=204),
        post(f"{one}/features", add_feature, needs=SUPER, title="Add a feature to a user"),
        delete(f"{one}/features/{{feature}}", remove_feature, needs=SUPER, title="Remove a feature of a user"),
        get(f"{one}/metadata", list_metadata, needs=SAME, title="List metadata of a user"),
        post(f"{one}/metadata", put_metadata, needs=SAME, status=201, title="Set metadata of a user"),
        delete(
            f"{one}/metadata/{{metadata_id}}",
            remove_metadata,
            needs=SAME,
            status=204,
            title="Remove metadata of a user",
        ),
        delete(f"{one}/mfa", removing.remove_mfa, needs=SUPER, status=204, title="Remove the second factor of a user"),
        post(f"{one}/super-admin", add_super_admin, needs=SUPER, title="Make a user a super administrator"),
        delete(
            f"{one}/super-admin", remove_super_admin, needs=SUPER, title="Revoke the rights of a super administrator"
        ),
        get(f"{one}/projects", list_projects, needs=SAME, title="List projects of a user"),
        get(f"{one}/organizations", list_organizations, needs=SAME, title="List organizations of a user"),
        get(f"{one}/maintainers", list_maintainers, needs=SAME, title="List maintainers of a user"),
    ]


def get_user(request: Request, user: str) -> UserView:
    with request.reading() as tx:
        return user_view(users.get_user(tx, user))


def change_user(request: Request, user: str, body: UserChange) -> UserView:
    """Update the given fields."""
    with request.writing() as tx:
        return user_view(users.change_user(tx, request.identity, user, body))


class _Removing:
    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def remove_user(self, request: Request, user: str) -> None:
        """Remove a user, with every membership, invitation and token of the user."""
        with request.writing(across_projects=True) as tx:
            found = users.get_user(tx, user)
            users.remove_user(tx, request.identity, user)
            self._logins.forget_user(tx, found.id)

    def remove_mfa(self, request: Request, user: str) -> None:
        """Remove the second factor of a user who has lost it."""
        with request.writing() as tx:
            self._logins.remove_second_factor(tx, request.identity, users.get_user(tx, user).id)


def add_feature(request: Request, user: str, body: FeatureRef) -> UserView:
    with request.writing() as tx:
        found = users.get_user(tx, user)
        return user_view(features.set_of_user(tx, request.identity, found, body.feature, is_on=True))


def remove_feature(request: Request, user: str, feature: str) -> UserView:
    with request.writing() as tx:
        found = users.get_user(tx, user)
        return user_view(features.set_of_user(tx, request.identity, found, feature, is_on=False))


def list_metadata(request: Request, user: str) -> list[EntryView]:
    with request.reading() as tx:
        return [entry_view(row) for row in metadata_store.list_entries(tx, "user", users.get_user(tx, user).id)]


def put_metadata(request: Request, user: str, body: NewEntries) -> list[EntryView]:
    """Set keys; returns all of them."""
    with request.writing() as tx:
        number = users.get_user(tx, user).id
        return [entry_view(row) for row in metadata.put_entries(tx, request.identity, "user", number, body)]


def remove_metadata(request: Request, user: str, metadata_id: str) -> None:
    with request.writing() as tx:
        metadata.remove_entry(tx, request.identity, "user", users.get_user(tx, user).id, metadata_id)


def add_super_admin(request: Request, user: str) -> UserView:
    with request.writing() as tx:
        return user_view(users.set_super_admin(tx, request.identity, user, is_super=True))


def remove_super_admin(request: Request, user: str) -> UserView:
    """Take the right from a super administrator, except the last one."""
    with request.writing() as tx:
        return user_view(users.set_super_admin(tx, request.identity, user, is_super=False))


def list_projects(request: Request, user: str) -> list[ProjectRef]:
    """The projects that the user is a member of."""
    with request.reading() as tx:
        found = project_store.list_by_ids(tx, _owners(tx, user, "project"))
        return [ProjectRef(id=row.id, name=row.name, created=to_text(row.created)) for row in found]


def list_organizations(request: Request, user: str) -> list[OrganizationView]:
    with request.reading() as tx:
        found = [groups.get_organization(tx, number) for number in _owners(tx, user, "organization")]
        return [groups.view_organization(tx, row) for row in found]


def list_maintainers(request: Request, user: str) -> list[MaintainerView]:
    with request.reading() as tx:
        found = [groups.get_maintainer(tx, number) for number in _owners(tx, user, "maintainer")]
        return [groups.view_maintainer(tx, row) for row in found]


def _owners(tx: Transaction, user: str, level: Level) -> list[int]:
    """What the user is a member of."""
    return [each.owner_id for each in list_memberships(tx, users.get_user(tx, user).id) if each.level == level]
