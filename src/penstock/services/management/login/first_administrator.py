"""The first administrator of a stack, who gets a link to set a password."""

from __future__ import annotations

from penstock.foundation import audit, clock, ids
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.services.management.login.links import make_link
from penstock.services.management.login.store.logins import has_any_password
from penstock.services.management.models.people import Level, Member, User
from penstock.services.management.models.projects import FIRST_ORGANIZATION
from penstock.services.management.store.members import add_member
from penstock.services.management.store.users import add_user, find_first_super_admin, find_user_by_email

FIRST_MAINTAINER = 1


def make_first_link(tx: Transaction, email: str, project_id: int) -> str | None:
    """The path of a link for the first administrator, as long as nobody can sign in with a password."""
    if has_any_password(tx):
        return None
    return make_link(tx, ensure_administrator(tx, email, project_id).id)


def ensure_administrator(tx: Transaction, email: str, project_id: int) -> User:
    """A super administrator: the first one, or a new one who is a member of the first of everything."""
    if known := find_first_super_admin(tx):
        return known
    now, address = clock.now(), email.strip().lower()
    user = User(
        id=ids.new_id(tx), email=address, name="Administrator", created=now, is_super_admin=True, can_access_logs=True
    )
    add_user(tx, user)
    levels: dict[Level, int] = {
        "maintainer": FIRST_MAINTAINER,
        "organization": FIRST_ORGANIZATION,
        "project": project_id,
    }
    for level, owner_id in levels.items():
        add_member(tx, Member(level=level, owner_id=owner_id, user_id=user.id, created=now))
    audit.record(tx, audit.NewEntry(event="user.created", project_id=0, target=f"user {user.id}"))
    return user


def get_user_or_first(tx: Transaction, email: str | None) -> User:
    """A user by e-mail; without one, the first administrator."""
    user = find_user_by_email(tx, email) if email else find_first_super_admin(tx)
    if not user:
        raise NotFound(f"There is no user {email}." if email else "The stack has no administrator yet: start it first.")
    return user


def make_link_of(tx: Transaction, email: str | None) -> tuple[User, str]:
    """The user, and the path of a link for it."""
    user = get_user_or_first(tx, email)
    return user, make_link(tx, user.id)
