"""What goes into a run and what comes out of it, with a real Storage behind the port."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Forbidden
from penstock.foundation.redaction import Redactor
from penstock.runtime import artifacts, debugging, input_mapping, output_mapping
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.input_mapping import Fetched
from penstock.runtime.output_mapping import LoadsFailed, Stored
from penstock.services.queue.execution.storage_port import Maker, StoragePort
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project, load_table
from tests.unit.services.storage.loading import make_table, rows, storage, upload

BRANCH = 777
_numbers = itertools.count(1)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "1")
    made.create()
    return made


@pytest.fixture
def bucket() -> str:
    """A bucket of the test's own."""
    return f"in.c-test{next(_numbers)}"


@pytest.fixture
def http(shared: ServicesOnly) -> Http:
    return storage(shared)


def port_of(shared: ServicesOnly, branch_id: int | None = None, **changes: Any) -> StoragePort:
    caller: Caller = msgspec.structs.replace(first_project(shared).caller, **changes)
    if branch_id:
        caller = msgspec.structs.replace(caller, branch_id=branch_id)
    return StoragePort(
        shared.stack, caller, Maker(component_id="my.component", run_id="55", config_id="c1", row_id="r1")
    )


def fetch(port: StoragePort, folder: DataFolder, remembered: dict[str, Any] | None = None, **wanted: Any) -> Fetched:
    return input_mapping.fetch(port, folder, wanted, remembered or {})


def read_csv(file: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(file.read_text(), newline="")))


def store(
    port: StoragePort, folder: DataFolder, files: dict[str, Any], load_id: str | None = None, **output: Any
) -> Stored:
    """Write what a component would, then map it. A folder of slices is a dictionary."""
    for name, content in files.items():
        path = folder.path / "out" / name
        if isinstance(content, dict) and not name.endswith(".manifest"):
            path.mkdir()
            for slice_name, data in content.items():
                (path / slice_name).write_bytes(data)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
    defaults = output_mapping.Defaults(load_id=load_id or f"job-{next(_numbers)}-0", default_bucket="in.c-default")
    return output_mapping.store(port, folder, output_mapping.plan(folder, output, defaults))


def metadata_of(http: Http, table_id: str) -> dict[tuple[str, str], str]:
    items = http.get(f"/tables/{table_id}/metadata").json
    return {(item["provider"], item["key"]): item["value"] for item in items}


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
        ({"files": [{"tags": ["a"], "changed_since": "some day"}]}, '"some day" is no time'),
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


def test_files_come_in_by_their_tags(shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str) -> None:
    ids = [upload(http, f"content {n}", f"{n}.txt", tags=[bucket, *(["odd"] if n % 2 else [])]) for n in range(4)]
    source = {"tags": [{"name": bucket}, {"name": "odd", "match": "exclude"}]}
    fetched = fetch(port_of(shared), folder, files=[{"source": source, "processed_tags": ["done"]}])
    place = folder.path / "in" / "files"

    assert (place / f"{ids[0]}_0.txt").read_text() == "content 0"
    assert sorted(path.name for path in place.iterdir() if path.suffix == ".txt") == [
        f"{ids[0]}_0.txt",
        f"{ids[2]}_2.txt",
    ]
    manifest = json.loads((place / f"{ids[0]}_0.txt.manifest").read_text())
    assert (manifest["id"], manifest["name"], manifest["tags"], manifest["is_sliced"]) == (
        ids[0],
        "0.txt",
        [bucket],
        False,
    )
    input_mapping.mark_processed(port_of(shared), fetched)
    assert [file["id"] for file in http.get(f"/files?q=tags:{bucket}+AND+tags:done").json] == [ids[2], ids[0]]


