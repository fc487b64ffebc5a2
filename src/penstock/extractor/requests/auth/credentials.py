"""The credentials of an OAuth application and of the user who authorized it, as the platform provides them."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty, text_of

KEYS = ("#data", "appKey", "#appSecret")


class Credentials(msgspec.Struct, frozen=True):
    data: str
    """The response of the provider to the user's authorization, often JSON."""
    key: str
    secret: str


def read_credentials(authorization: dict[str, Any], version: str, end: str = ".") -> Credentials:
    """`end` is appended to error messages."""
    found = as_map(as_map(authorization.get("oauth_api")).get("credentials"))
    if not found:
        raise UserError(f"OAuth API credentials not supplied in configuration{end}")
    for key in KEYS:
        if is_empty(found.get(key)):
            raise UserError(f"Missing '{key}' for OAuth {version} authorization{end}")
    data, key, secret = (_text(found[key]) for key in KEYS)
    return Credentials(data, key, secret)


def _text(value: Any) -> str:
    """The text; an object in the configuration counts as its JSON text."""
    return json_text(value) if isinstance(value, (dict, list)) else text_of(value)
