"""The state that the next run needs: when this run started, and the types of the records."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.base.values import as_json, as_map, deep_replace, is_empty
from penstock.extractor.records.struct import read_struct
from penstock.extractor.records.types import Types
from penstock.extractor.results import Flattened
from penstock.extractor.results.spool import Spool

if TYPE_CHECKING:
    from penstock.extractor.results.legacy import LegacyFlattened

STRUCT, STRUCT_VERSION = "json_parser.struct", "json_parser.structVersion"


def read_state(path: Path, log: Log) -> dict[str, Any]:
    """Returns an empty state if there is no file, or none that can be read."""
    if not path.exists():
        log.warning(f"State file not found Configuration file '{path}' not found.")
        return {}
    try:
        state = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.warning(f"State file not found Configuration file is not a valid JSON: Syntax error ({error})")
        return {}
    if isinstance(state, dict):
        return cast(dict[str, Any], state)
    if state:
        log.warning(f"The state {path.name} is not an object and is not used.")
    return {}


class State:
    """The state during a run: that of the last run, and what the iterations have learnt."""

    def __init__(self, state: dict[str, Any], started: int) -> None:
        self._state, self._started = dict(state), started

    @property
    def times(self) -> dict[str, Any]:
        """Returns the context `time` of functions."""
        return {**as_map(self._state.get("time")), "previousStart": self._previous, "currentStart": self._started}

    @property
    def _previous(self) -> Any:
        return as_map(self._state.get("time")).get("previousStart") or 0

    def parser(
        self,
        folder: Path,
        spool: Spool,
        compat_level: int,
        log: Log,
        reserved: Collection[str] = (),
        types: Types | None = None,
    ) -> Flattened | LegacyFlattened:
        """Returns the parser that turns records into tables; it depends on the state and on the configuration.

        `reserved` are the names of mapped tables; `types` learns the types of columns, if they are wanted.
        """
        struct, version = self._state.get(STRUCT), self._state.get(STRUCT_VERSION)
        is_asked_for = compat_level < 2
        is_known = str(version) in ("2", "2.0") and not is_empty(struct)
        is_upgraded = not is_known and _is_upgraded(struct, version)
        if is_upgraded or not (is_known or is_asked_for):
            if is_asked_for:
                log.warning("Ignored request for legacy JSON parser, because configuration is already upgraded.")
            return Flattened(folder, spool, read_struct(struct), log, reserved, types)
        reason = "it is in configuration state" if is_known else "it has been explicitly requested"
        if types is not None:
            raise UserError(
                f"`types` is not supported by the legacy JSON parser, which is used because {reason}. Remove `types`, "
                "or remove `compatLevel` and reset the state."
            )
        log.warning(f"Using legacy JSON parser, because {reason}.")
        # Only here: few runs use the legacy parser.
        from penstock.extractor.records.legacy import Legacy
        from penstock.extractor.results.legacy import LegacyFlattened

        return LegacyFlattened(spool, Legacy(struct if is_known else None, log, reserved), log)

    def learn(self, parser: Flattened | LegacyFlattened) -> None:
        """Stores the types of the records of an iteration."""
        self._state.setdefault("time", {})
        self._state[STRUCT] = deep_replace(as_map(self._state.get(STRUCT)), parser.struct())
        self._state[STRUCT_VERSION] = parser.version

    @property
    def earlier(self) -> dict[str, Any]:
        """Returns the state of the last run."""
        return self._state

    def remember(self, key: str, value: Any) -> None:
        self._state[key] = value

    def text(self) -> str:
        """Returns the state for the next run."""
        times = {key: value for key, value in as_map(self._state.get("time")).items() if key != "currentStart"}
        state = {**self._state, "time": {**times, "previousStart": self._started}}
        return json.dumps(as_json(_without_fractions(state)), separators=(",", ":")).replace("/", "\\/")


def _is_upgraded(struct: Any, version: Any) -> bool:
    """Returns whether the current parser continues with this struct: it has its version, or any other but the legacy
    one."""
    return str(version) in ("3", "3.0") or not (is_empty(version) or is_empty(struct))


def _without_fractions(value: Any) -> Any:
    """Replaces floats such as 2.0 by whole numbers, as the original writes them."""
    if isinstance(value, dict):
        return {key: _without_fractions(item) for key, item in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_without_fractions(item) for item in cast(list[Any], value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value
