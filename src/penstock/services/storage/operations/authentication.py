"""Authentication: from a Storage token to its caller, with what its member and its project allow now."""

from __future__ import annotations

import hmac
import re
from datetime import datetime

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import ADMIN, Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.storage.errors.tokens import InvalidToken, NotAMember, ProjectClosed, TokenExpired
from penstock.services.storage.models.tokens import HeldToken, TokenRow
from penstock.services.storage.store import tokens

_TOKEN = re.compile(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})-([0-9a-f]{60})")


def authenticate(stack: Stack, text: str) -> Caller:
    """The caller that holds this token. A token of another stack is unknown here."""
    match = _TOKEN.fullmatch(text.strip())
    if not match:
        raise InvalidToken
    with stack.database.reading() as tx:
        token = _get_held(tx, int(match[1]), int(match[2]))
    if not _is_secret(token, match[3]):
        raise InvalidToken
    caller = _to_caller(token)
    if token.user_id is not None:
        with stack.database.reading() as tx:
            management.require_second_factor(tx, token.project_id, token.user_id)
    return caller


def _is_secret(token: TokenRow, secret: str) -> bool:
    digest = ids.hash_secret(secret)
    return any(
        hmac.compare_digest(each, digest) for each in (token.secret_hash, *map(bytes.fromhex, token.shared_hashes))
    )


def get_caller(tx: Transaction, project_id: int, token_id: int) -> Caller:
    """The caller that a token identifies now, for work that continues after its request."""
    return _to_caller(_get_held(tx, project_id, token_id))


def _to_caller(token: HeldToken) -> Caller:
    check_valid(token)
    return msgspec.structs.replace(
        to_caller(token, token.main_branch_id),
        has_storage_branches=management.STORAGE_BRANCHES in token.features,
        is_pay_as_you_go=management.PAY_AS_YOU_GO in token.features,
        role=token.role or ADMIN,
        may_share=token.may_share,
        user_id=token.user_id or 0,
        expires=token.ends,
    )


def check_valid(token: HeldToken) -> None:
    """Raises if it has expired, or if its user or its project may not be used."""
    if is_expired(token):
        raise TokenExpired
    if token.user_id is not None and (not token.role or has_passed(token.member_until)):
        raise NotAMember
    if problem := token.state.problem:
        raise ProjectClosed(problem)


def to_caller(token: TokenRow, branch_id: int) -> Caller:
    return Caller(
        project_id=token.project_id,
        branch_id=branch_id,
        main_branch_id=branch_id,
        token_id=token.id,
        description=token.description,
        is_master=token.is_master,
        can_manage_buckets=token.can_manage_buckets,
        can_manage_tokens=token.can_manage_tokens,
        can_create_jobs=token.can_create_jobs,
        can_read_all_files=token.can_read_all_files,
        can_purge_trash=token.can_purge_trash,
        bucket_permissions=token.bucket_permissions,
        component_access=tuple(token.component_access),
        expires=token.expires,
    )


def is_expired(token: TokenRow) -> bool:
    return has_passed(token.expires)


def has_passed(moment: datetime | None) -> bool:
    return moment is not None and moment <= clock.now()


def _get_held(tx: Transaction, project_id: int, token_id: int) -> HeldToken:
    token = tokens.find_held_token(tx, project_id, token_id)
    if not token:
        raise InvalidToken
    return token
