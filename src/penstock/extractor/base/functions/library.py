"""All functions that a configuration may call, and how many arguments they take.

Parsers of dates and templates are imported by the functions that use them: most configurations use none, and importing
them takes longer than a page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote_plus

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions.arguments import WrongArgument, from_raw, integer, listed, raw, text
from penstock.extractor.base.functions.hashes import digest, sign
from penstock.extractor.base.values import is_empty, is_list
from penstock.foundation import clock

_time: ContextVar[float | None] = ContextVar("moment", default=None)


def now() -> int:
    """Returns when the current job began, which is the same in a resumed run, or else the time of the clock."""
    moment = _time.get()
    return int(clock.now().timestamp() if moment is None else moment)


@contextmanager
def fixed(moment: float) -> Generator[None]:
    """Makes now() return this Unix time inside the block."""
    token = _time.set(moment)
    try:
        yield
    finally:
        _time.reset(token)


class Function(msgspec.Struct, frozen=True):
    run: Callable[..., Any]
    least: int
    most: int | None = None
    """None for any number."""

    def call(self, name: str, arguments: list[Any]) -> Any:
        if len(arguments) < self.least or (self.most is not None and len(arguments) > self.most):
            raise UserError(f"Bad argument count for function '{name}'! It takes {self._count}, not {len(arguments)}.")
        try:
            return self.run(*arguments)
        except WrongArgument as error:
            raise UserError(f"Function '{name}' {error}.") from error

    @property
    def _count(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def _shown(hashed: bytes, is_raw: Any) -> str:
    return hashed.hex() if is_empty(is_raw) else from_raw(hashed)


def _md5(data: Any, is_raw: Any = False) -> str:
    return _shown(hashlib.md5(raw(data), usedforsecurity=False).digest(), is_raw)


def _sha1(data: Any, is_raw: Any = False) -> str:
    return _shown(hashlib.sha1(raw(data), usedforsecurity=False).digest(), is_raw)


def _hash(algorithm: Any, data: Any, is_raw: Any = False) -> str:
    return _shown(digest(text(algorithm), raw(data)), is_raw)


def _hash_hmac(algorithm: Any, data: Any, key: Any, is_raw: Any = False) -> str:
    return _shown(sign(text(algorithm), raw(data), raw(key)), is_raw)


def _base64_encode(data: Any) -> str:
    return base64.b64encode(raw(data)).decode()


def _date(template: Any, *moment: Any) -> str:
    from penstock.foundation.strtotime.formats import date

    return date(text(template), integer(moment[0]) if moment else now())


def _strtotime(described: Any, *base: Any) -> int:
    from penstock.foundation.strtotime import strtotime

    moment = strtotime(text(described), integer(base[0]) if base else now())
    if moment is None:
        raise WrongArgument("cannot read its first argument as a date or a time")
    return moment


def _sprintf(template: Any, *values: Any) -> str:
    from penstock.extractor.base.functions.sprintf import sprintf

    return sprintf(text(template), *values)


def _concat(*values: Any) -> str:
    return from_raw(b"".join(map(raw, values)))


def _implode(*arguments: Any) -> str:
    """Joins a list; separator and list come in any order, and the separator is empty by default."""
    glue, items = arguments if len(arguments) == 2 else ("", arguments[0])
    if is_list(glue):
        glue, items = items, glue
    return from_raw(raw(glue).join(map(raw, listed(items))))


def _ifempty(value: Any, otherwise: Any) -> Any:
    return otherwise if is_empty(value) else value


def _urlencode(value: Any) -> str:
    return quote_plus(raw(value)).replace("~", "%7E")


FUNCTIONS: Mapping[str, Function] = {
    "md5": Function(_md5, 1, 2),
    "sha1": Function(_sha1, 1, 2),
    "base64_encode": Function(_base64_encode, 1, 1),
    "hash": Function(_hash, 2, 3),
    "hash_hmac": Function(_hash_hmac, 3, 4),
    "time": Function(now, 0, 0),
    "date": Function(_date, 1, 2),
    "strtotime": Function(_strtotime, 1, 2),
    "sprintf": Function(_sprintf, 1),
    "concat": Function(_concat, 0),
    "implode": Function(_implode, 1, 2),
    "ifempty": Function(_ifempty, 2, 2),
}
FUNCTIONS_OF_PLACEHOLDERS: Mapping[str, Function] = {**FUNCTIONS, "urlencode": Function(_urlencode, 1, 1)}
