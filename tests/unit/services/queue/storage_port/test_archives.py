"""What a run leaves besides tables and files: its folder in debug mode, and artifacts."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import msgspec
import pytest

from penstock.foundation.redaction import Redactor
from penstock.runtime import artifacts, debugging
from penstock.runtime.data_folder import DataFolder
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.storage_port.ports import fetch, port_of


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
