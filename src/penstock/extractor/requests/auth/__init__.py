"""Authentication of requests: one file per method; the configuration chooses one."""

from __future__ import annotations

from collections.abc import Callable

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.requests.auth.aws_signature import AwsSignature, read_aws
from penstock.extractor.requests.auth.basic import read_basic
from penstock.extractor.requests.auth.login import read_login
from penstock.extractor.requests.auth.method import Auth, AuthConfig, Reply, Signing
from penstock.extractor.requests.auth.oauth1 import read_oauth1
from penstock.extractor.requests.auth.oauth2 import read_oauth2, read_oauth2_login
from penstock.extractor.requests.auth.query import read_query

__all__ = ["Auth", "AuthConfig", "AwsSignature", "Reply", "Signing", "read_auth", "read_aws"]

READERS: dict[str, Callable[[AuthConfig], Auth]] = {
    "basic": read_basic,
    "login": read_login,
    "oauth10": read_oauth1,
    "oauth20": read_oauth2,
    "oauth20.login": read_oauth2_login,
}
QUERY = ("query", "url.query")


def read_auth(config: AuthConfig, warn: Callable[[str], None]) -> Auth:
    """Raises UserError for invalid settings."""
    kind = as_map(config.api.get("authentication")).get("type")
    if is_empty(kind):
        return Auth()
    if kind in QUERY:
        return read_query(config, warn)
    reader = READERS.get(kind) if isinstance(kind, str) else None
    if not reader:
        raise UserError(f"Unknown authorization type '{kind if isinstance(kind, str) else json_text(kind)}'.")
    return reader(config)
