"""Users: one per e-mail address. Whoever is invited becomes one, and signs in later."""

from __future__ import annotations

import re

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import AnyCaller, Identity
from penstock.foundation.database import Transaction
from penstock.services.management.errors import InvalidEmail, LastAdministrator, ThingNotFound
from penstock.services.management.manage_tokens import remove_manage_tokens
from penstock.services.management.models.people import User
from penstock.services.management.models.users import AddedUser, UserChange
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.standing import can_see_user, find_user_by
from penstock.services.management.store import invitations, members, metadata, users

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# Not with "=?": mail programs decode such words (RFC 2047), into any characters.
_IS_EMAIL = re.compile(rf"(?=.{{3,254}}\Z)(?!.*=\?){_LOCAL}@{_LABEL}(\.{_LABEL})*").fullmatch


def check_email(address: str) -> str:
    """Return the address in lower case."""
    if not _IS_EMAIL(address.strip()):
        raise InvalidEmail(address)
    return address.strip().lower()


def get_user(tx: Transaction, text: str) -> User:
    found = find_user_by(tx, text)
    if not found:
        raise ThingNotFound("User", text)
    return found


def ensure_user(tx: Transaction, email: str) -> User:
    """The user with this address; a new one has only that yet."""
    address = check_email(email)
    found = users.find_user_by_email(tx, address)
    if found:
        return found
    users.add_user(tx, User(id=ids.new_id(tx), email=address, name=address.partition("@")[0], created=clock.now()))
    made = users.find_user_by_email(tx, address)
    assert made
    return made


def find_added(tx: Transaction, caller: AnyCaller, user: AddedUser) -> User:
    """The user that a request names by an address, which may be new, or by the id of one that the caller can see: by
    trying numbers, others would learn the name and address of everybody."""
    if isinstance(user.email, str):
        return ensure_user(tx, user.email)
    given = str(user.id) if isinstance(user.id, int) else ""
    found = get_user(tx, given)
    if not can_see_user(tx, caller, found.id):
        raise ThingNotFound("User", given)
    return found


def change_user(tx: Transaction, caller: Identity, text: str, change: UserChange) -> User:
    user = get_user(tx, text)
    changed = msgspec.structs.replace(user, name=change.name) if isinstance(change.name, str) else user
    users.change_user(tx, changed)
    record(tx, caller, "user.updated", f"user {user.id}")
    return changed


def remove_user(tx: Transaction, caller: Identity, text: str) -> None:
    """Remove a user, with every membership, invitation and token of the user."""
    user = get_user(tx, text)
    _keep_one_administrator(tx, user)
    for each in members.list_memberships(tx, user.id):
        members.remove_member(tx, each.level, each.owner_id, user.id)
    invitations.remove_everything_of(tx, user.id)
    metadata.remove_entries(tx, "user", user.id)
    remove_manage_tokens(tx, user.id)
    users.remove_user(tx, user.id)
    record(tx, caller, "user.deleted", f"user {user.id}", email=user.email)


def set_super_admin(tx: Transaction, caller: Identity, text: str, *, is_super: bool) -> User:
    user = get_user(tx, text)
    if not is_super:
        _keep_one_administrator(tx, user)
    changed = msgspec.structs.replace(user, is_super_admin=is_super)
    users.change_user(tx, changed)
    record(tx, caller, "user.superAdmin", f"user {user.id}", isSuperAdmin=is_super)
    return changed


def _keep_one_administrator(tx: Transaction, user: User) -> None:
    if user.is_super_admin and users.count_super_admins(tx) == 1:
        raise LastAdministrator
