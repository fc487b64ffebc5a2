"""Statements that concern the connection and not the engine: settings, and what is left over of earlier statements."""

from __future__ import annotations

from typing import NamedTuple

from penstock.server.postgresql.settings import Settings

_SESSION = ("session", "local")
_BEGIN_READ_ONLY = "A transaction that has begun stays as it is: begin it with BEGIN READ ONLY."
_NOTHING = {
    "discard": "DISCARD ALL",
    "deallocate": "DEALLOCATE",
    "unlisten": "UNLISTEN",
    "close": "CLOSE CURSOR",
}


class Answer(NamedTuple):
    """Of a command: a column of text with rows, or only a tag."""

    tag: str
    columns: list[str] = []
    rows: list[list[str | None]] = []
    warning: str | None = None


def run_command(words: tuple[str, ...], settings: Settings) -> Answer | None:
    """None if the statement is one of the engine."""
    match words:
        case ("set", *rest):
            return _set(rest, settings)
        case ("show", *rest):
            return _show(rest, settings)
        case ("reset", *rest):
            settings.reset("" if rest == ["all"] else _unquoted(rest[0]) if rest else "")
            return Answer("RESET")
        case (first, *_) if first in _NOTHING:
            return Answer(_NOTHING[first])
        case _:
            return None


def _set(words: list[str], settings: Settings) -> Answer | None:
    if words[:4] == ["session", "characteristics", "as", "transaction"]:
        return _set_characteristics(words[4:], settings)
    words = words[1:] if words[:1] and words[0] in _SESSION else words
    match words:
        case ("transaction", *rest):
            return Answer("SET", warning=_BEGIN_READ_ONLY if "only" in rest else None)
        case ("time", "zone", *rest):
            name, value = "TimeZone", rest
        case ("names", *rest):
            name, value = "client_encoding", rest
        case (name, "=" | "to", *value) if settings.knows(_unquoted(name)):
            pass
        case ("role" | "constraints", *_):
            return Answer("SET")
        case _:
            return None
    return Answer("SET", warning=settings.set(_unquoted(name), _join(value)))


def _set_characteristics(words: list[str], settings: Settings) -> Answer:
    """Transactions are always isolated by snapshots; only whether they write can be chosen."""
    if "read" in words and ("only" in words or "write" in words):
        settings.set("default_transaction_read_only", "on" if "only" in words else "off")
    return Answer("SET")


def _show(words: list[str], settings: Settings) -> Answer | None:
    match words:
        case ["all"]:
            rows: list[list[str | None]] = [[name, value, ""] for name, value in settings.all()]
            return Answer("SHOW", ["name", "setting", "description"], rows)
        case ["time", "zone"]:
            name = "TimeZone"
        case ["transaction", "isolation", "level"]:
            name = "transaction_isolation"
        case [single] if settings.knows(_unquoted(single)):
            name = _unquoted(single)
        case _:
            return None
    return Answer("SHOW", [name.lower()], [[settings.get(name)]])


def _join(words: list[str]) -> str:
    """A value of several words or with commas, as `ISO, MDY`."""
    return " ".join(_unquoted(each) for each in words).replace(" ,", ",")


def _unquoted(word: str) -> str:
    is_quoted = len(word) > 1 and word[0] in "'\"" and word[-1] == word[0]
    return word[1:-1].replace(word[0] * 2, word[0]) if is_quoted else word
