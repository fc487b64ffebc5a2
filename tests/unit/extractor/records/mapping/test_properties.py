from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.base.values import to_text
from tests.unit.extractor.records.mapping import reference
from tests.unit.extractor.records.mapping.writing import (
    DISABLED,
    column,
    map_batches,
    map_rows,
    table,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), SCALARS | st.sampled_from([Float("1.50"), Float("1e3")]))))
def test_flat_rows_come_back_as_they_were(rows: list[dict[str, Any]]):
    # csv.reader would take a lone carriage return for the end of a row only outside of quotes.
    tables = map_rows({key: key.upper() for key in "abcd"}, *rows)

    assert tables["users"] == [list("ABCD"), *([to_text(row.get(key)) for key in "abcd"] for row in rows)]


ODD = st.sampled_from([None, True, False, 0, 2, "", "0", 'q"', Float("0.50"), [], ["x"], [None], {}])


def nested(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that hold lists of objects, mostly."""
    inner = st.lists(nested(depth - 1), min_size=2, max_size=3) | nested(depth - 1) if depth else ODD
    return st.fixed_dictionaries(
        {"id": st.integers(0, 99), "a": inner | ODD}, optional={"b": inner, "n": st.sampled_from(["x", None])}
    )


PARENT_KEY = {"disable": st.booleans(), "primaryKey": st.booleans()}


@st.composite
def mappings(draw: st.DrawFn, depth: int = 0, name: str = "t") -> dict[str, Any]:
    entries = {
        path: column(path, primaryKey=draw(st.booleans())) for path in draw(st.sets(st.sampled_from(["id", "n"])))
    }
    for path in draw(st.lists(st.sampled_from(["a", "b", "a.0"]), unique=True, max_size=0 if depth > 2 else 2)):
        if draw(st.booleans()):
            entries[path] = table(name, {"-": column("-")}, parentKey=DISABLED)
        else:
            inner = f"{name}_{path}"
            below = draw(mappings(depth + 1, inner))
            entries[path] = table(inner, below, parentKey=draw(st.fixed_dictionaries({}, optional=PARENT_KEY)))
    return dict(draw(st.permutations(list(entries.items())))) or {"id": column("id")}


@given(mappings(), st.lists(nested(2) | ODD, max_size=3))
def test_a_batch_is_written_as_row_by_row(mapping: dict[str, Any], rows: list[Any]):
    output = map_batches(mapping, rows, name="t")

    written = {name: lines for name, lines in output.read().items() if lines[0]}
    assert written == {name: lines for name, lines in reference.map_rows("t", mapping, rows).items() if lines[0]}
