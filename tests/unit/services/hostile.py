"""What a hostile or broken client might send, in the place of something sensible: files in `tests/data/`."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.support.corpora import read_lines, read_objects

DRAWN = 500


def nested(levels: int) -> Any:
    document: Any = "deep"
    for _ in range(levels):
        document = {"a": [document]}
    return document


def _value(line: dict[str, Any]) -> Any:
    if "nested" in line:
        return nested(line["nested"])
    return [line["list_of"]] * line["times"] if "list_of" in line else line["value"]


def _body(line: dict[str, Any]) -> bytes:
    text = line["body"] * line.get("times", 1)
    return (line.get("before", "") + text + line.get("after", "")).encode("latin-1")


TEXTS: list[str] = [line["text"] * line.get("times", 1) for line in read_objects("hostile_texts.jsonl")]
VALUES: list[Any] = [*TEXTS, *(_value(line) for line in read_objects("hostile_values.jsonl"))]
BODIES = [_body(line) for line in read_objects("hostile_bodies.jsonl")]
"""Bodies that are not a JSON object, not a form, or neither quite."""

KINDS = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "text/xml",
    "",
]
QUERIES = read_lines("hostile_queries.txt")
SEGMENTS = read_lines("hostile_segments.txt")
"""Parts of a path that are sent as they stand there."""

FOUND = [(line["row"], line["fields"]) for line in read_objects("broke_once.jsonl")]
"""What has broken a row before: every such bug adds a line."""

texts = st.sampled_from(TEXTS) | st.text(max_size=30)
_leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10)
)
values = st.sampled_from(VALUES) | st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def deck(strategy: st.SearchStrategy[Any]) -> list[Any]:
    """The whole corpus, and what is drawn beside it."""
    return [*(TEXTS if strategy is texts else VALUES), *draw(strategy)]


@cache
def draw(strategy: st.SearchStrategy[Any]) -> list[Any]:
    """Many values, the same ones always. They are drawn at once: each run of hypothesis takes longer than the few
    requests that one field of a row gets."""
    drawn: list[Any] = []

    @seed(DRAWN)
    @settings(
        max_examples=DRAWN,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(value=strategy)
    def keep(value: Any) -> None:
        drawn.append(value)

    keep()
    return drawn
