"""What a pull or a push would do with each configuration.

Three things are compared: the files, the project, and the base, which is what both were when last pulled or pushed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from penstock.client.config_files.content import Content, Key
from penstock.client.config_files.folder import Base

Kind = Literal["create", "update", "delete", "conflict", "behind"]


class Remote(msgspec.Struct, frozen=True):
    version: int
    content: Content


class Change(msgspec.Struct, frozen=True):
    """`kind` is what happens to the side that is changed: the files in a pull, the project in a push."""

    key: Key
    kind: Kind
    local: Content | None
    remote: Remote | None
    reason: str = ""
    """Why it is a conflict or is skipped."""

    @property
    def forced(self) -> Change:
        """A conflict that overwrites the other side; any other change as it is."""
        return msgspec.structs.replace(self, kind="update", reason="") if self.kind == "conflict" else self


class State(msgspec.Struct, frozen=True):
    """A configuration on both sides."""

    local: Content | None
    remote: Remote | None
    base: Base | None

    @property
    def is_same(self) -> bool:
        return self.local == (self.remote.content if self.remote else None)

    @property
    def is_changed_here(self) -> bool:
        if not self.base:
            return self.local is not None
        return self.local is None or self.local.digest != self.base.digest

    @property
    def is_changed_there(self) -> bool:
        if not self.base:
            return self.remote is not None
        return self.remote is None or self.remote.version != self.base.version


def plan_push(local: Mapping[Key, Content], remote: Mapping[Key, Remote], bases: Mapping[Key, Base]) -> list[Change]:
    changes = [_push_one(key, _state(key, local, remote, bases)) for key in _keys(local, remote)]
    return [change for change in changes if change]


def plan_pull(local: Mapping[Key, Content], remote: Mapping[Key, Remote], bases: Mapping[Key, Base]) -> list[Change]:
    changes = [_pull_one(key, _state(key, local, remote, bases)) for key in _keys(local, remote)]
    return [change for change in changes if change]


def _push_one(key: Key, state: State) -> Change | None:
    if state.is_same or not state.is_changed_here:
        is_behind = state.is_changed_there and not state.is_same
        return _change(key, "behind", state, "changed in the project; pull it") if is_behind else None
    if state.is_changed_there:
        reason = "changed in the project since it was pulled" if state.remote else "deleted in the project"
        return _change(key, "conflict", state, reason if state.base else "exists in the project, but was not pulled")
    kind = "create" if not state.remote else "update" if state.local else "delete"
    return _change(key, kind, state)


def _pull_one(key: Key, state: State) -> Change | None:
    if state.is_same or not (state.is_changed_there or state.is_changed_here):
        return None
    if state.is_changed_here:
        is_only_here = not state.remote and not state.base
        return None if is_only_here else _change(key, "conflict", state, _local_change(state))
    kind = "create" if not state.local else "update" if state.remote else "delete"
    return _change(key, kind, state)


def _local_change(state: State) -> str:
    return "changed here; push it" if state.local else "removed here; push it with --delete"


def _change(key: Key, kind: Kind, state: State, reason: str = "") -> Change:
    return Change(key, kind, state.local, state.remote, reason)


def _state(key: Key, local: Mapping[Key, Content], remote: Mapping[Key, Remote], bases: Mapping[Key, Base]) -> State:
    return State(local.get(key), remote.get(key), bases.get(key))


def _keys(local: Mapping[Key, Content], remote: Mapping[Key, Remote]) -> list[Key]:
    return sorted({*local, *remote})
