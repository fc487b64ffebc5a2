"""Random documents as responses spell them, and limits so tight that everything is large."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from penstock.extractor.records.find import DataField
from penstock.extractor.responses.large import Limits

SIGNS = st.sampled_from([*'[]{}",:\\/ \n0e-.', '\\"', "\\\\", '"]', "é", "\u2028", "\U0001f600", "\0", "a"])
TEXTS = st.lists(SIGNS, max_size=6).map("".join)
NAMES = st.sampled_from(["a", "b", "data", "0", "1"]) | TEXTS.filter(lambda name: not name.startswith("\0"))
SCALARS = st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats(-1e9, 1e9) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
ROWS = st.lists(VALUES | st.fixed_dictionaries({"id": st.integers(), "t": TEXTS}), max_size=12)
DOCUMENTS = (
    ROWS
    | st.dictionaries(NAMES, ROWS | SCALARS | st.dictionaries(NAMES, ROWS | SCALARS, max_size=3), max_size=4)
    | VALUES
)
SPACE = st.text(" \t\r\n", max_size=3)
FIELDS = st.sampled_from(["", "0", ".", "data", "a", "a.b", "data.data", "a.0", "data.1", "data.0.a", "1"]).map(
    DataField
)
TIGHT = st.builds(Limits, chunk=st.integers(1, 40), array=st.integers(0, 30), part=st.integers(1, 30))
DAMAGE = st.sampled_from([*(bytes([sign]) for sign in b'[]{}"\\,: 1\0\xff\xc3\xa9'), b"\\ud800", b"\\udc00", b""])


@st.composite
def spelled(draw: st.DrawFn) -> bytes:
    """A document in JSON, with white space anywhere, escapes or none, and now and then a name twice."""
    return _spell(draw(DOCUMENTS), draw, is_ascii=draw(st.booleans())).encode()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The same with bytes lost, added or changed; mostly, but not always, no JSON any more."""
    body = draw(spelled())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(body)))
        body = body[:at] + draw(DAMAGE) + body[at + draw(st.integers(0, 3)) :]
    return body


def _spell(value: Any, draw: st.DrawFn, *, is_ascii: bool) -> str:
    if isinstance(value, list):
        inner = ",".join(_spell(item, draw, is_ascii=is_ascii) for item in value)
        text = f"[{inner or draw(SPACE)}]"
    elif isinstance(value, dict):
        members = [(name, item) for name, item in value.items() for _ in range(1 + draw(st.integers(0, 9)) // 9)]
        inner = ",".join(
            f"{json.dumps(name, ensure_ascii=is_ascii)}{draw(SPACE)}:{_spell(item, draw, is_ascii=is_ascii)}"
            for name, item in members
        )
        text = f"{{{draw(SPACE)}{inner}}}"
    else:
        text = json.dumps(value, ensure_ascii=is_ascii)
    return f"{draw(SPACE)}{text}{draw(SPACE)}"
