"""AWS Signature Version 4, applied to a message after any other authentication."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import HeaderValue, Message
from penstock.extractor.base.values import as_map, is_empty, to_text
from penstock.extractor.requests.auth.address import read_address
from penstock.extractor.requests.sending.query import build_query, get_query, parse_query, with_query

ALGORITHM = "AWS4-HMAC-SHA256"
OPTIONS = ("accessKeyId", "#secretKey", "serviceName", "regionName")
REPLACED = frozenset(("authorization", "date", "x-amz-date"))
UNSIGNED = frozenset(
    (
        *("accept", "authorization", "cache-control", "connection", "content-length", "content-type", "expect", "from"),
        *("if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive"),
        *("max-forwards", "pragma", "proxy-authorization", "proxy-connection", "range", "referer", "te", "trailer"),
        *("transfer-encoding", "upgrade", "user-agent", "x-amz-user-agent", "x-amzn-trace-id"),
    )
)
"""Headers that proxies and HTTP libraries add, drop or change."""
PAYLOAD_HASH = "x-amz-content-sha256"


class AwsSignature(msgspec.Struct, frozen=True):
    access_key: str
    secret_key: str
    service: str
    region: str

    def sign(self, message: Message, now: datetime) -> Message:
        """Returns the message with its query re-encoded, a date and a signature; nothing else changes."""
        time = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        dated = _dated(message, time)
        signed = _signed_headers(dated)
        scope = f"{time[:8]}/{self.region}/{self.service}/aws4_request"
        text = "\n".join(
            (ALGORITHM, time, scope, _sha256(_canonical(dated, signed).encode("utf-8", "surrogateescape")))
        )
        signature = hmac.new(self._key(time[:8]), text.encode(), "sha256").hexdigest()
        proof = f"SignedHeaders={';'.join(signed)}, Signature={signature}"
        return dated.with_headers({"Authorization": f"{ALGORITHM} Credential={self.access_key}/{scope}, {proof}"})

    def _key(self, day: str) -> bytes:
        key = f"AWS4{self.secret_key}".encode()
        for part in (day, self.region, self.service, "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        return key


def read_aws(parameters: dict[str, Any]) -> AwsSignature | None:
    """Returns None if no credentials are set."""
    credentials = as_map(as_map(as_map(parameters.get("aws")).get("signature")).get("credentials"))
    if not credentials:
        return None
    for option in OPTIONS:
        if is_empty(credentials.get(option)):
            raise UserError(f'Option "{option}" under "parameters.aws.signature.credentials" cannot be empty.')
    return AwsSignature(*(to_text(credentials[option]) for option in OPTIONS))


def _dated(message: Message, time: str) -> Message:
    others = {name: value for name, value in message.headers.items() if name.lower() not in REPLACED}
    url = with_query(message.url, build_query(parse_query(get_query(message.url))))
    return msgspec.structs.replace(message, url=url, headers={**others, "X-Amz-Date": time})


def _signed_headers(message: Message) -> dict[str, str]:
    """Returns the headers in lower case, sorted, with the Host header that will be sent."""
    headers = {"host": read_address(message.url).authority}
    headers |= {name.lower(): _one_line(value) for name, value in message.headers.items()}
    return {name: headers[name] for name in sorted(headers) if name not in UNSIGNED}


def _one_line(value: HeaderValue) -> str:
    values = [value] if isinstance(value, str) else value
    return ",".join(" ".join(item.split()) for item in values)


def _canonical(message: Message, headers: dict[str, str]) -> str:
    address = read_address(message.url)
    lines = (f"{name}:{value}" for name, value in headers.items())
    payload = headers.get(PAYLOAD_HASH) or _sha256(message.body or b"")
    path, query = _canonical_path(address.path), _canonical_query(address.query)
    return "\n".join((message.method.upper(), path, query, *lines, "", ";".join(headers), payload))


def _canonical_path(path: str) -> str:
    """Repeated slashes are merged, and what is encoded in the URL is encoded again."""
    return quote(re.sub("/+", "/", path), safe="/~")


def _canonical_query(query: str) -> str:
    pairs = (part.partition("=") for part in query.split("&") if query)
    return "&".join(f"{name}={value}" for name, value in sorted((name, value) for name, _, value in pairs))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
