"""Settings of a connection, as SET and SHOW of PostgreSQL know them. Most are kept only to be shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from penstock.pgwire.errors import INVALID_SETTING, UNKNOWN_SETTING, ClientError

SERVER_VERSION = "15.0"
"""What programs choose their catalog queries by."""
REPORTED = (
    *("server_version", "server_encoding", "client_encoding", "application_name", "DateStyle", "IntervalStyle"),
    *("TimeZone", "integer_datetimes", "standard_conforming_strings", "is_superuser", "session_authorization"),
)
"""Sent to the client when it connects, and the changeable ones of them whenever they change."""
_DEFAULTS = {
    "server_version": SERVER_VERSION,
    "server_version_num": "150000",
    "server_encoding": "UTF8",
    "client_encoding": "UTF8",
    "application_name": "",
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "integer_datetimes": "on",
    "standard_conforming_strings": "on",
    "is_superuser": "off",
    "session_authorization": "",
    "search_path": "",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "client_min_messages": "notice",
    "transaction_isolation": "repeatable read",
    "default_transaction_isolation": "repeatable read",
    "transaction_read_only": "off",
    "default_transaction_read_only": "off",
    "default_transaction_deferrable": "off",
    "statement_timeout": "0",
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "idle_session_timeout": "0",
    "max_identifier_length": "63",
    "max_index_keys": "32",
    "row_security": "on",
    "jit": "off",
    "synchronous_commit": "on",
    "array_nulls": "on",
    "lc_collate": "C",
    "lc_ctype": "C",
    "lc_messages": "C",
    "lc_monetary": "C",
    "lc_numeric": "C",
    "lc_time": "C",
    "in_hot_standby": "off",
}
_FIXED = {
    *("server_version", "server_version_num", "server_encoding", "integer_datetimes", "is_superuser"),
    *("session_authorization", "max_identifier_length", "max_index_keys", "in_hot_standby"),
}
_BOOLEANS = {
    *("standard_conforming_strings", "transaction_read_only", "default_transaction_read_only"),
    *("default_transaction_deferrable", "row_security", "jit", "array_nulls"),
}
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
MAX_CHARACTERS = 10_000
BEGIN_READ_ONLY = "A transaction that has begun stays as it is: begin it with BEGIN READ ONLY."
_NAMES = {name.lower(): name for name in _DEFAULTS}
_UTC = ("utc", "gmt", "etc/utc", "z", "0", "default", "local")
_DURATION = re.compile(r"(\d+)\s*(us|ms|s|min|h|d)?")
_OPTION = re.compile(r"-(?:c\s*|-)([\w.]+)=(\S*)")
_UNITS = {None: 0.001, "us": 0.000001, "ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class Settings:
    def __init__(self, user: str, schema: str) -> None:
        self._first = {**_DEFAULTS, "session_authorization": user, "search_path": schema}
        self._values = dict(self._first)

    @classmethod
    def of(cls, startup: Mapping[str, str], user: str, schema: str) -> Settings:
        """Return settings with those of a startup message; what is wrong there is ignored, since many programs send it
        unasked."""
        made = cls(user, schema)
        for name, value in [*startup.items(), *_OPTION.findall(startup.get("options", ""))]:
            if made.knows(name):
                with suppress(ClientError):
                    made.set(name, value)
        made._first = dict(made._values)
        return made

    @property
    def is_read_only(self) -> bool:
        return self._values["default_transaction_read_only"] == "on"

    @property
    def timeout_seconds(self) -> float | None:
        found = _DURATION.fullmatch(self._values["statement_timeout"])
        return (float(found[1]) * _UNITS[found[2]] or None) if found else None

    def knows(self, name: str) -> bool:
        return name.lower() in _NAMES

    def get(self, name: str) -> str:
        if not self.knows(name):
            raise ClientError(UNKNOWN_SETTING, f'"{name}" is not a setting of a connection.')
        return self._values[_NAMES[name.lower()]]

    def all(self) -> list[tuple[str, str]]:
        return sorted(self._values.items(), key=lambda item: item[0].lower())

    def set(self, name: str, value: str) -> str | None:
        """Returns a warning, if it does not have the effect that it has in PostgreSQL."""
        own = _NAMES[name.lower()]
        if own in _FIXED:
            raise ClientError("55P02", f'"{own}" cannot be changed.')
        value = _normalize(own, self._first[own] if value.lower() == "default" else value)
        if own == "TimeZone":
            return None if value.lower() in _UTC else "The time zone of a workspace is UTC, and stays so."
        if own == "search_path" and value != self._values[own]:
            return "search_path has no effect: name tables of buckets with their schema."
        if own == "transaction_read_only":
            return BEGIN_READ_ONLY if value == "on" else None
        self._values[own] = value
        return None

    def reset(self, name: str = "") -> None:
        if name and self.knows(name):
            self._values[_NAMES[name.lower()]] = self._first[_NAMES[name.lower()]]
        elif not name:
            self._values = dict(self._first)

    def reported(self) -> dict[str, str]:
        return {name: self._values[name] for name in REPORTED}


def _normalize(name: str, value: str) -> str:
    """Raises if it is not a value of this setting."""
    if len(value) > MAX_CHARACTERS:
        raise ClientError(INVALID_SETTING, f"The value of a setting has at most {MAX_CHARACTERS} characters.")
    if name in _BOOLEANS:
        return "on" if _parse_boolean(name, value) else "off"
    if name == "client_encoding":
        if value.lower().replace("-", "").replace("_", "") not in ("utf8", "unicode"):
            raise ClientError(INVALID_SETTING, f'The encoding "{value}" is not supported: connections use UTF8.')
        return "UTF8"
    if name == "statement_timeout" and not _DURATION.fullmatch(value):
        raise ClientError(INVALID_SETTING, f'"{value}" is not a valid duration. Write 5000, 5s or 1min.')
    return value


def _parse_boolean(name: str, value: str) -> bool:
    """Any case, and as few letters as tell the words apart, as PostgreSQL takes them."""
    word = value.strip().lower()
    meant = {is_true for known, is_true in _WORDS.items() if word and known.startswith(word)}
    if len(meant) != 1:
        raise ClientError(INVALID_SETTING, f'"{value}" is not a valid value of {name}. Write on or off.')
    return meant.pop()
