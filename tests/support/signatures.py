"""Servers' own checks of signed requests, by the libraries that real servers use: oauthlib and botocore."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Any, cast

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from oauthlib.oauth1 import RequestValidator, ResourceEndpoint

from tests.support.api import Seen

FRESH_SECONDS = 60
_AWS_HEADER = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<day>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, "
    r"SignedHeaders=(?P<names>[^,]+), Signature=(?P<signature>[0-9a-f]{64})"
)


class OAuth1Server(cast(type[Any], RequestValidator)):
    """Knows one application and one of its users, and takes a nonce once."""

    enforce_ssl = False
    client_key_length = access_token_length = (1, 50)
    nonce_length = (20, 50)
    safe_characters = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
    dummy_client = dummy_access_token = "nobody"

    def __init__(self, app: tuple[str, str], user: tuple[str, str]) -> None:
        super().__init__()
        self._app, self._user = app, user
        self.nonces: set[str] = set()

    def accepts(self, seen: Seen) -> bool:
        headers = {name.title(): value for name, value in seen.headers.items()}
        endpoint: Any = ResourceEndpoint(self)
        return endpoint.validate_protected_resource_request(address_of(seen), seen.method, seen.body.decode(), headers)[
            0
        ]

    def validate_client_key(self, client_key: str, request: Any) -> bool:
        return client_key == self._app[0]

    def validate_access_token(self, client_key: str, token: str, request: Any) -> bool:
        return token == self._user[0]

    def validate_realms(self, client_key: str, token: str, request: Any, uri: Any = None, realms: Any = None) -> bool:
        return True

    def validate_timestamp_and_nonce(
        self, client_key: str, timestamp: str, nonce: str, request: Any, **tokens: Any
    ) -> bool:
        is_new = nonce not in self.nonces and abs(time.time() - int(timestamp)) < FRESH_SECONDS
        self.nonces.add(nonce)
        return is_new

    def get_client_secret(self, client_key: str, request: Any) -> str:
        return self._app[1]

    def get_access_token_secret(self, client_key: str, token: str, request: Any) -> str:
        return self._user[1]


def aws_accepts(seen: Seen, credentials: Credentials, service: str, region: str) -> bool:
    """Whether the signature is the one that botocore computes for the request as it arrived."""
    given = _AWS_HEADER.fullmatch(seen.headers.get("authorization", ""))
    if given is None or (given["key"], given["service"], given["region"]) != (credentials.access_key, service, region):
        return False
    stamp, names = seen.headers.get("x-amz-date", ""), given["names"].split(";")
    if not {"host", "x-amz-date"} <= set(names) or not _is_fresh(stamp) or stamp[:8] != given["day"]:
        return False
    request: Any = AWSRequest(seen.method, address_of(seen), data=seen.body)
    for name in names:
        request.headers[name] = seen.headers[name]
    request.context["timestamp"] = stamp
    signer: Any = botocore.auth.SigV4Auth(credentials, service, region)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return signer.signature(text, request) == given["signature"]


def address_of(seen: Seen) -> str:
    """The whole address that was asked for, as the client must have written it."""
    return f"http://{seen.headers['host']}{seen.path}" + (f"?{seen.query}" if seen.query else "")


def _is_fresh(stamp: str) -> bool:
    moment = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return abs((datetime.now(UTC) - moment).total_seconds()) < FRESH_SECONDS
