"""What the tables of all services have in common."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import DateTime, Dialect, MetaData
from sqlalchemy.types import TypeDecorator

metadata = MetaData()
"""Every table of every service; migrations/ creates them."""


class Timestamp(TypeDecorator[datetime]):
    """A time in UTC; databases store it without its zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


def decode_json(text: str | bytes) -> Any:
    """Decode a document of a JSON column, as all engines do; msgspec refuses a few that the standard library reads."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        return json.loads(text)


_decoder = msgspec.json.Decoder()