def test_adaptive_files_come_oldest_first_and_none_is_missed(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    ids = [upload(http, "x", f"{n}.txt", tags=[bucket]) for n in range(3)]
    item = {"tags": [bucket], "changed_since": "adaptive", "limit": 2}
    state: dict[str, Any] = {}
    seen: list[str] = []
    for _ in range(3):
        state = fetch(port_of(shared), folder, state, files=[item]).state
        seen.append(state["files"][0]["lastImportId"])

    assert seen == [str(ids[1]), str(ids[2]), str(ids[2])]


def test_a_sliced_file_goes_out_and_comes_in_as_a_folder(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    port = port_of(shared)
    stored = store(port, folder, {"files/big": {"a": b"1\n", "b": b"2\n"}, "files/big.manifest": {"tags": [bucket]}})
    fetch(port, folder, files=[{"tags": [bucket]}])
    place = folder.path / "in" / "files" / f"{stored.file_ids[0]}_big"

    assert [path.read_text() for path in sorted(place.iterdir())] == ["1\n", "2\n"]
    assert http.get(f"/files/{stored.file_ids[0]}").json["isSliced"] is True


def test_files_get_tags_that_say_whose_they_are_and_are_stored_once(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    files = {"files/a.txt": "hello", "files/a.txt.manifest": {"tags": [bucket], "is_permanent": True}}
    first, again = store(port_of(shared), folder, files), store(port_of(shared), folder, files)
    [file] = http.get(f"/files?tags[]={bucket}").json

    assert first.file_ids == again.file_ids == [file["id"]]
    assert file["tags"] == [
        bucket,
        "componentId: my.component",
        "configurationId: c1",
        "configurationRowId: r1",
        "runId: 55",
    ]
    assert (file["sizeBytes"], file["maxAgeDays"]) == (5, None)


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
        ("a\n1\n", {"delimiter": "ab"}, "is no delimiter"),
        ("a\n1\n", {"metadata": [{"key": "a b", "value": ""}]}, "is no key for metadata"),
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


def test_a_branch_writes_beside_production_and_reads_its_own_first(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(shared, f"{bucket}.t", "id\nproduction\n")
    load_table(shared, f"{bucket}.only", "id\nproduction\n")
    own = bucket.replace("c-", f"c-{BRANCH}-")
    port = port_of(shared, BRANCH)
    [table] = store(port, folder, {"tables/t.csv": "id\nbranch\n"}, default_bucket=bucket).tables
    fetch(port, folder, tables=[{"source": f"{bucket}.{name}", "destination": name} for name in ("t", "only")])

    assert table.id == f"{own}.t"
    assert rows(http, f"{bucket}.t") == [["production"]]
    assert [read_csv(folder.path / "in" / "tables" / name)[1] for name in ("t", "only")] == [["branch"], ["production"]]
    assert metadata_of(http, table.id)["system", "KBC.createdBy.branch.id"] == str(BRANCH)
    with pytest.raises(BadConfiguration, match="comes from a development branch"):
        fetch(port_of(shared), folder, tables=[{"source": f"{own}.t"}])


def test_files_of_a_branch_have_its_mark(shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str) -> None:
    upload(http, "production", "p.txt", tags=[bucket])
    port, place = port_of(shared, BRANCH), folder.path / "in" / "files"
    fetch(port, folder, files=[{"tags": [bucket]}])
    assert [path.read_text() for path in place.glob("*.txt")] == ["production"]
    [file_id] = store(port, folder, {"files/b.txt": "branch", "files/b.txt.manifest": {"tags": [bucket]}}).file_ids
    folder.create()
    fetch(port, folder, files=[{"tags": [bucket]}])

    assert [path.read_text() for path in place.glob("*.txt")] == ["branch"]
    assert http.get(f"/files/{file_id}").json["tags"][0] == f"{BRANCH}-{bucket}"


def test_debug_mode_keeps_the_folder_without_secrets(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str, tmp_path: Path
) -> None:
    document = {"parameters": {"#password": "canary", "url": "https://me:canary@host", "deep": [{"#k": "x", "a": 1}]}}
    folder.write_configuration(document)
    (folder.path / "in" / "tables" / "a.csv").write_text("id\n")
    tags = debugging.stage_tags("my.component", bucket, "r1")
    file_id = debugging.keep_stage(port_of(shared), folder, "0", tags, Redactor.of(document))
    file = http.get(f"/files/{file_id}").json
    fetch(port_of(shared), folder, files=[{"file_ids": [file_id]}])
    with zipfile.ZipFile(folder.path / "in" / "files" / f"{file_id}_stage_0.zip") as archive:
        config = archive.read("config.json")

        assert json.loads(config)["parameters"] == {"url": "https://me:[hidden]@host", "deep": [{"a": 1}]}
        assert archive.read("in/tables/a.csv") == b"id\n"
    assert (file["name"], file["tags"]) == ("stage_0.zip", ["debug", "my.component", f"jobId:{bucket}", "rowId:r1"])
    assert list(tmp_path.glob("*.zip")) == []


def test_artifacts_of_a_run_are_found_by_the_next(shared: ServicesOnly, folder: DataFolder, bucket: str) -> None:
    port = port_of(shared)
    run = artifacts.Run(
        branch_id="1", component_id="my.component", config_id=bucket, job_id="55", orchestration_id="54"
    )
    for kind in ("current", "shared"):
        (folder.path / "artifacts" / "out" / kind / "deep").mkdir()
        (folder.path / "artifacts" / "out" / kind / "deep" / "a.txt").write_text(kind)
    first, again = artifacts.upload(port, folder, {}, run), artifacts.upload(port, folder, {}, run)
    wanted = {"artifacts": {"runs": {"enabled": True, "filter": {"limit": 5}}, "shared": {"enabled": True}}}
    later = msgspec.structs.replace(run, job_id="56")
    fetched = artifacts.download(port, folder, wanted, later)
    place = folder.path / "artifacts" / "in"

    assert first == again
    assert fetched == first
    assert (place / "runs" / "jobs" / "job-55" / "deep" / "a.txt").read_text() == "current"
    assert (place / "shared" / "jobs" / "job-55" / "deep" / "a.txt").read_text() == "shared"


@pytest.mark.parametrize("linked", ["artifacts", "artifacts/out", "artifacts/out/current"])
def test_artifacts_of_somebody_else_are_not_taken_through_a_link(
    shared: ServicesOnly, folder: DataFolder, tmp_path: Path, linked: str
) -> None:
    other = DataFolder(tmp_path / "other")
    other.create()
    (other.path / "artifacts" / "out" / "current" / "secret.txt").write_text("")
    shutil.rmtree(folder.path / linked)
    (folder.path / linked).symlink_to(other.path / linked)
    run = artifacts.Run(branch_id="1", component_id="my.component", config_id="1", job_id="55")

    assert artifacts.upload(port_of(shared), folder, {}, run) == []
