"""Names of columns and tables: letters, digits, hyphens and single underscores, at most 64 characters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

MAX_LENGTH = 64
_DIGITS = (8, 16, 32)
"""How many digits of an MD5 make a name unique: more only if fewer are not enough."""
_FORBIDDEN = re.compile(rb"[^A-Za-z0-9-]")
_RUN = re.compile(r"[A-Za-z-]+")
_INITIAL = re.compile(r"\b(\w)", re.ASCII)
ListPath = tuple[str, ...]
"""The name of the table at the root, and the keys down to a list."""


def table_name(path: str) -> str:
    return _tidy(_shortened(_safe(path)))


@lru_cache(1 << 16)  # columns are named again with every page that has a new one
def column_name(path: str) -> str:
    # The three underscores only change the length from which the original shortens; they are removed again.
    return _tidy(_shortened("___" + _safe(path)))


class Scope:
    """The names of one table: a second one of the same spelling gets `_u0`, `_u1`, …"""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        """The first number of each spelling that may be free, so that names need not be counted from 0 again."""

    def take(self, name: str) -> str:
        free, number = name, self._numbers.get(name, 0)
        while free in self._taken:
            free, number = f"{name}_u{number}", number + 1
        self._numbers[name] = number
        self._taken.add(free)
        return free


def distinct_names(preferred: Mapping[ListPath, str], reserved: Iterable[str]) -> dict[ListPath, str]:
    """Returns a name for each list: the preferred one if it is free; of several lists that prefer it, the first gets
    it.

    The others get a suffix that depends only on the path, so that it is the same in every run.
    """
    assigned: dict[str, ListPath] = dict.fromkeys(reserved, ())
    for path, name in preferred.items():
        assigned.setdefault(name, path)
    names: dict[ListPath, str] = {}
    for path, name in preferred.items():
        names[path] = name if name and assigned[name] == path else _numbered(name, path, assigned)
        assigned.setdefault(names[path], path)
    return names


def _numbered(name: str, path: ListPath, reserved: Mapping[str, object]) -> str:
    digest = _md5("\0".join(path))
    names = [f"{name[: MAX_LENGTH - size - 1]}_{digest[:size]}".lstrip("_") for size in _DIGITS]
    return next((candidate for candidate in names if candidate not in reserved), names[-1])


def _safe(path: str) -> str:
    return _FORBIDDEN.sub(b"_", path.encode("utf-8", "surrogatepass")).decode()


def _shortened(name: str) -> str:
    if len(name) <= MAX_LENGTH:
        return name
    prefix = f"{_initials(name)}_"
    start = len(name) - (MAX_LENGTH - len(prefix))
    tail = name.find("_", start)
    return prefix if tail < 0 or start < 0 else prefix + name[tail:]


def _initials(name: str) -> str:
    words = [run for run in _RUN.findall(name) if run.strip("-")]
    if len(words) > 1:
        return "".join(_INITIAL.findall(name))
    return _md5(name)


def _md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _tidy(name: str) -> str:
    return re.sub("_+", "_", name).strip("_")
