"""Records whose keys hold now an object, now a list of objects, under names that are easily confused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]
"""By key: what an object holds there. A schema for an object or a list of such, a strategy for single values."""

KEYS = ["id", "a", "b", "a.b", "a_b", "a b", "_a", "日本", "é", "@", "_u0", "data", "JSON_parentId", "t_a"]
singles = st.none() | st.booleans() | st.integers(0, 9) | st.text("xé\"'", max_size=2)
leaves = st.sampled_from([singles, singles | st.lists(st.integers(0, 9) | st.none(), max_size=2)])
schemas: st.SearchStrategy[Schema] = st.recursive(
    st.dictionaries(st.sampled_from(KEYS), leaves, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from(KEYS), leaves | inner, min_size=1, max_size=4),
    max_leaves=4,
)


@st.composite
def alike(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Some records of one schema, some of their keys missing, and in any order."""
    schema = draw(schemas)
    return draw(st.lists(objects(schema), min_size=1, max_size=6))


@st.composite
def objects(draw: st.DrawFn, schema: Schema) -> dict[str, Any]:
    keys = draw(st.permutations(list(schema)))
    return {key: draw(values(schema[key])) for key in keys[: draw(st.integers(0, len(keys)))]}


def values(held: Any) -> st.SearchStrategy[Any]:
    if not isinstance(held, dict):
        return held
    return st.none() | objects(held) | st.lists(objects(held), max_size=2)


@st.composite
def cuts(draw: st.DrawFn, records: list[Any]) -> list[list[Any]]:
    """The same records on pages that end anywhere."""
    ends = sorted(draw(st.sets(st.integers(1, len(records) - 1)))) if len(records) > 1 else []
    return [records[start:end] for start, end in zip([0, *ends], [*ends, len(records)], strict=True)]
