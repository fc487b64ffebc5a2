"""The result of a check."""

from __future__ import annotations

from typing import Literal

import msgspec


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ok`; `note`: works, but worth knowing; `wrong`: has to be fixed, as described by `fix`."""

    name: str
    state: Literal["ok", "note", "wrong"]
    text: str
    fix: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.state == "wrong"


def ok(name: str, text: str) -> Check:
    return Check(name, "ok", text)


def note(name: str, text: str, fix: str = "") -> Check:
    return Check(name, "note", text, fix)


def wrong(name: str, text: str, fix: str) -> Check:
    return Check(name, "wrong", text, fix)
