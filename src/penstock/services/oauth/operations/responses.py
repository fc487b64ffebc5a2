"""What providers return: text that the component reads, and in which the broker looks for tokens."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast
from urllib.parse import parse_qsl

import msgspec

MAX_LIFETIME = timedelta(days=3650)
FIELDS = 100


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that it is; empty for any other text."""
    try:
        found: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def read_form(text: str) -> dict[str, str]:
    """The fields of a form, as OAuth 1.0 returns them."""
    try:
        return dict(parse_qsl(text.strip(), max_num_fields=FIELDS))
    except ValueError:
        return {}


def read_fields(text: str) -> dict[str, Any]:
    """The fields of a JSON object or of a form: some providers return tokens of OAuth 2.0 as a form."""
    return read_object(text) or read_form(text)


def find_expiry(text: str, now: datetime) -> datetime | None:
    """When the access token expires; None if the provider did not say so."""
    try:
        lifetime = timedelta(seconds=float(read_object(text).get("expires_in", "")))
    except (TypeError, ValueError, OverflowError):
        return None
    return now + lifetime if timedelta() < lifetime < MAX_LIFETIME else None


def find_refresh_token(text: str) -> str:
    found = read_object(text).get("refresh_token")
    return found if isinstance(found, str) else ""


def merge(current: str, refreshed: str) -> str:
    """What a refresh does not return stays as it was, such as a refresh token that is not rotated."""
    return msgspec.json.encode({**read_object(current), **read_fields(refreshed)}).decode()
