"""From a request to its caller, and whether it may make this request: the right that the route needs, and its role.

A credential is looked up once, until any credential changes. A cached caller is used only until then, whichever process
makes the change; so a token that is revoked, or may do less, stops working immediately, and no request waits for that.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation import clock
from penstock.foundation.callers import CALLERS, GUEST, NOBODY, AnyCaller, AnyRight, Caller, Origin, Right
from penstock.foundation.database.versioned_cache import VersionedCache
from penstock.foundation.errors import Forbidden, RoleNotEnough, Unauthorized
from penstock.foundation.roles import require_writer
from penstock.foundation.stack import Stack
from penstock.web.auth.scheme import Scheme
from penstock.web.routing import Route

RUN_HEADER, RUN_CHARACTERS = "x-kbc-runid", 255
ORIGIN_CHARACTERS = 1000
CACHED = timedelta(minutes=1)
SHARES_NOT = 'does not share buckets: that takes the role "share", or membership of the organization'


class NotAllowed(Forbidden):
    def __init__(self, right: AnyRight) -> None:
        hint = f" It needs {right.value}: one with {right.granted_by}." if right.granted_by else ""
        super().__init__(f"You don't have access to the resource.{hint}")


class Identification:
    """Turns requests into callers, by the scheme of the row or of its service."""

    def __init__(self, stack: Stack, scheme: Scheme) -> None:
        self._stack, self._scheme = stack, scheme
        self._callers = VersionedCache[tuple[AnyCaller, datetime]]()

    def get(self, route: Route, http: HttpRequest) -> AnyCaller | None:
        """The caller, if it is cached. Raises if there is no credential, or if its caller may not do this."""
        if route.needs is Right.PUBLIC:
            return NOBODY
        scheme, credential = self._scheme_of(route), self.find_credential(route, http)
        if not credential:
            missing = scheme.explain_missing(http)
            missing.challenge = scheme.challenge(http) if scheme.challenge else ""
            raise missing
        caller = self._find_known(scheme, credential)
        if not caller:
            return None
        _check_right(route, caller)
        return None if route.needs.is_of_object else caller

    def authenticate(self, route: Route, http: HttpRequest) -> AnyCaller:
        """The caller, from the database, with its right to what the path names."""
        scheme, caller = self._scheme_of(route), self.identify(route, http)
        _check_right(route, caller)
        if route.needs.is_of_object and scheme.check_object:
            scheme.check_object(self._stack, caller, route.needs, http.path_params)
        return caller

    def identify(self, route: Route, http: HttpRequest) -> AnyCaller:
        """The caller, whatever it may do."""
        scheme, credential, version = self._scheme_of(route), self.find_credential(route, http), self._version
        caller = self._find_known(scheme, credential)
        if not caller:
            caller = self._find_caller(scheme, credential, http)
            self._callers.put(version, (scheme.name, hash_credential(credential)), (caller, clock.now()))
        return caller

    def _find_caller(self, scheme: Scheme, credential: str, http: HttpRequest) -> AnyCaller:
        try:
            return scheme.find_caller(self._stack, credential)
        except Unauthorized as error:
            error.challenge = scheme.challenge(http) if scheme.challenge else ""
            raise

    def _find_known(self, scheme: Scheme, credential: str) -> AnyCaller | None:
        """Unless it was looked up longer ago than a minute: services note when a credential was last used."""
        entry = self._callers.get(self._version, (scheme.name, hash_credential(credential)))
        if not entry:
            return None
        (caller, since), now = entry, clock.now()
        return None if since + CACHED <= now or (caller.expires and caller.expires <= now) else caller

    def find_credential(self, route: Route, http: HttpRequest) -> str:
        """Empty if the request has none."""
        return self._scheme_of(route).find_credential(http)

    def _scheme_of(self, route: Route) -> Scheme:
        return route.auth or self._scheme

    @property
    def _version(self) -> int | None:
        return self._stack.database.version(CALLERS)


def hash_credential(credential: str) -> bytes:
    """The key of a credential in caches: they do not hold its text."""
    return hashlib.sha256(credential.encode()).digest()


def to_token(credential: str) -> str:
    """Return the token without the secrets that some schemes add to it: a client that varies these does not get more
    requests."""
    return credential.partition(" ")[0]


def with_origin(caller: AnyCaller, http: HttpRequest, address: str) -> AnyCaller:
    """The caller, with what this request says of itself, and the address that it comes from."""
    run_id, headers = http.headers.get(RUN_HEADER), http.headers
    origin = Origin(
        address=address,
        user_agent=headers.get("user-agent", "")[:ORIGIN_CHARACTERS],
        referer=headers.get("referer", "")[:ORIGIN_CHARACTERS],
    )
    return msgspec.structs.replace(caller, run_id=run_id[:RUN_CHARACTERS] if run_id else None, origin=origin)


def _check_right(route: Route, caller: AnyCaller) -> None:
    if isinstance(caller, Caller) and caller.only_reads:
        _check_role(route, caller)
    if not caller.has(route.needs):
        if route.needs is Right.SHARE_BUCKETS and isinstance(caller, Caller) and not caller.may_share:
            raise RoleNotEnough(caller.role, SHARES_NOT)
        raise NotAllowed(route.needs)


def _check_role(route: Route, caller: Caller) -> None:
    """Refuse what the role of a member refuses, whatever the permissions of its token are."""
    if route.writes and not route.is_for_readers:
        require_writer(caller)
    if caller.role == GUEST and (route.is_confidential or not caller.has(route.needs)):
        raise RoleNotEnough(caller.role, "may not read tokens, members, the audit log or secrets")
