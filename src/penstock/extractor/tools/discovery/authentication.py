"""The credentials of a request: they become `#` keys of the configuration, which headers and the query refer to."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

import msgspec

Values = dict[str, Any]
_SECRET = re.compile(
    r"(api|auth|access|secret|subscription|private|app|user)?[-_]?(key|token|secret|password|passwd|pwd)"
    r"|.*(api[-_]?key|access[-_]?token|auth[-_]?token|client[-_]?secret|password|signature|authorization)"
    r"|x-.*(token|key|secret)|hapikey|appid|cookie|sig|auth|session[-_]?(id|token|key)?|credentials?",
    re.IGNORECASE,
).fullmatch
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9_-]*) +(\S.*)").fullmatch
_IS_DROPPED = re.compile(
    r":.*|sec-.*|accept-(encoding|language)|connection|content-(type|length)|host|origin|referer|user-agent|te|dnt"
    r"|pragma|cache-control|if-(none-match|modified-since)|priority|upgrade-insecure-requests|x-requested-with",
    re.IGNORECASE,
).fullmatch
"""Headers that a browser adds, or that follow from the request."""


class Credentials(msgspec.Struct, frozen=True):
    """The parts of the configuration that carry them, and the parameters that remain."""

    authentication: Values
    headers: Values
    attributes: Values
    params: Values
    evidence: tuple[str, ...]


def take_credentials(headers: Values, params: Values, method: str) -> Credentials:
    """`params` are those of the job: the query of a GET, the body of a POST."""
    credentials = _Taken(is_get=method == "GET")
    others = {name: value for name, value in params.items() if not credentials.param(name, value)}
    for name, value in headers.items():
        credentials.header(name, str(value))
    query = {"type": "query", "query": credentials.query} if credentials.query else {}
    return Credentials(
        credentials.authentication or query,
        credentials.headers,
        credentials.attributes,
        {**others, **credentials.body},
        tuple(credentials.evidence),
    )


class _Taken:
    def __init__(self, *, is_get: bool) -> None:
        self._is_get = is_get
        self.authentication: Values = {}
        self.headers: Values = {}
        self.attributes: Values = {}
        self.query: Values = {}
        self.body: Values = {}
        self.evidence: list[str] = []

    def param(self, name: str, value: Any) -> bool:
        """Returns whether the parameter is a secret."""
        if not _SECRET(name) or not isinstance(value, str) or not value:
            return False
        target = self.query if self._is_get else self.body
        target[name] = self._secret(name, value, f"the parameter `{name}`")
        return True

    def header(self, name: str, value: str) -> None:
        is_any = name.lower() == "accept" and value in ("*/*", "")
        if _IS_DROPPED(name) or is_any:
            return
        if name.lower() == "authorization":
            self._authorization(value)
        else:
            self.headers[name] = self._secret(name, value, f"the header {name}") if _SECRET(name) else value

    def _authorization(self, value: str) -> None:
        login = _login(value)
        if login and all(login) and not self.query:
            self.authentication = {"type": "basic"}
            self.attributes |= {"username": login[0], "#password": login[1]}
            self.evidence.append("the password is stored under `#password`")
        elif login:
            self.headers["Authorization"] = _call("concat", "Basic ", _call("base64_encode", self._pair(*login)))
        else:
            self._token(value)

    def _pair(self, user: str, password: str) -> Values:
        """Returns user and password with a colon between them. A user without a password is a token."""
        if password:
            return _call("concat", f"{user}:", self._secret("password", password, "the password"))
        return _call("concat", self._secret("token", user, "the user name, a token because no password follows,"), ":")

    def _token(self, value: str) -> None:
        scheme = _SCHEME(value)
        token = self._secret("token", scheme[2] if scheme else value, "the token of the header Authorization")
        self.headers["Authorization"] = _call("concat", f"{scheme[1]} ", token) if scheme else token

    def _secret(self, name: str, value: str, what: str) -> Values:
        """Returns a reference to the secret, under a new key."""
        key = "#" + re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        while key in self.attributes:
            key += "_2"
        self.attributes[key] = value
        self.evidence.append(f"{what} is stored under `{key}`")
        return {"attr": key}


def _call(function: str, *args: Any) -> Values:
    return {"function": function, "args": list(args)}


def _login(header: str) -> tuple[str, str] | None:
    """Returns user and password of a Basic header."""
    scheme, _space, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return (user, password) if colon else None
