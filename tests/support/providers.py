"""Providers of OAuth on loopback: real authorization servers, small and strict, and a browser that visits them.

with Provider() as provider:
    ...
    provider.rotation = "strict"
    assert provider.refreshes == 1
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from oauthlib.common import Request
from oauthlib.oauth1.rfc5849 import signature

from tests.support.api import Api, Response, Seen
from tests.support.http import Http
from tests.support.http import Response as Answer

CLIENT = ("app-key", "app-s3cret+/=")
Rotation = Literal["none", "grace", "strict"]


@dataclass
class Code:
    challenge: str
    redirect_uri: str


class Provider(Api):
    """OAuth 2.0: authorization codes with PKCE, and refresh tokens.

    rotation  none: a refresh token stays valid. grace: it is replaced, and valid until its successor is used.
              strict: it is replaced, and ends at once; using it again ends its successors too.
    """

    def __init__(self, rotation: Rotation = "none", expires_in: int = 3600) -> None:
        super().__init__()
        self.rotation, self.expires_in = rotation, expires_in
        self.refuses, self.explains, self.delay = "", "", 0.0
        self.failing: list[Response] = []
        """Sent instead of tokens, one by one."""
        self.codes: dict[str, Code] = {}
        self.valid: set[str] = set()
        """Refresh tokens."""
        self.predecessors: dict[str, str] = {}
        self.refreshes = 0
        self.on("/authorize", self._authorize)
        self.on("/token", self._token)

    def consumer(self, component_id: str = "ex-generic-v2", **more: Any) -> dict[str, Any]:
        """The body that registers this provider."""
        return {
            "componentId": component_id,
            "friendlyName": "Test provider",
            "oauthVersion": "2.0",
            "authUrl": f"{self.url}/authorize?scope=read",
            "tokenUrl": f"{self.url}/token",
            "appKey": CLIENT[0],
            "appSecret": CLIENT[1],
            **more,
        }

    def issue(self) -> dict[str, Any]:
        """Tokens, as if a user had authorized the application."""
        refresh_token = f"refresh-{secrets.token_hex(12)}"
        self.valid.add(refresh_token)
        return {
            "access_token": f"access-{secrets.token_hex(12)}",
            "refresh_token": refresh_token,
            "token_type": "bearer",
            "expires_in": self.expires_in,
        }

    def _authorize(self, seen: Seen) -> Response:
        asked = seen.params
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT[0])
        if self.refuses:
            said = {"error_description": self.explains} if self.explains else {}
            return _send_to(asked["redirect_uri"], error=self.refuses, state=asked["state"], **said)
        code = secrets.token_hex(8)
        if "code_challenge" in asked:
            assert asked["code_challenge_method"] == "S256"
        self.codes[code] = Code(asked.get("code_challenge", ""), asked["redirect_uri"])
        return _send_to(asked["redirect_uri"], code=code, state=asked["state"])

    def _token(self, seen: Seen) -> Response:
        time.sleep(self.delay)
        if self.failing:
            return self.failing.pop(0)
        form = dict(parse_qsl(seen.body.decode()))
        if (form.get("client_id"), form.get("client_secret")) != CLIENT:
            return Response.json({"error": "invalid_client"}, 401)
        tokens = self._exchange(form) if form["grant_type"] == "authorization_code" else self._refresh(form)
        return Response.json(tokens) if tokens else Response.json({"error": "invalid_grant"}, 400)

    def _exchange(self, form: dict[str, str]) -> dict[str, Any] | None:
        known = self.codes.pop(form["code"], None)
        if not known or known.redirect_uri != form["redirect_uri"]:
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        return self.issue() if known.challenge in ("", challenge) else None

    def _refresh(self, form: dict[str, str]) -> dict[str, Any] | None:
        token = form["refresh_token"]
        if token not in self.valid:
            self.valid.clear()
            return None
        self.refreshes += 1
        if self.rotation == "none":
            tokens = self.issue()
            self.valid.discard(tokens.pop("refresh_token"))
            return tokens
        if before := self.predecessors.pop(token, None):
            self.valid.discard(before)
        tokens = self.issue()
        self.predecessors[tokens["refresh_token"]] = token
        if self.rotation == "strict":
            self.valid.discard(token)
        return tokens


class Provider1(Api):
    """OAuth 1.0: checks every signature with the library that real servers use."""

    def __init__(self) -> None:
        super().__init__()
        self.refuses = False
        self.callbacks: dict[str, str] = {}
        self.secrets: dict[str, str] = {}
        self.verifiers: dict[str, str] = {}
        self.on("/request", self._request)
        self.on("/authorize", self._authorize)
        self.on("/token", self._token)

    def consumer(self, component_id: str, **more: Any) -> dict[str, Any]:
        return {
            "component_id": component_id,
            "friendly_name": "Test provider",
            "oauth_version": "1.0",
            "auth_url": f"{self.url}/authorize?oauth_token=%%oauth_token%%",
            "token_url": f"{self.url}/token",
            "request_token_url": f"{self.url}/request?scope=read%20all",
            "app_key": CLIENT[0],
            "app_secret": CLIENT[1],
            **more,
        }

    def _request(self, seen: Seen) -> Response:
        params = self._verified(seen, "")
        if not params:
            return Response(401)
        token, secret = secrets.token_hex(8), secrets.token_hex(8)
        self.callbacks[token], self.secrets[token] = params["oauth_callback"], secret
        answer = {"oauth_token": token, "oauth_token_secret": secret, "oauth_callback_confirmed": "true"}
        return Response(body=urlencode(answer).encode())

    def _authorize(self, seen: Seen) -> Response:
        token = seen.params["oauth_token"]
        if self.refuses:
            return _send_to(self.callbacks[token], denied=token)
        self.verifiers[token] = secrets.token_hex(8)
        return _send_to(self.callbacks[token], oauth_token=token, oauth_verifier=self.verifiers[token])

    def _token(self, seen: Seen) -> Response:
        token = dict(signature.collect_parameters(headers={"Authorization": seen.headers["authorization"]}))[
            "oauth_token"
        ]
        params = self._verified(seen, self.secrets.get(token, ""))
        if not params or self.verifiers.pop(token, "") != params["oauth_verifier"]:
            return Response(401)
        return Response(body=b"oauth_token=user-token&oauth_token_secret=user%2Bsecret&user_id=7")

    def _verified(self, seen: Seen, token_secret: str) -> dict[str, str]:
        """The parameters of a request whose signature is right; none of any other."""
        headers = {"Authorization": seen.headers["authorization"]}
        url = f"http://{seen.headers['host']}{seen.path}?{seen.query}".rstrip("?")
        params = signature.collect_parameters(
            uri_query=urlsplit(url).query, headers=headers, exclude_oauth_signature=False
        )
        given: Any = Request(url, "POST", "", headers)
        given.params = [(name, value) for name, value in params if name != "oauth_signature"]
        given.signature = dict(params)["oauth_signature"]
        is_right = signature.verify_hmac_sha1(given, CLIENT[1], token_secret)
        return dict(params) if is_right and dict(params)["oauth_consumer_key"] == CLIENT[0] else {}


def _send_to(address: str, **params: str) -> Response:
    sign = "&" if "?" in address else "?"
    return Response(302, headers={"Location": f"{address}{sign}{urlencode(params)}"})


@dataclass
class Browser:
    """Visits pages by hand: keeps cookies by their path, and follows no redirect by itself."""

    cookies: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By name: the path and the value."""
    set_cookies: list[str] = field(default_factory=list)

    def submit(self, url: str, fields: Mapping[str, str | bytes], accept: str = "*/*") -> Answer:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": accept}
        return self._send("POST", url, urlencode(fields).encode(), headers)

    def visit(self, url: str, accept: str = "*/*") -> Answer:
        return self._send("GET", url, headers={"Accept": accept})

    def _send(self, method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        parts = urlsplit(url)
        sent = "; ".join(
            f"{name}={value}" for name, (path, value) in self.cookies.items() if parts.path.startswith(path)
        )
        cookie = {"Cookie": sent} if sent else {}
        http, path = (
            Http(f"{parts.scheme}://{parts.netloc}"),
            f"{parts.path}?{parts.query}" if parts.query else parts.path,
        )
        answer = http.send(method, path, body, {**(headers or {}), **cookie})
        if found := answer.headers.get("set-cookie"):
            self._keep(found)
        return answer

    def _keep(self, text: str) -> None:
        self.set_cookies.append(text)
        first, *rest = text.split("; ")
        name, _, value = first.partition("=")
        path = next(each.removeprefix("Path=") for each in rest if each.startswith("Path="))
        if "Max-Age=0" in rest:
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = (path, value)
