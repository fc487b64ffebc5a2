"""An authorization: from the form to the provider, and back with a credential.

It is bound to the project, the component, the user's browser (a cookie) and one application. The state that the
provider sends back works once, and for ten minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from datetime import timedelta

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller, Identity
from penstock.foundation.outbound import Policy, oauth1
from penstock.foundation.outbound.urls import read_target
from penstock.foundation.stack import Stack
from penstock.services.oauth.errors import AuthorizationDenied, AuthorizationNotFound
from penstock.services.oauth.models.authorizations import Application, AuthorizationRow, AuthorizeForm, CallbackQuery
from penstock.services.oauth.models.consumers import Version
from penstock.services.oauth.models.credentials import CredentialRow
from penstock.services.oauth.operations import consumers, providers
from penstock.services.oauth.operations.applications import check_url, choose_application, make_location
from penstock.services.oauth.operations.auditing import describe_previous, record_credential
from penstock.services.oauth.operations.credentials import check_replaceable, replace_credential, to_branch
from penstock.services.oauth.operations.responses import find_expiry
from penstock.services.oauth.operations.sealing import scope_of, seal, unseal
from penstock.services.oauth.store import authorizations as store
from penstock.services.storage import interface as storage

LIFETIME = timedelta(minutes=10)
PENDING = 100
"""Of a project; the oldest ones are dropped."""
COOKIE = "penstock_oauth_"
AUTHORIZED = "oauth.credential.authorized"


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    caller: Caller
    component_id: str
    branch_id: int
    application: Application


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """What is known when the user is sent to the provider."""

    location: str
    state: str
    verifier: str
    session: str
    redirect_uri: str

    @property
    def cookie(self) -> str:
        return cookie_of(hash_state(self.state))


def prepare(stack: Stack, component_id: str, form: AuthorizeForm) -> Prepared:
    """Check the token, the role of its member, the component, and the addresses in the form."""
    caller = storage.authenticate_writer(stack, form.token)
    check_url("returnUrl", form.return_url)
    with stack.database.reading() as tx:
        component = storage.get_component(tx, caller, component_id)
        consumer = consumers.get_consumer(tx, component.id)
        branch_id = to_branch(tx, caller, form.branch_id)
        check_replaceable(tx, caller, component.id, form.id, branch_id)
        application = choose_application(tx, stack.cipher, consumer, caller.project_id, form)
    return Prepared(caller=caller, component_id=component.id, branch_id=branch_id, application=application)


async def begin(policy: Policy, application: Application, redirect_uri: str) -> Begun:
    """Return where to send the user. OAuth 1.0 asks the provider first."""
    values = {"client_id": application.key, "redirect_uri": redirect_uri}
    if application.version is Version.ONE:
        state, verifier = await providers.request_token(policy, application, redirect_uri)
        location = make_location(application.auth_url, {"oauth_token": state}, {})
    else:
        state, verifier = ids.new_secret(), ids.new_secret() if application.uses_pkce else ""
        more = {"response_type": "code", **_challenge(verifier)}
        location = make_location(application.auth_url, {**values, "hash": state}, more)
    return Begun(location=location, state=state, verifier=verifier, session=ids.new_secret(), redirect_uri=redirect_uri)


def keep(stack: Stack, prepared: Prepared, form: AuthorizeForm, begun: Begun) -> None:
    """Store the authorization, before the user is sent to the provider."""
    caller, application, cipher = prepared.caller, prepared.application, stack.cipher
    scope = scope_of(caller.project_id, prepared.component_id)
    with stack.database.writing(caller.project_id) as tx:
        row = AuthorizationRow(
            state=hash_state(begun.state),
            session=hash_state(begun.session),
            project_id=caller.project_id,
            component_id=prepared.component_id,
            id=form.id,
            branch_id=prepared.branch_id,
            authorized_for=form.authorized_for,
            creator_id=caller.token_id,
            sign_in_id=caller.sign_in_id,
            creator_description=caller.description,
            return_url=form.return_url,
            redirect_uri=begun.redirect_uri,
            oauth_version=application.version,
            app_key=application.key,
            app_secret=seal(tx, cipher, application.secret, scope),
            component_secret=seal(tx, cipher, application.component_secret, scope),
            token_url=application.token_url,
            has_custom_token_url=application.has_custom_token_url,
            verifier=seal(tx, cipher, begun.verifier, scope),
            expires=clock.now() + LIFETIME,
        )
        store.add_authorization(tx, row)
        store.remove_above(tx, caller.project_id, PENDING)


def take(stack: Stack, component_id: str, query: CallbackQuery, cookies: Mapping[str, str]) -> AuthorizationRow:
    """The authorization that a callback completes. It is removed, so that its state works once."""
    state = query.state or query.hash or query.oauth_token or query.denied
    with stack.database.reading() as tx:
        row = store.find_authorization(tx, hash_state(state))
    if not row or row.component_id != component_id or not _is_same_browser(row, cookies) or row.expires <= clock.now():
        raise AuthorizationNotFound
    with stack.database.writing(row.project_id) as tx:
        if not store.remove_authorization(tx, row):
            raise AuthorizationNotFound
        # A token that was revoked meanwhile, of the member or of the person, or whose member only reads by now,
        # authorizes nothing any more.
        storage.get_writer(tx, row.project_id, row.creator_id, sign_in_id=row.sign_in_id)
    return row


async def exchange(stack: Stack, row: AuthorizationRow, query: CallbackQuery) -> str:
    """What the provider returns: the text that is stored."""
    if query.error or query.denied:
        raise AuthorizationDenied(providers.to_word(query.error or "denied"))
    scope, cipher = scope_of(row.project_id, row.component_id), stack.cipher
    secret = unseal(cipher, row.app_secret, scope, "appSecret")
    verifier = unseal(cipher, row.verifier, scope, "verifier")
    if row.oauth_version is Version.TWO:
        return await providers.exchange_code(
            stack.outbound, row.token_url, row.app_key, secret, query.code, row.redirect_uri, verifier
        )
    keys = oauth1.Keys(consumer_key=row.app_key, consumer_secret=secret, token=query.oauth_token, token_secret=verifier)
    found = await providers.exchange_verifier(stack.outbound, row.token_url, keys, query.oauth_verifier)
    return msgspec.json.encode(found).decode()


def store_credential(stack: Stack, visitor: Identity, row: AuthorizationRow, text: str) -> None:
    """A credential with the same id is replaced: this is how an authorization is renewed. Meanwhile the user was at the
    provider, so what the token may do is checked again in the transaction that stores."""
    now, scope = clock.now(), scope_of(row.project_id, row.component_id)
    with stack.database.writing(row.project_id) as tx:
        caller = storage.get_writer(tx, row.project_id, row.creator_id, sign_in_id=row.sign_in_id)
        storage.get_component(tx, caller, row.component_id)
        check_replaceable(tx, caller, row.component_id, row.id, row.branch_id)
        credential = CredentialRow(
            number=ids.new_id(tx),
            project_id=row.project_id,
            component_id=row.component_id,
            id=row.id,
            branch_id=row.branch_id,
            authorized_for=row.authorized_for,
            creator_id=row.creator_id,
            creator_description=row.creator_description,
            created=now,
            oauth_version=row.oauth_version,
            app_key=row.app_key,
            app_secret=row.component_secret,
            data=stack.cipher.encrypt_text(text, scope),
            token_url=row.token_url if row.has_custom_token_url else None,
            expires=find_expiry(text, now),
        )
        previous, host = replace_credential(tx, credential), read_target(row.token_url).host
        details = {"replaced": bool(previous), **(describe_previous(previous) if previous else {}), "provider": host}
        record_credential(tx, _to_creator(visitor, row), AUTHORIZED, credential, **details)


def _to_creator(visitor: Identity, row: AuthorizationRow) -> Identity:
    """Return who started the authorization, at the address of the browser that completes it."""
    return msgspec.structs.replace(
        visitor, project_id=row.project_id, token_id=row.creator_id, description=row.creator_description
    )


def remove_expired(stack: Stack) -> None:
    with stack.database.writing() as tx:
        store.remove_expired(tx, clock.now())


def hash_state(state: str) -> str:
    """What is stored of a state or a session: neither can be used by those who read the database."""
    return ids.hash_secret(state).hex()


def cookie_of(state_hash: str) -> str:
    """Each authorization has a cookie of its own, so that two of them can be under way in one browser."""
    return COOKIE + state_hash[:16]


def _is_same_browser(row: AuthorizationRow, cookies: Mapping[str, str]) -> bool:
    return hmac.compare_digest(hash_state(cookies.get(cookie_of(row.state), "")), row.session)


def _challenge(verifier: str) -> dict[str, str]:
    """PKCE: only who has the verifier can use the code."""
    if not verifier:
        return {}
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return {"code_challenge": challenge, "code_challenge_method": "S256"}
