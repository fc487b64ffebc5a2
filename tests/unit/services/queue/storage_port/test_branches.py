"""A run in a development branch."""

from __future__ import annotations

import pytest

from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.queue.storage_port.ports import BRANCH, fetch, metadata_of, port_of, read_csv, store
from tests.unit.services.storage.loading import rows, upload


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
