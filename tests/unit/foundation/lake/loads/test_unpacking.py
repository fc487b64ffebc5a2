"""Compressed files over the limits, and loads that are stopped: nothing is left of them."""

from __future__ import annotations

import gzip
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.interruption import Interrupted, Interruption
from penstock.foundation.lake import CsvSource, RowTooLarge, Unpacking, UnpacksTooFar, unpacking
from tests.support.bombs import HEADER, make_bomb
from tests.support.patience import PATIENCE
from tests.unit.foundation.lake.tables import USERS, Tables

MEGABYTE = 1_000_000


def packed(tables: Tables, *contents: bytes, **options: Any) -> CsvSource:
    paths: list[Path] = []
    for number, content in enumerate(contents):
        paths.append(tables.folder / f"{number}.csv.gz")
        paths[-1].write_bytes(content)
    known: dict[str, Any] = {"columns": HEADER, "has_header": True, **options}
    return CsvSource(paths=tuple(paths), is_gzipped=(True,) * len(paths), **known)


def slices(tables: Tables, *contents: bytes) -> CsvSource:
    return packed(tables, *contents, has_header=False)


def rows(megabytes: int) -> bytes:
    return b"1,x\n" * (megabytes * MEGABYTE // 4)


def refuse(tables: Tables, source: CsvSource) -> UnpacksTooFar:
    """And see that all is as it was, for this load and the next."""
    tables.load([HEADER, ("1", "Ada")])
    before = tables.files()
    with pytest.raises(UnpacksTooFar) as caught:
        tables.load_source(source)

    assert (tables.files(), tables.read(HEADER)) == (before, [("1", "Ada")])
    with tables.lake.session(USERS) as session:
        assert not session.staging.exists()
    tables.load([HEADER, ("2", "Emmy")], incremental=True)
    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy")]
    return caught.value


def test_a_file_that_unpacks_to_many_times_its_size_is_refused(tables: Tables, unpacked: list[int]) -> None:
    error = refuse(tables, packed(tables, make_bomb(2000)))

    assert sum(unpacked) < 1000 * MEGABYTE, "all of it was loaded"
    assert error.code == "storage.unpacksTooFar"
    assert "has 2 MB and unpacks to more than the 48" in error.message
    assert "raise the setting `unpacked_ratio`" in error.message


def test_a_file_that_unpacks_to_too_much_is_refused(tables: Tables) -> None:
    tables.lake.unpacking = Unpacking(megabytes=1)
    error = refuse(tables, packed(tables, gzip.compress(b"id,name\n" + rows(2))))

    assert "more than the 1 MB" in error.message
    assert "`unpacked_megabytes`" in error.message


def test_the_limit_is_for_all_slices_together(tables: Tables) -> None:
    tables.lake.unpacking = Unpacking(megabytes=2)
    one = gzip.compress(rows(1))
    tables.load_source(slices(tables, one, one))

    refuse(tables, slices(tables, one, one, one))


def test_what_the_patient_reader_unpacks_counts_too(tables: Tables) -> None:
    tables.lake.unpacking = Unpacking(megabytes=1)

    refuse(tables, packed(tables, gzip.compress(b"id,name\n" + rows(2)), escaped_by="\\", enclosure=""))


def test_a_line_without_end_is_not_read_to_its_end(tables: Tables) -> None:
    """It would have to fit into memory. That it is too long for a row is seen before it is too long for a file."""
    tables.lake.unpacking = Unpacking(megabytes=100)
    line = gzip.compress(b"x" * (20 * MEGABYTE))

    with pytest.raises(RowTooLarge):
        tables.load_source(packed(tables, line * 10, escaped_by="\\", enclosure=""))


def test_without_limits_everything_is_loaded(parallel_tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE_BYTES", 0)
    source = packed(parallel_tables, gzip.compress(b"id,name\n" + rows(2)))
    parallel_tables.lake.unpacking = Unpacking(megabytes=0, ratio=250)
    with pytest.raises(UnpacksTooFar):
        parallel_tables.load_source(source)
    parallel_tables.lake.unpacking = Unpacking(megabytes=0, ratio=0)

    assert parallel_tables.load_source(source).imported_rows == 500_000


@pytest.mark.parametrize(
    ("packed_bytes", "megabytes", "ratio", "limit"),
    [
        (1, 0, 0, None),
        (1, 7, 0, 7 * MEGABYTE),
        (1, 0, 250, 100 * MEGABYTE),
        (MEGABYTE, 0, 250, 250 * MEGABYTE),
        (MEGABYTE, 200, 250, 200 * MEGABYTE),
        (MEGABYTE, 300, 250, 250 * MEGABYTE),
    ],
)
def test_the_smaller_limit_counts_and_a_small_file_may_be_regular(
    packed_bytes: int, megabytes: int, ratio: int, limit: int | None
) -> None:
    assert Unpacking(megabytes, ratio).limit_of(packed_bytes)[0] == limit


def stop_soon(work: Interruption, is_over: threading.Event) -> None:
    while not is_over.wait(0.1):
        work.stop(Interrupted("enough"))


@pytest.mark.parametrize("escaped_by", ["", "\\"], ids=["engine", "patient"])
@pytest.mark.parametrize("is_gzipped", [True, False], ids=["gzip", "plain"])
def test_a_load_that_is_stopped_ends_soon_and_leaves_nothing(
    tables: Tables, unpacked: list[int], escaped_by: str, is_gzipped: bool
) -> None:
    tables.lake.unpacking = Unpacking(0, 0)
    tables.load([HEADER, ("1", "Ada")])
    source = long_source(tables, escaped_by, is_gzipped)
    work, is_over, began = Interruption(), threading.Event(), time.monotonic()
    stopper = threading.Timer(0.5, stop_soon, (work, is_over))
    stopper.start()

    with work.applied(), pytest.raises(Interrupted, match="enough"):
        tables.load_source(source)
    is_over.set()
    stopper.join()
    assert time.monotonic() - began < 120, "it was loaded to its end"
    assert sum(unpacked) < 2000 * MEGABYTE, "it was unpacked to its end"
    assert tables.read(HEADER) == [("1", "Ada")]
    assert len(tables.files()) == 1
    tables.load([HEADER, ("2", "Emmy")], incremental=True)
    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy")]


def long_source(tables: Tables, escaped_by: str, is_gzipped: bool) -> CsvSource:
    """Takes many minutes to load."""
    options: dict[str, Any] = {"escaped_by": escaped_by, "enclosure": "" if escaped_by else '"'}
    if is_gzipped:
        return packed(tables, make_bomb(4000), **options)
    file = tables.folder / "plain.csv"
    file.write_bytes(rows(10))
    return CsvSource(paths=(file,) * 1600, columns=HEADER, **options)


def test_who_waits_for_a_table_can_be_stopped(tables: Tables) -> None:
    work = Interruption()
    with tables.lake.one_writer(USERS):
        work.stop(Interrupted("enough"))
        waiter = threading.Thread(target=wait_for_table, args=(tables, work))
        waiter.start()
        waiter.join(PATIENCE)

        assert not waiter.is_alive()


def wait_for_table(tables: Tables, work: Interruption) -> None:
    with work.applied(), pytest.raises(Interrupted), tables.lake.one_writer(USERS):
        raise AssertionError("Two have it.")
