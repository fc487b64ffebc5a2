"""What a token of the Manage API is, and Storage tokens for members of a project."""

from __future__ import annotations

from msgspec import UNSET

from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.services.management.errors import ThingNotFound
from penstock.services.management.manage_tokens import InvalidManageToken, find_manage_token
from penstock.services.management.models.backends import OPERATOR
from penstock.services.management.models.tokens import NewStorageToken, TokenInfo
from penstock.services.management.models.users import user_view
from penstock.services.management.models.wire import Ref, to_text, to_text_or_none
from penstock.services.management.operations.projects import get_project
from penstock.services.management.operations.standing import check_second_factor, role_in, user_id_of
from penstock.services.management.ports import Logins
from penstock.services.management.store.users import find_user

HOUR = 3600


def view_token(tx: Transaction, logins: Logins, caller: AnyCaller) -> TokenInfo:
    """Return the description of a manage token, or of a token of a person."""
    token, user = find_manage_token(tx, caller.token_id), find_user(tx, user_id_of(caller))
    personal = logins.find_token(tx, caller.token_id) if not token else None
    known = token or personal
    if not known:
        raise InvalidManageToken
    return TokenInfo(
        id=known.id,
        description=known.description,
        created=to_text(known.created),
        last_used=to_text_or_none(known.last_used),
        expires=to_text_or_none(known.expires),
        is_session_token=personal is not None and personal.kind != "personal",
        scopes=token.scopes if token else [],
        type="admin" if user else "super",
        creator=Ref(id=user.id, name=user.name) if user else OPERATOR,
        user=user_view(user) if user else UNSET,
    )


def check_member(tx: Transaction, caller: AnyCaller, project_id: int) -> str:
    """The role of the caller in the project; raises if it has none."""
    role = role_in(tx, "project", project_id, user_id_of(caller))
    if not role:
        raise ThingNotFound("Project", project_id)
    return role


def for_member(tx: Transaction, caller: AnyCaller, project_id: int) -> NewStorageToken:
    """What a token may do that acts for a member of the project, within the role that the member has at the time of a
    request."""
    check_member(tx, caller, project_id)
    check_second_factor(tx, get_project(tx, project_id), user_id_of(caller))
    return NewStorageToken(
        description=f"For {caller.description}",
        can_manage_buckets=True,
        can_create_jobs=True,
        can_read_all_file_uploads=True,
        can_purge_trash=True,
        expires_in=HOUR,
    )
