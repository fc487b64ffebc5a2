"""Who asks: the token of a request, looked up once until any token changes.

A caller is remembered only until then, in whatever process it happens; so a token that is revoked or may do less stops
at once, and no request has to wait for that.
"""

from __future__ import annotations

import hashlib

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation import clock
from penstock.foundation.callers import CALLERS, Caller, Origin, Right
from penstock.foundation.errors import Forbidden, Unauthorized
from penstock.foundation.stack import Stack
from penstock.foundation.versioned_cache import VersionedCache
from penstock.web.requests import NOBODY, Authenticate
from penstock.web.routing import Route

TOKEN_HEADER = "x-storageapi-token"  # noqa: S105
PROJECT_HEADER, PROJECT_CHARACTERS = "X-KBC-ProjectId", 20
PERSONAL = ("kbc_pat_", "kbc_at_")
"""What tokens of persons begin with, as management services issue them."""
RUN_HEADER, RUN_CHARACTERS = "x-kbc-runid", 255
ORIGIN_CHARACTERS = 1000


class MissingToken(Unauthorized):
    def __init__(self) -> None:
        super().__init__("Access token must be set")


class PersonalTokenNotIssued(Unauthorized):
    """Clients send one with the number of the project that they want to open."""

    code = "storage.tokenInvalid"

    def __init__(self, project: str) -> None:
        wanted = f"the project {project}" if project.isdecimal() else "a project"
        problem = "" if project.isdecimal() else f" The header {PROJECT_HEADER} must hold the number of the project."
        super().__init__(
            f"This stack does not issue personal access tokens yet, so that one cannot open {wanted}. "
            f"Send a Storage token of the project in the header X-StorageApi-Token.{problem}"
        )


class NotAllowed(Forbidden):
    def __init__(self) -> None:
        super().__init__("You don't have access to the resource.")


class Identification:
    def __init__(self, stack: Stack, authenticate: Authenticate) -> None:
        self._stack, self._authenticate = stack, authenticate
        self._callers = VersionedCache[Caller]()

    def recall(self, row: Route, http: HttpRequest) -> Caller | None:
        """Who asks, if that is known already; reads nothing. Raises if no token is there, or it may not do this."""
        if row.needs is Right.PUBLIC:
            return NOBODY
        token = read_token(http)
        if not token:
            raise _missing(http)
        known = self._callers.recall(self._version, hash_token(token))
        if not known or (known.expires and known.expires <= clock.now()):
            return None
        return _allowed(row, known)

    def identify(self, row: Route, http: HttpRequest) -> Caller:
        """Who asks, from the database."""
        token, version = read_token(http), self._version
        caller = self._authenticate(self._stack, token)
        self._callers.keep(version, hash_token(token), caller)
        return _allowed(row, caller)

    @property
    def _version(self) -> int | None:
        return self._stack.database.version(CALLERS)


def read_token(http: HttpRequest) -> str:
    return http.headers.get(TOKEN_HEADER, "")


def _missing(http: HttpRequest) -> Unauthorized:
    """Why a request without a Storage token is refused."""
    scheme, _, token = http.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip().startswith(PERSONAL):
        return PersonalTokenNotIssued(http.headers.get(PROJECT_HEADER, "")[:PROJECT_CHARACTERS])
    return MissingToken()


def hash_token(token: str) -> bytes:
    """What a token is remembered by: the text itself is kept nowhere."""
    return hashlib.sha256(token.encode()).digest()


def with_origin(caller: Caller, http: HttpRequest) -> Caller:
    """The caller, with what this request says of itself."""
    run_id, headers = http.headers.get(RUN_HEADER), http.headers
    origin = Origin(
        address=http.client.host if http.client else "",
        user_agent=headers.get("user-agent", "")[:ORIGIN_CHARACTERS],
        referer=headers.get("referer", "")[:ORIGIN_CHARACTERS],
    )
    return msgspec.structs.replace(caller, run_id=run_id[:RUN_CHARACTERS] if run_id else None, origin=origin)


def _allowed(row: Route, caller: Caller) -> Caller:
    if not caller.has(row.needs):
        raise NotAllowed
    return caller
