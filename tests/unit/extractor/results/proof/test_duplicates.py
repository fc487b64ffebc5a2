from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.extractor.records.upserts import Upsert
from penstock.extractor.results.proof import duplicates
from penstock.extractor.results.proof.duplicates import Keys
from tests.support.examples import examples
from tests.unit.extractor.results.journaled import OpenBucket

cells = st.sampled_from(["", "a", "b", "ab", 'a""', '""', ",", '"",""', "1", "01"])
CELLS = st.sampled_from([None, 1, 2, "1", 'a","b', 'a"', "a", "é"])
RECORDS = st.fixed_dictionaries(
    {"id": CELLS}, optional={"n": st.fixed_dictionaries({"k": CELLS}), "x": CELLS, "list": st.lists(CELLS, max_size=2)}
)
PAGES = st.lists(st.tuples(st.lists(RECORDS, max_size=4), st.dictionaries(st.sampled_from(["id", "p"]), CELLS)))


def test_rows_with_the_key_of_an_earlier_one_are_counted(tmp_path: Path):
    keys = Keys(tmp_path / "keys")
    keys.add("users", [["1", "2", "1"]])
    keys.add("orders", [["1", "2"]])
    keys.add("users", [["1", "3"]])

    assert keys.rows() == {"users": 5, "orders": 2}
    assert keys.duplicates() == {"users": 2, "orders": 0}


def test_a_key_of_several_columns_is_all_of_them(tmp_path: Path):
    keys = Keys(tmp_path / "keys")
    keys.add("t", [["a", "a", "a", ""], ["b", "c", "b", "ab"]])

    assert keys.duplicates() == {"t": 1}


def test_where_a_cell_ends_makes_a_difference(tmp_path: Path):
    keys = Keys(tmp_path / "keys")
    keys.add("t", [["a", 'a"",""b', "a,b"], ["b,c", "c", "c"]])

    assert keys.duplicates() == {"t": 0}


def test_a_table_without_rows_has_no_duplicates(tmp_path: Path):
    keys = Keys(tmp_path / "keys")
    keys.add("t", [[]])

    assert keys.duplicates() == {"t": 0}


def test_asking_twice_gives_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_small(monkeypatch)
    keys = Keys(tmp_path / "keys")
    for _ in range(3):
        keys.add("t", [[str(number) for number in range(50)]])

    assert keys.duplicates() == keys.duplicates() == {"t": 100}


def test_no_more_than_a_part_is_compared_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_small(monkeypatch)
    sizes: list[int] = []
    distinct = duplicates._Hashes.distinct
    monkeypatch.setattr(
        duplicates._Hashes, "distinct", lambda self, place=0: (sizes.append(self.count), distinct(self, place))[1]
    )
    keys = Keys(tmp_path / "keys")
    for page in range(40):
        keys.add("t", [[f"{page}-{number}" for number in range(100)]])

    assert keys.duplicates() == {"t": 0}
    whole, *parts = sizes
    assert whole == 4000
    assert sum(size for size in parts if size <= 16) == 4000


def test_a_key_that_all_rows_share_is_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_small(monkeypatch)
    keys = Keys(tmp_path / "keys")
    for _ in range(10):
        keys.add("t", [["same"] * 100])

    assert keys.duplicates() == {"t": 999}


def test_nothing_but_the_hashes_of_each_table_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_small(monkeypatch)
    keys = Keys(tmp_path / "keys")
    keys.add("t", [[str(number % 7) for number in range(500)]])
    keys.duplicates()

    assert [path.stat().st_size for path in (tmp_path / "keys").iterdir()] == [4000]


@given(
    st.integers(1, 3).flatmap(lambda width: st.lists(st.lists(st.tuples(*[cells] * width), max_size=60), max_size=9))
)
@settings(deadline=None)
def test_any_keys_are_counted_as_a_set_would(
    tmp_path_factory: pytest.TempPathFactory, pages: list[list[tuple[str, ...]]]
):
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        keys = Keys(tmp_path_factory.mktemp("keys"))
        for page in pages:
            if page:
                keys.add("t", list(zip(*page, strict=True)))

        rows = [row for page in pages for row in page]
        assert keys.duplicates().get("t", 0) == len(rows) - len(set(rows))


def make_small(patch: pytest.MonkeyPatch) -> None:
    """So that a few hundred keys go all the ways that millions go."""
    patch.setattr(duplicates, "WAITING", 8)
    patch.setattr(duplicates, "AT_ONCE", 16)


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
