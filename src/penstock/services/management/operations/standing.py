"""What a caller may do with the maintainer, organization, project or user that a path names.

A super administrator may do everything. A member of a maintainer reads its organizations and their projects, and a
member of an organization its projects; they administer them as well if the organization allows that (`allowAutoJoin`).
Whoever may not even read something is told that it does not exist. Where an organization requires a second factor,
members of it and of its projects are refused until they have one; super administrators are not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from penstock.foundation import clock, ids
from penstock.foundation.callers import GUEST, AnyCaller, AnyRight, Right, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management.errors import AccessDenied, SecondFactorRequired, ShareNotYours, ThingNotFound
from penstock.services.management.models.groups import Organization
from penstock.services.management.models.people import ADMINISTRATORS, Level, Member, Role, User
from penstock.services.management.models.projects import Project
from penstock.services.management.store import maintainers, organizations, projects, users
from penstock.services.management.store.members import find_member, list_memberships

NONE, VISITOR, READER, MANAGER = range(4)
"""A visitor is a guest of a project."""


def check_object(stack: Stack, caller: AnyCaller, right: AnyRight, parameters: Mapping[str, str]) -> None:
    """Raises ThingNotFound or AccessDenied."""
    find, parameter, needed = _CHECKS[right]
    with stack.database.reading() as tx:
        standing = find(tx, caller, parameters[parameter])
    if standing < needed:
        raise AccessDenied


def user_id_of(caller: AnyCaller) -> int:
    """0 for programs."""
    return caller.user_id if isinstance(caller, SignedIn) else 0


def is_super(caller: AnyCaller) -> bool:
    return caller.has(Right.SUPER)


def is_member(tx: Transaction, level: Level, owner_id: int, user_id: int) -> bool:
    return role_in(tx, level, owner_id, user_id) is not None


def role_in(tx: Transaction, level: Level, owner_id: int, user_id: int) -> str | None:
    """Return None for users who are not members, or no longer."""
    member = find_member(tx, level, owner_id, user_id) if user_id else None
    return member.role if member and not (member.expires and member.expires <= clock.now()) else None


def check_may_grant(tx: Transaction, caller: AnyCaller, project_id: int, role: Role) -> None:
    """Raises unless the caller may give this role: `share` is given by members of the organization."""
    project = projects.find_project(tx, project_id) if role == "share" and not is_super(caller) else None
    if project and not is_member(tx, "organization", project.organization_id, user_id_of(caller)):
        raise ShareNotYours


def find_user_by(tx: Transaction, text: str) -> User | None:
    """Find a user by its number or its e-mail address."""
    number = ids.read_id(text)
    return users.find_user_by_email(tx, text) if number is None else users.find_user(tx, number)


def check_second_factor(tx: Transaction, within: Organization | Project, user_id: int) -> None:
    """Raises SecondFactorRequired for a user without one, if the organization requires it. Programs have none."""
    organization_id = within.organization_id if isinstance(within, Project) else within.id
    above = organizations.find_organization(tx, organization_id)
    user = users.find_user(tx, user_id) if above and above.mfa_required else None
    if above and user and not user.mfa_enabled:
        raise SecondFactorRequired(above.name)


def require_second_factor(tx: Transaction, project_id: int, user_id: int) -> None:
    """The same for requests to a project."""
    if project := projects.find_project(tx, project_id):
        check_second_factor(tx, project, user_id)


def may_invite(tx: Transaction, level: Level, owner_id: int, user_id: int, role: Role) -> bool:
    """Whether a user may give others this role there, now."""
    user = users.find_user(tx, user_id)
    if user and not user.is_super_admin and level == "project":
        project = projects.find_project(tx, owner_id)
        is_above = project and is_member(tx, "organization", project.organization_id, user_id)
        return bool(project and _in_project(tx, user_id, project) == MANAGER and (role != "share" or is_above))
    if user and not user.is_super_admin and level == "organization":
        row = organizations.find_organization(tx, owner_id)
        return bool(row and _in_organization(tx, user_id, row) == MANAGER)
    return bool(user and (user.is_super_admin or is_member(tx, level, owner_id, user_id)))


def _on_maintainer(tx: Transaction, caller: AnyCaller, text: str) -> int:
    number = ids.read_id(text)
    found = number is not None and maintainers.find_maintainer(tx, number)
    standing = MANAGER if is_super(caller) else NONE
    if found and is_member(tx, "maintainer", found.id, user_id_of(caller)):
        standing = MANAGER
    return _known("Maintainer", text, standing, exists=bool(found))


def _on_organization(tx: Transaction, caller: AnyCaller, text: str) -> int:
    number = ids.read_id(text)
    found = organizations.find_organization(tx, number) if number is not None else None
    standing = MANAGER if is_super(caller) else NONE
    if found and not standing:
        standing = _in_organization(tx, user_id_of(caller), found)
        if standing:
            check_second_factor(tx, found, user_id_of(caller))
    return _known("Organization", text, standing, exists=bool(found))


def _in_organization(tx: Transaction, user_id: int, row: Organization) -> int:
    if is_member(tx, "organization", row.id, user_id):
        return MANAGER
    if is_member(tx, "maintainer", row.maintainer_id, user_id):
        return MANAGER if row.allow_auto_join else READER
    return NONE


def _on_project(tx: Transaction, caller: AnyCaller, text: str) -> int:
    number = ids.read_id(text)
    found = projects.find_project(tx, number) if number is not None else None
    standing = MANAGER if is_super(caller) else NONE
    if found and not standing:
        standing = _in_project(tx, user_id_of(caller), found)
        if standing:
            check_second_factor(tx, found, user_id_of(caller))
    return _known("Project", text, standing, exists=bool(found and not found.deleted))


def _in_project(tx: Transaction, user_id: int, project: Project) -> int:
    role = role_in(tx, "project", project.id, user_id)
    if role in ADMINISTRATORS:
        return MANAGER
    above = organizations.find_organization(tx, project.organization_id)
    if above and _in_organization(tx, user_id, above):
        return MANAGER if above.allow_auto_join else READER
    return VISITOR if role == GUEST else READER if role else NONE


def can_see_user(tx: Transaction, caller: AnyCaller, user_id: int) -> bool:
    """Whether the caller may read something that the user is a member of."""
    reader = user_id_of(caller)
    return is_super(caller) or any(_may_read(tx, reader, each) for each in list_memberships(tx, user_id))


def _may_read(tx: Transaction, user_id: int, of: Member) -> bool:
    if of.level == "project":
        project = projects.find_project(tx, of.owner_id)
        return project is not None and _in_project(tx, user_id, project) >= READER
    if of.level == "organization":
        row = organizations.find_organization(tx, of.owner_id)
        return bool(row and _in_organization(tx, user_id, row))
    return is_member(tx, "maintainer", of.owner_id, user_id)


def _on_user(tx: Transaction, caller: AnyCaller, text: str) -> int:
    found = find_user_by(tx, text)
    is_same = bool(found) and found.id == user_id_of(caller)
    return _known("User", text, MANAGER if is_same or is_super(caller) else NONE, exists=bool(found))


def _known(kind: str, text: str, standing: int, *, exists: bool) -> int:
    if not exists or not standing:
        raise ThingNotFound(kind, text)
    return standing


_CHECKS: dict[AnyRight, tuple[Callable[[Transaction, AnyCaller, str], int], str, int]] = {
    Right.MAINTAINER: (_on_maintainer, "maintainer_id", MANAGER),
    Right.READ_ORGANIZATION: (_on_organization, "organization_id", READER),
    Right.MANAGE_ORGANIZATION: (_on_organization, "organization_id", MANAGER),
    Right.READ_PROJECT: (_on_project, "project_id", VISITOR),
    Right.READ_MEMBERS: (_on_project, "project_id", READER),
    Right.MANAGE_PROJECT: (_on_project, "project_id", MANAGER),
    Right.SAME_USER: (_on_user, "user", MANAGER),
}
"""How a right is checked, the parameter that it is about, and the standing that it takes."""
