"""How long a login lasts: so many seconds, or as long as its response says."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.numbers import Float
from penstock.extractor.records.path import look_up
from penstock.extractor.values import is_empty, text_of
from penstock.foundation.strtotime import strtotime

_IS_INTEGER = re.compile(r"[+-]?[0-9]{1,18}").fullmatch
WRONG = (
    "The 'expires' attribute must be either an integer or an array"
    " with 'response' key containing a path in the response"
)


class Lasting(msgspec.Struct, frozen=True):
    """A fixed number of seconds; a negative one makes every request log in."""

    seconds: int

    def until(self, response: dict[str, Any], now: int) -> int | None:
        return now + self.seconds


class Answered(msgspec.Struct, frozen=True):
    """A time, or with `relative` a number of seconds, at a path in the response."""

    path: str
    relative: bool

    def until(self, response: dict[str, Any], now: int) -> int | None:
        """None when the response says nothing: then the login lasts."""
        value = look_up(self.path, response)
        if value is None:
            return None
        expiry = _seconds(value, now) + (now if self.relative else 0)
        if expiry < now:
            shown = "object" if isinstance(value, dict) else text_of(value)
            raise UserError(f"Login authentication returned expiry time before current time: '{shown}'")
        return expiry


class Never(msgspec.Struct, frozen=True):
    def until(self, response: dict[str, Any], now: int) -> int | None:
        return None


Expiry = Lasting | Answered | Never


def read_expiry(value: Any) -> Expiry:
    if isinstance(value, dict) and (path := cast(dict[str, Any], value).get("response")):
        return _answered(path, cast(dict[str, Any], value))
    if not isinstance(value, (bool, dict, list)) and value is not None and _IS_INTEGER(text_of(value).strip()):
        return Lasting(int(text_of(value)))
    if is_empty(value):
        return Never()
    raise UserError(WRONG)


def _answered(path: Any, value: dict[str, Any]) -> Answered:
    if isinstance(path, (dict, list)):
        raise UserError(WRONG)
    return Answered(text_of(path), not is_empty(value.get("relative")))


def _seconds(value: Any, now: int) -> int:
    """Text is a date; what is no time at all counts as 0, which is long past."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, Float):
        return _whole(value)
    return strtotime(value, now) or 0 if isinstance(value, str) else 0


def _whole(value: Float) -> int:
    try:
        return int(float(value))
    except OverflowError:
        return 0
