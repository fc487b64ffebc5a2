"""When a login expires: after a number of seconds, at a time in its response, or never."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import is_empty, to_text

_INTEGER = r"[+-]?[0-9]{1,18}"
WRONG = (
    "The 'expires' attribute must be either an integer or an array"
    " with 'response' key containing a path in the response"
)


class FixedLifetime(msgspec.Struct, frozen=True):
    """A fixed number of seconds; with a negative one, every request logs in."""

    seconds: int

    def until(self, response: dict[str, Any], now: int) -> int | None:
        return now + self.seconds


class ExpiryInResponse(msgspec.Struct, frozen=True):
    """A time, or a number of seconds if `relative`, at a path in the response."""

    path: str
    relative: bool

    def until(self, response: dict[str, Any], now: int) -> int | None:
        """Returns None if there is nothing at the path: the login does not expire."""
        value = look_up(self.path, response)
        if value is None:
            return None
        expiry = _seconds(value, now) + (now if self.relative else 0)
        if expiry < now:
            rendered = "object" if isinstance(value, dict) else to_text(value)
            raise UserError(f"Login authentication returned expiry time before current time: '{rendered}'")
        return expiry


class Never(msgspec.Struct, frozen=True):
    def until(self, response: dict[str, Any], now: int) -> int | None:
        return None


Expiry = FixedLifetime | ExpiryInResponse | Never


def read_expiry(value: Any) -> Expiry:
    if isinstance(value, dict) and (path := cast(dict[str, Any], value).get("response")):
        return _in_response(path, cast(dict[str, Any], value))
    if (
        not isinstance(value, (bool, dict, list))
        and value is not None
        and re.fullmatch(_INTEGER, to_text(value).strip())
    ):
        return FixedLifetime(int(to_text(value)))
    if is_empty(value):
        return Never()
    raise UserError(WRONG)


def _in_response(path: Any, value: dict[str, Any]) -> ExpiryInResponse:
    if isinstance(path, (dict, list)):
        raise UserError(WRONG)
    return ExpiryInResponse(to_text(path), not is_empty(value.get("relative")))


def _seconds(value: Any, now: int) -> int:
    """A text is a date; an invalid time counts as 0, which is in the past."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, Float):
        return _whole(value)
    if not isinstance(value, str):
        return 0
    from penstock.foundation.strtotime import strtotime  # only here: importing it takes longer than a page

    return strtotime(value, now) or 0


def _whole(value: Float) -> int:
    try:
        return int(float(value))
    except OverflowError:
        return 0
