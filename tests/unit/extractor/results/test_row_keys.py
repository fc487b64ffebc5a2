"""Keys of flattened rows: as many as there are in the table, whatever the pages do to its columns."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.upserts import Upsert
from tests.support.examples import examples
from tests.unit.extractor.results.journaled import OpenBucket

CELLS = st.sampled_from([None, 1, 2, "1", 'a","b', 'a"', "a", "é"])
RECORDS = st.fixed_dictionaries(
    {"id": CELLS}, optional={"n": st.fixed_dictionaries({"k": CELLS}), "x": CELLS, "list": st.lists(CELLS, max_size=2)}
)
PAGES = st.lists(st.tuples(st.lists(RECORDS, max_size=4), st.dictionaries(st.sampled_from(["id", "p"]), CELLS)))


@given(pages=PAGES, key=st.sampled_from([("id",), ("id", "n_k"), ("n.k",), ("x",)]))
@examples(200)
def test_duplicates_are_those_of_the_written_table(
    pages: list[tuple[list[dict[str, Any]], dict[str, Any]]], key: tuple[str, ...]
) -> None:
    first = ([{"id": 1, "n": {"k": 1}, "x": 1}], {})
    with TemporaryDirectory() as folder:
        bucket = _open(Path(folder), key)
        for records, extra in [*pages, first]:
            bucket.add("orders", records, extra)
        rows = list(csv.DictReader(io.StringIO(bucket.finish()["orders"], newline="")))
        keys = [tuple(row[name.replace(".", "_")] for name in key) for row in rows]

        assert bucket.bucket.duplicates() == {"orders": len(keys) - len(set(keys))}


def test_rows_of_another_data_type_in_the_table_are_not_counted(tmp_path: Path) -> None:
    bucket = _open(tmp_path, ("id",))
    bucket.add("orders", [{"id": 1}, {"id": 1}])
    bucket.add("users", [{"id": 1}, {"id": 1}])
    bucket.finish()

    assert bucket.bucket.duplicates() == {"orders": 1}


def _open(folder: Path, key: tuple[str, ...]) -> OpenBucket:
    bucket = OpenBucket(folder)
    bucket.bucket.upserts["orders"] = Upsert(key)
    bucket.bucket.count_keys(folder / "row-keys")
    return bucket
