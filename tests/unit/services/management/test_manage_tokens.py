"""Manage tokens: their scopes are their rights, until they expire or are revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from penstock.app import list_scopes
from penstock.foundation import clock
from penstock.foundation.callers import Right
from penstock.foundation.errors import Invalid, NotFound, Unauthorized
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.notification.routes import PUSH_EVENTS
from penstock.services.oauth.routes.consumers import MANAGE_OAUTH
from tests.support.stacks import ServicesOnly


def create(services: ServicesOnly, *scopes: str, expires_in: int | None = None) -> tuple[int, str]:
    management.check_scopes(scopes, list_scopes())
    with services.stack.database.writing() as tx:
        token, text = management.create_manage_token(tx, "a program", scopes, expires_in)
    return token.id, text


def test_a_manage_token_has_the_rights_of_its_scopes(shared: ServicesOnly) -> None:
    number, text = create(shared, "oauth:manage")
    caller = login.authenticate_manager(shared.stack, text)

    assert (caller.token_id, caller.description, caller.scheme) == (number, "a program", "manage token")
    assert caller.has(MANAGE_OAUTH)
    assert not caller.has(PUSH_EVENTS)
    assert not caller.has(Right.MANAGE_TOKENS)


def test_a_manage_token_that_is_altered_revoked_or_expired_is_refused(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, altered), (revoked_id, revoked) = create(shared, "oauth:manage"), create(shared, "oauth:manage")
    _, expired = create(shared, "oauth:manage", expires_in=60)
    with shared.stack.database.writing() as tx:
        management.revoke_manage_token(tx, revoked_id)
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=61))

    for text in (
        altered[:-1] + ("0" if altered[-1] != "0" else "1"),
        revoked,
        expired,
        "",
        "manage-1-",
        "\x00",
        "9" * 99,
    ):
        with pytest.raises(Unauthorized):
            login.authenticate_manager(shared.stack, text)
    assert login.authenticate_manager(shared.stack, altered).token_id


def test_the_text_of_a_manage_token_is_not_stored(shared: ServicesOnly) -> None:
    _, text = create(shared, "oauth:manage")
    with shared.stack.database.reading() as tx:
        assert text.rpartition("-")[2] not in repr(management.list_manage_tokens(tx))


@pytest.mark.parametrize(("scope", "seconds"), [("oauth:mange", None), ("oauth:manage", 0), ("oauth:manage", 10**12)])
def test_a_wrong_scope_or_time_creates_nothing(shared: ServicesOnly, scope: str, seconds: int | None) -> None:
    with shared.stack.database.reading() as tx:
        before = {token.id for token in management.list_manage_tokens(tx)}
    with pytest.raises(Invalid):
        create(shared, scope, expires_in=seconds)
    with shared.stack.database.reading() as tx:
        assert {token.id for token in management.list_manage_tokens(tx)} == before


def test_a_manage_token_that_is_not_there_cannot_be_revoked(shared: ServicesOnly) -> None:
    with pytest.raises(NotFound), shared.stack.database.writing() as tx:
        management.revoke_manage_token(tx, 999_999)
