"""A run in a development branch of a project whose branches have their own storage."""

from __future__ import annotations

import pytest

from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.output_mapping.storing import LoadsFailed
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.queue.storage_port.ports import fetch, metadata_of, port_of, read_csv, store
from tests.unit.services.storage.loading import rows, upload
from tests.unit.services.storage.storage_branches.making import Branched


@pytest.fixture
def branched(shared: ServicesOnly) -> Branched:
    return Branched(shared)


def read(folder: DataFolder, *names: str) -> list[list[str]]:
    return [read_csv(folder.path / "in" / "tables" / name)[1] for name in names]


def test_a_branch_writes_the_same_ids_and_reads_its_own_first(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(branched.services, f"{bucket}.t", "id\nproduction\n")
    load_table(branched.services, f"{bucket}.only", "id\nproduction\n")
    port = port_of(branched.services, branched.id)
    [table] = store(port, folder, {"tables/t.csv": "id\nbranch\n"}, default_bucket=bucket).tables
    fetch(port, folder, tables=[{"source": f"{bucket}.{name}", "destination": name} for name in ("t", "only")])

    assert table.id == f"{bucket}.t"
    assert (rows(http, table.id), rows(branched.branch, table.id)) == ([["production"]], [["branch"]])
    assert branched.branch.get(f"/tables/{bucket}.only").status == 404
    assert read(folder, "t", "only") == [["branch"], ["production"]]
    assert metadata_of(branched.branch, table.id)["system", "KBC.createdBy.branch.id"] == str(branched.id)
    assert metadata_of(http, table.id) == {}


def test_a_bucket_that_only_a_branch_has_is_not_there_for_production(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    store(port_of(branched.services, branched.id), folder, {"tables/t.csv": "id\n1\n"}, default_bucket=bucket)

    assert http.get(f"/buckets/{bucket}").status == 404
    for other in (port_of(branched.services), port_of(branched.services, branched.add_branch())):
        with pytest.raises(BadConfiguration, match=f'The table "{bucket}.t" of the input mapping was not found'):
            fetch(other, folder, tables=[{"source": f"{bucket}.t"}])


def test_one_table_comes_from_several_branches(branched: Branched, folder: DataFolder, bucket: str) -> None:
    load_table(branched.services, f"{bucket}.t", "id\nproduction\n")
    port, main = port_of(branched.services, branched.id), branched.main.get("/dev-branches/default").json["id"]
    store(port, folder, {"tables/t.csv": "id\nbranch\n"}, default_bucket=bucket)
    branches = {"own": "", "main": main, "default": "default", "named": str(branched.id)}
    items = [
        {"source": f"{bucket}.t", "destination": name, "source_branch_id": branch} for name, branch in branches.items()
    ]
    fetch(port, folder, tables=items)

    assert read(folder, *branches) == [["branch"], ["production"], ["production"], ["branch"]]
    with pytest.raises(BadConfiguration, match='The branch "999999" of the input mapping was not found'):
        fetch(port, folder, tables=[{"source": f"{bucket}.t", "source_branch_id": "999999"}])


def test_an_incremental_load_of_a_branch_begins_with_an_empty_table(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(branched.services, f"{bucket}.t", "id\n1\n")
    items = [{"source": "t.csv", "destination": f"{bucket}.t", "incremental": True}]
    store(port_of(branched.services, branched.id), folder, {"tables/t.csv": "id\n2\n"}, tables=items)

    assert (rows(http, f"{bucket}.t"), rows(branched.branch, f"{bucket}.t")) == ([["1"]], [["2"]])


def test_rows_are_deleted_in_the_branch_by_values_of_production(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    for name in ("t", "gone"):
        load_table(branched.services, f"{bucket}.{name}", "id\n1\n")
    port = port_of(branched.services, branched.id)
    store(port, folder, {"tables/t.csv": "id\n1\n2\n"}, default_bucket=bucket)
    rule = {
        "where_filters": [
            {"column": "id", "values_from_storage": {"bucket_id": bucket, "table": "gone", "column": "id"}}
        ]
    }
    item = {"source": "t.csv", "destination": f"{bucket}.t", "incremental": True, "delete_where": [rule]}
    store(port, folder, {"tables/t.csv": "id\n3\n"}, tables=[item])

    assert (rows(http, f"{bucket}.t"), rows(branched.branch, f"{bucket}.t")) == ([["1"]], [["2"], ["3"]])


def test_files_of_a_branch_keep_their_tags(branched: Branched, http: Http, folder: DataFolder, bucket: str) -> None:
    mine = upload(http, "production", "p.txt", tags=[bucket])
    port, place = port_of(branched.services, branched.id), folder.path / "in" / "files"
    fetch(port, folder, files=[{"tags": [bucket]}])
    assert [path.read_text() for path in place.glob("*.txt")] == ["production"]
    [file_id] = store(port, folder, {"files/b.txt": "branch", "files/b.txt.manifest": {"tags": [bucket]}}).file_ids
    folder.create()
    fetch(port, folder, files=[{"tags": [bucket]}, {"file_ids": [mine]}])

    assert sorted(path.read_text() for path in place.glob("*.txt")) == ["branch", "production"]
    assert branched.branch.get(f"/files/{file_id}").json["tags"][0] == bucket
    assert http.get(f"/files/{file_id}").status == 404


def test_a_file_of_production_gets_no_tags_from_a_branch(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    mine, own = upload(http, "x", tags=[bucket]), upload(branched.branch, "y", tags=[f"{bucket}-own"])
    port = port_of(branched.services, branched.id)
    for file_id in (mine, own):
        port.tag_file(file_id, ["done"])

    assert http.get(f"/files/{mine}").json["tags"] == [bucket]
    assert branched.branch.get(f"/files/{own}").json["tags"] == [f"{bucket}-own", "done"]


def test_a_token_that_may_write_a_bucket_writes_it_in_a_branch(
    branched: Branched, http: Http, folder: DataFolder, bucket: str
) -> None:
    load_table(branched.services, f"{bucket}.t", "id\nproduction\n")
    rights = {"is_master": False, "can_manage_buckets": False, "bucket_permissions": {bucket: "write"}}
    port = port_of(branched.services, branched.id, **rights)
    store(port, folder, {"tables/t.csv": "id\nbranch\n"}, default_bucket=bucket)

    assert rows(branched.branch, f"{bucket}.t") == [["branch"]]
    with pytest.raises(LoadsFailed, match="You don't have access"):
        store(port, folder, {"tables/t.csv": "id\nbranch\n"}, default_bucket=f"{bucket}-other")
    assert branched.branch.get(f"/buckets/{bucket}-other").status == http.get(f"/buckets/{bucket}-other").status == 404
