"""Tables that come out of a run."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from penstock.runtime.data_folder import DataFolder
from penstock.runtime.output_mapping import LoadsFailed
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.queue.storage_port.ports import fetch, metadata_of, port_of, store
from tests.unit.services.storage.loading import rows


def test_a_table_is_loaded_with_what_its_manifest_says(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    manifest = {
        "destination": f"{bucket}.t",
        "primary_key": ["id"],
        "metadata": [{"key": "a", "value": 1}],
        "column_metadata": {"id": [{"key": "b", "value": "2"}], "gone": [{"key": "c", "value": "3"}]},
        "description": "All of it",
    }
    stored = store(port_of(shared), folder, {"tables/t.csv": "id,name\n1,a\n2,b\n", "tables/t.csv.manifest": manifest})
    [table] = stored.tables

    assert (table.id, table.imported_rows, table.columns) == (f"{bucket}.t", 2, ["id", "name"])
    assert stored.bytes == 16
    about = {"component.id": "my.component", "configuration.id": "c1", "configurationRow.id": "r1"}
    system = {
        ("system", f"KBC.{how}.{name}"): value
        for how in ("createdBy", "lastUpdatedBy")
        for name, value in about.items()
    }
    assert metadata_of(http, table.id) == system | {
        ("my.component", "a"): "1",
        ("my.component", "KBC.description"): "All of it",
    }
    bucket_items = {item["key"]: item["value"] for item in http.get(f"/buckets/{bucket}/metadata").json}
    assert bucket_items == {f"KBC.createdBy.{name}": value for name, value in about.items()}
    assert [item["key"] for item in http.get(f"/columns/{table.id}.id/metadata").json] == ["b"]


def test_slices_and_headerless_files_are_loaded(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    files = {
        "tables/s": {"1.gz": gzip.compress(b"1\ta\n"), "2": b"2\tb\n", ".hidden": b"not a slice"},
        "tables/s.manifest": {"destination": f"{bucket}.s", "columns": ["id", "name"], "delimiter": "\t"},
        "tables/h.csv": "'1';'x;y'\n",
        "tables/e": {},
        "tables/e.manifest": {"destination": f"{bucket}.e", "columns": ["id"]},
    }
    mapping = {
        "source": "h.csv",
        "destination": f"{bucket}.h",
        "columns": ["id", "v"],
        "delimiter": ";",
        "enclosure": "'",
    }
    store(port_of(shared), folder, files, tables=[mapping])

    assert rows(http, f"{bucket}.s") == [["1", "a"], ["2", "b"]]
    assert rows(http, f"{bucket}.h") == [["1", "x;y"]]
    assert (rows(http, f"{bucket}.e"), http.get(f"/tables/{bucket}.e").json["columns"]) == ([], ["id"])


def test_a_file_whose_name_looks_like_a_pattern_brings_no_other(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    names = ["a*.csv", "a1.csv", "a[1].csv", "a?.csv"]
    mappings = [{"source": name, "destination": f"{bucket}.t{n}"} for n, name in enumerate(names)]
    store(port_of(shared), folder, {f"tables/{name}": f"id\n{name}\n" for name in names}, tables=mappings)

    assert [rows(http, f"{bucket}.t{n}") for n in range(4)] == [[[name]] for name in names]


def test_inserted_rows_are_not_looked_up_by_their_key(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(shared, f"{bucket}.t", "id\n1\n", primary_key=("id",))
    manifest = {"destination": f"{bucket}.t", "incremental": True, "deduplication_strategy": "insert"}
    store(port_of(shared), folder, {"tables/t.csv": "id\n1\n", "tables/t.csv.manifest": manifest})

    assert rows(http, f"{bucket}.t") == [["1"], ["1"]]


def test_a_schema_makes_a_typed_table_that_comes_in_with_its_schema(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    schema = [
        {"name": "id", "data_type": {"base": {"type": "INTEGER"}}, "primary_key": True, "nullable": False},
        {"name": "price", "data_type": {"base": {"type": "NUMERIC", "length": "10,2"}}},
    ]
    manifest = {"destination": f"{bucket}.t", "schema": schema, "has_header": True}
    store(port_of(shared), folder, {"tables/t.csv": "price,id\n1.5,1\n,2\n", "tables/t.csv.manifest": manifest})
    table = http.get(f"/tables/{bucket}.t").json
    fetch(port_of(shared), folder, tables=[{"source": f"{bucket}.t", "destination": "t"}])
    told = json.loads((folder.path / "in" / "tables" / "t.manifest").read_text())

    assert (table["isTyped"], table["primaryKey"]) == (True, ["id"])
    assert rows(http, f"{bucket}.t") == [["", "2"], ["1.50", "1"]]
    assert {each["name"]: each["data_type"]["base"]["type"] for each in told["schema"]} == {
        "id": "INTEGER",
        "price": "NUMERIC",
    }
    with pytest.raises(LoadsFailed, match="price"):
        store(port_of(shared), folder, {"tables/t.csv": "price,id\nmuch,1\n"})


def test_rows_are_deleted_before_new_ones_come_and_only_once(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(shared, f"{bucket}.t", "id,g\n1,a\n2,b\n3,c\n")
    load_table(shared, f"{bucket}.gone", "g\nb\n")
    stored = {"column": "g", "values_from_storage": {"bucket_id": bucket, "table": "gone"}}
    rules = [{"where_filters": [{"column": "g", "values_from_set": ["a"]}]}, {"where_filters": [stored]}]
    manifest = {"destination": f"{bucket}.t", "incremental": True, "delete_where": rules}
    files = {"tables/t.csv": "id,g\n9,a\n", "tables/t.csv.manifest": manifest}
    for _ in range(2):  # a worker that takes over does it again
        store(port_of(shared), folder, files, load_id=f"job-{bucket}")

    assert rows(http, f"{bucket}.t") == [["3", "c"], ["9", "a"]]


def test_a_new_table_is_not_emptied_by_who_takes_over(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    rules = [{"where_filters": [{"column": "g", "values_from_set": ["a"]}]}]
    manifest = {"destination": f"{bucket}.t", "incremental": True, "delete_where": rules}
    for _ in range(2):
        store(port_of(shared), folder, {"tables/t.csv": "g\na\n", "tables/t.csv.manifest": manifest}, f"job-{bucket}")

    assert rows(http, f"{bucket}.t") == [["a"]]


@pytest.mark.parametrize(
    ("content", "manifest", "sentence"),
    [
        ("a,b\n1,2\n", {"columns": ["a", "c"], "has_header": True}, 'has the columns "a, b" in its header, but "a, c"'),
        ("a,_timestamp\n1,2\n", {}, 'System columns "_timestamp" cannot be imported to the table.'),
        ("1,2\n", {"columns": ["a"]}, "Row 1 has 2 fields"),
        ("a\n1\n", {"delimiter": "ab"}, "is not a valid delimiter"),
        ("a\n1\n", {"metadata": [{"key": "a b", "value": ""}]}, "is not a valid metadata key"),
        ("a\n1\n", {"schema": [{"name": "a", "data_type": {"base": {"type": "HUGE"}}}]}, 'the base type "HUGE"'),
        ("a\n1\n", {"primary_key": ["b"]}, 'The primary key has the column "b"'),
    ],
)
def test_a_table_that_cannot_be_loaded_is_named_and_nothing_is_left(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str, content: str, manifest: Any, sentence: str
) -> None:
    files = {"tables/t.csv": content, "tables/t.csv.manifest": {"destination": f"{bucket}.t", **manifest}}
    with pytest.raises(LoadsFailed) as raised:
        store(port_of(shared), folder, files)

    assert raised.value.message.startswith(f'Failed to load table "{bucket}.t": ')
    assert sentence in raised.value.message
    assert http.get(f"/buckets/{bucket}").status == 404


def test_all_that_fail_are_named_and_nothing_is_loaded_then(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    files = {f"tables/{name}.csv": "a,_timestamp\n" for name in "bc"} | {"tables/a.csv": "id\n1\n"}
    with pytest.raises(LoadsFailed) as raised:
        store(port_of(shared), folder, files, default_bucket=bucket)

    assert [line.split(":")[0] for line in raised.value.message.splitlines()] == [
        f'Failed to load table "{bucket}.{name}"' for name in "bc"
    ]
    assert http.get(f"/buckets/{bucket}").status == 404
