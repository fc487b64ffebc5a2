"""Loads that do something else to rows than their writer may expect say so."""

from __future__ import annotations

from typing import Any

from penstock.runtime.data_folder import DataFolder
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.storage_port.ports import port_of, store


def load(shared: ServicesOnly, folder: DataFolder, table_id: str, text: str, **manifest: Any) -> tuple[str, ...]:
    files = {"tables/t.csv": text, "tables/t.csv.manifest": {"destination": table_id, **manifest}}
    [table] = store(port_of(shared), folder, files).tables
    return table.warnings


def rows_of(count: int, distinct: int) -> str:
    return "id,name\n" + "".join(f"{number % distinct},{number}\n" for number in range(count))


def test_a_key_that_collapses_rows_of_a_full_load_is_named_with_the_numbers(
    shared: ServicesOnly, folder: DataFolder, bucket: str
) -> None:
    [warning] = load(shared, folder, f"{bucket}.shrunk", rows_of(530, 3), primary_key=["id"])

    assert warning == (
        f"530 rows for the table {bucket}.shrunk became 3, because rows with the same primary key `id` replace each "
        "other. If they are different rows, choose columns that identify a row."
    )


def test_a_few_repeated_keys_and_those_of_an_incremental_load_are_usual(
    shared: ServicesOnly, folder: DataFolder, bucket: str
) -> None:
    assert load(shared, folder, f"{bucket}.few", rows_of(100, 95), primary_key=["id"]) == ()
    assert load(shared, folder, f"{bucket}.few", rows_of(100, 3), primary_key=["id"], incremental=True) == ()


def test_a_key_for_a_table_that_exists_without_one_is_said_to_have_no_effect(
    shared: ServicesOnly, folder: DataFolder, bucket: str
) -> None:
    assert load(shared, folder, f"{bucket}.late", rows_of(2, 2)) == ()
    [warning] = load(shared, folder, f"{bucket}.late", rows_of(4, 2), primary_key=["id"], incremental=True)

    assert "exists without a primary key, so the key `id` of this load had no effect: all 4 rows" in warning
    assert "Set the primary key of the table in Storage" in warning


def test_a_table_without_a_key_that_only_grows_is_named_with_its_rows(
    shared: ServicesOnly, folder: DataFolder, bucket: str
) -> None:
    assert load(shared, folder, f"{bucket}.grown", rows_of(5, 5), incremental=True) == ()
    [warning] = load(shared, folder, f"{bucket}.grown", rows_of(3, 3), incremental=True)

    assert "has no primary key, so this incremental load added 3 rows to the 5 that were there" in warning


def test_rows_that_are_meant_to_be_added_give_no_warning(shared: ServicesOnly, folder: DataFolder, bucket: str) -> None:
    insert = {"incremental": True, "deduplication_strategy": "insert"}

    assert load(shared, folder, f"{bucket}.log", rows_of(5, 5), **insert) == ()
    assert load(shared, folder, f"{bucket}.log", rows_of(3, 3), **insert) == ()
    assert load(shared, folder, f"{bucket}.log", "id,name\n", incremental=True) == ()
