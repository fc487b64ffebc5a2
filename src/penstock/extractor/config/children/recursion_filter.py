"""`recursionFilter`: which records a child job runs for, such as `type==user&age>=18|role~~%admin%`."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import to_text

_LONG = r">=|<=|==|!=|~~|!~"
_SHORT = r"[<>]"
_NUMERIC = r"[ \t\n\r\v\f]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"

_WHOLE = r"\s*[+-]?[0-9]{1,18}"


class Condition(msgspec.Struct, frozen=True):
    path: str
    operator: str
    value: str

    def holds(self, record: Any) -> bool:
        left = _left(self.path, record)
        if self.operator in ("==", "!="):
            return (left == self.value) is (self.operator == "==")
        if self.operator in ("~~", "!~"):
            return _is_like(left, self.value) is (self.operator == "~~")
        return _compare(left, self.operator, self.value)


Conditions = tuple[tuple[Condition, ...], ...]
"""Groups joined by "or", of conditions joined by "and"."""


def read_conditions(text: str) -> Conditions:
    return tuple(tuple(_read(part) for part in group.split("&")) for group in text.split("|"))


def hold(conditions: Conditions, record: Any) -> bool:
    return any(all(condition.holds(record) for condition in group) for group in conditions)


def _read(text: str) -> Condition:
    operator = re.search(_LONG, text) or re.search(_SHORT, text)
    if operator is None:
        raise UserError(
            f"Error creating a filter from {text}: Operator couldn't be determined. "
            "Please use one of [==, !=, >=, <=, >, <, ~~, !~, >, <]"
        )
    path, value, *_ignored = text.split(operator[0])
    return Condition(path, operator[0], value)


def _left(path: str, record: Any) -> str:
    value = look_up(path, record) if isinstance(record, (dict, list)) else record if path == "scalar" else None
    if isinstance(value, dict):
        raise UserError(f"The recursionFilter compares '{path}', which is an object. Name one of its values.")
    return to_text(value)


def _is_like(text: str, pattern: str) -> bool:
    """`%` matches any characters on one line."""
    first, *rest = pattern.split("%")
    # Atomic groups: with many `%`, a plain pattern would backtrack exponentially.
    runs = "".join(f"(?>.*?{re.escape(part)})" for part in rest[:-1]) + f".*{re.escape(rest[-1])}" if rest else ""
    return re.fullmatch(rf"{re.escape(first)}{runs}\n?", text) is not None


def _compare(left: str, operator: str, right: str) -> bool:
    """Compares as numbers if both are numeric, otherwise byte by byte."""
    if re.fullmatch(_NUMERIC, left) and re.fullmatch(_NUMERIC, right):
        order = _order(_number(left), _number(right))
    else:
        order = _order(left.encode(), right.encode())
    return {">": order > 0, "<": order < 0, ">=": order >= 0, "<=": order <= 0}[operator]


def _number(text: str) -> int | float:
    """Whole numbers are exact: as floats, adjacent ids of 17 digits would be equal."""
    return int(text) if re.fullmatch(_WHOLE, text) else float(text)


def _order(left: Any, right: Any) -> int:
    return (left > right) - (left < right)
