"""Tables that go into a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.foundation.errors import Forbidden
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.output_mapping import LoadsFailed
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.queue.storage_port.ports import fetch, port_of, read_csv, store
from tests.unit.services.storage.loading import make_table


def test_rows_come_in_as_csv_with_a_manifest(shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str) -> None:
    load_table(shared, f"{bucket}.t", 'id,name,x\n1,"a ""b"", c",u\n2,b,v\n3,c,v\n', primary_key=("id",))
    item = {"source": f"{bucket}.t", "columns": ["name", "id"], "where_column": "x", "where_values": ["v"]}
    fetched = fetch(port_of(shared), folder, tables=[item, {"source": f"{bucket}.t", "destination": "all.csv.gz"}])
    rows_in = folder.path / "in" / "tables"

    assert sorted(read_csv(rows_in / f"{bucket}.t")) == [["b", "2"], ["c", "3"], ["name", "id"]]
    assert read_csv(rows_in / "all.csv.gz")[:2] == [["id", "name", "x"], ["1", 'a "b", c', "u"]]
    manifest = json.loads((rows_in / f"{bucket}.t.manifest").read_text())
    assert (manifest["id"], manifest["columns"], manifest["primary_key"]) == (f"{bucket}.t", ["name", "id"], ["id"])
    assert {"uri", "name", "created", "last_change_date", "last_import_date", "metadata", "column_metadata"} <= {
        *manifest
    }
    assert "schema" not in manifest
    assert [table.id for table in fetched.tables] == [f"{bucket}.t"] * 2
    assert fetched.bytes == sum((rows_in / name).stat().st_size for name in (f"{bucket}.t", "all.csv.gz"))


def test_a_table_without_rows_is_a_header(shared: ServicesOnly, folder: DataFolder, bucket: str) -> None:
    load_table(shared, f"{bucket}.t", "id,name\n")
    fetch(port_of(shared), folder, tables=[{"source": f"{bucket}.t", "destination": "t.csv"}])

    assert read_csv(folder.path / "in" / "tables" / "t.csv") == [["id", "name"]]


def test_adaptive_reads_what_came_since_the_last_run(shared: ServicesOnly, folder: DataFolder, bucket: str) -> None:
    port, source = port_of(shared), f"{bucket}.t"
    item = {"source": source, "destination": "t", "changed_since": "adaptive"}
    read: list[int] = []
    state: dict[str, Any] = {}
    for content in ("id\n1\n2\n", "", "id\n3\n"):
        if content:
            load_table(shared, source, content, incremental=True)
        state = fetch(port, folder, state, tables=[item]).state
        read.append(len(read_csv(folder.path / "in" / "tables" / "t")) - 1)

    assert read == [2, 0, 1]
    assert state["tables"][0]["source"] == source


def test_adaptive_reads_a_table_once_that_a_client_has_made(
    shared: ServicesOnly, http: Http, folder: DataFolder
) -> None:
    make_table(http, "id\n1\n", name="made", bucket="made")
    item = {"source": "in.c-made.made", "destination": "t", "changed_since": "adaptive"}
    state = fetch(port_of(shared), folder, tables=[item]).state
    fetch(port_of(shared), folder, state, tables=[item])

    assert read_csv(folder.path / "in" / "tables" / "t") == [["id"]]


@pytest.mark.parametrize(
    ("how", "count"), [({"days": 1}, 1), ({"changed_since": "-1 day"}, 1), ({"changed_since": "+1 day"}, 0)]
)
def test_rows_are_chosen_by_when_they_changed(
    shared: ServicesOnly, folder: DataFolder, bucket: str, how: dict[str, Any], count: int
) -> None:
    load_table(shared, f"{bucket}.t", "id\n1\n")
    fetch(port_of(shared), folder, tables=[{"source": f"{bucket}.t", "destination": "t", **how}])

    assert len(read_csv(folder.path / "in" / "tables" / "t")) - 1 == count


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"tables": [{"source": "in.c-nowhere.t"}]}, 'The table "in.c-nowhere.t" of the input mapping was not found.'),
        ({"tables": [{"source": "nowhere"}]}, 'The table "nowhere" of the input mapping was not found.'),
        ({"files": [{"file_ids": ["99999999"]}]}, 'The file "99999999" of the input mapping was not found.'),
        ({"files": [{"tags": ["a"], "changed_since": "some day"}]}, '"some day" is not a valid time'),
    ],
)
def test_what_is_not_there_is_named(
    shared: ServicesOnly, folder: DataFolder, wanted: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadConfiguration) as raised:
        fetch(port_of(shared), folder, **wanted)
    assert sentence in raised.value.message


def test_a_token_reads_and_writes_only_its_buckets(shared: ServicesOnly, folder: DataFolder, bucket: str) -> None:
    load_table(shared, f"{bucket}.t", "id\n1\n")
    port = port_of(shared, is_master=False, can_manage_buckets=False, bucket_permissions={})

    with pytest.raises(Forbidden):
        fetch(port, folder, tables=[{"source": f"{bucket}.t"}])
    with pytest.raises(LoadsFailed, match=f'Failed to load table "{bucket}.t"'):
        store(port, folder, {"tables/a.csv": "id\n1\n", "tables/a.csv.manifest": {"destination": f"{bucket}.t"}})
