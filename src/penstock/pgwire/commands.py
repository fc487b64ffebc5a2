"""Statements that concern the connection and not the engine: settings, and what earlier statements left open."""

from __future__ import annotations

from typing import NamedTuple

from penstock.pgwire.execution import Execution
from penstock.pgwire.open_statements import OpenStatements
from penstock.pgwire.settings import BEGIN_READ_ONLY, Settings

_SESSION = ("session", "local")
_WITHOUT_EFFECT = {"unlisten": "UNLISTEN"}
_DISCARDED = {
    "plans": "DISCARD PLANS",
    "sequences": "DISCARD SEQUENCES",
    "temp": "DISCARD TEMP",
    "temporary": "DISCARD TEMP",
    "all": "DISCARD ALL",
}


class CommandResult(NamedTuple):
    """Columns of text with rows, or only a tag."""

    tag: str
    columns: list[str] = []
    rows: list[list[str | None]] = []
    warning: str | None = None


class Client(NamedTuple):
    """What commands change."""

    settings: Settings
    open_statements: OpenStatements
    execution: Execution


def run_command(words: tuple[str, ...], client: Client) -> CommandResult | None:
    """Run a command; return None if the statement is one of the engine."""
    settings = client.settings
    match words:
        case ("set", *rest):
            return _set(rest, settings)
        case ("show", *rest):
            return _show(rest, settings)
        case ("reset", *rest):
            return _reset(rest, settings)
        case ("deallocate", "prepare", name) | ("deallocate", name):
            return _deallocate(name, client.open_statements)
        case ("discard", what) if what in _DISCARDED:
            return _discard(_DISCARDED[what], client)
        case (first, *_) if first in _WITHOUT_EFFECT:
            return CommandResult(_WITHOUT_EFFECT[first])
        case _:
            return None


def _reset(words: list[str], settings: Settings) -> CommandResult | None:
    match words:
        case ["all"]:
            settings.reset("")
        case ["time", "zone"]:
            settings.reset("TimeZone")
        case ["role"] | ["session", "authorization"]:
            pass
        case [name] if settings.knows(_unquoted(name)):
            settings.reset(_unquoted(name))
        case _:
            return None
    return CommandResult("RESET")


def _deallocate(name: str, open_statements: OpenStatements) -> CommandResult:
    if name == "all":
        open_statements.close_all_prepared()
        return CommandResult("DEALLOCATE ALL")
    open_statements.get_prepared(_unquoted(name))
    open_statements.close_prepared(_unquoted(name))
    return CommandResult("DEALLOCATE")


def _discard(tag: str, client: Client) -> CommandResult:
    """Temporary tables end with the session of the engine; there are no plans and sequences of a session."""
    if tag == "DISCARD ALL":
        client.open_statements.close_all_portals()
        client.open_statements.close_all_prepared()
        client.open_statements.cursors.close_all()
        client.settings.reset()
    if tag in ("DISCARD ALL", "DISCARD TEMP"):
        client.execution.end_session()
    return CommandResult(tag)


def _set(words: list[str], settings: Settings) -> CommandResult | None:
    if words[:4] == ["session", "characteristics", "as", "transaction"]:
        return _set_characteristics(words[4:], settings)
    words = words[1:] if words[:1] and words[0] in _SESSION else words
    match words:
        case ("transaction", *rest):
            return CommandResult("SET", warning=BEGIN_READ_ONLY if "only" in rest else None)
        case ("time", "zone", *rest):
            name, value = "TimeZone", rest
        case ("names", *rest):
            name, value = "client_encoding", rest
        case (name, "=" | "to", *value) if settings.knows(_unquoted(name)):
            pass
        case ("role" | "constraints", *_):
            return CommandResult("SET")
        case _:
            return None
    return CommandResult("SET", warning=settings.set(_unquoted(name), _join(value)))


def _set_characteristics(words: list[str], settings: Settings) -> CommandResult:
    """Transactions are always isolated by snapshots; only whether they write can be chosen."""
    if "read" in words and ("only" in words or "write" in words):
        settings.set("default_transaction_read_only", "on" if "only" in words else "off")
    return CommandResult("SET")


def _show(words: list[str], settings: Settings) -> CommandResult | None:
    match words:
        case ["all"]:
            rows: list[list[str | None]] = [[name, value, ""] for name, value in settings.all()]
            return CommandResult("SHOW", ["name", "setting", "description"], rows)
        case ["time", "zone"]:
            name = "TimeZone"
        case ["transaction", "isolation", "level"]:
            name = "transaction_isolation"
        case [single] if settings.knows(_unquoted(single)):
            name = _unquoted(single)
        case _:
            return None
    return CommandResult("SHOW", [name.lower()], [[settings.get(name)]])


def _join(words: list[str]) -> str:
    """A value of several words or with commas, as `ISO, MDY`."""
    return " ".join(_unquoted(each) for each in words).replace(" ,", ",")


def _unquoted(word: str) -> str:
    is_quoted = len(word) > 1 and word[0] in "'\"" and word[-1] == word[0]
    return word[1:-1].replace(word[0] * 2, word[0]) if is_quoted else word
