"""`penstock projects`."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.stacks import RunningStack, ServicesOnly, wait_for
from tests.unit.cli.conftest import Penstock
from tests.unit.services.fill import add_project


@pytest.fixture
def folder(stack: RunningStack, penstock: Penstock) -> Generator[Path]:
    yield stack.folder
    penstock("projects", "disable", "storage-branches", "--data-dir", stack.folder)


def test_a_job_in_a_branch_writes_the_same_ids_where_branches_have_their_own_storage(
    penstock: Penstock, stack: RunningStack, folder: Path
) -> None:
    stack.run_job("sample-customers")
    branch = make_branch(stack, "own storage")
    enabled = penstock("projects", "enable", "storage-branches", "--data-dir", folder)
    job = stack.run_job("sample-customers", branchId=branch)
    assert job["status"] == "success", job["result"]
    output = job["result"]["output"]["tables"][0]
    within, bucket = f"/v2/storage/branch/{branch}", output["id"].rpartition(".")[0]

    assert (enabled.returncode, enabled.stdout) == (0, "storage-branches is on in project 1 (My project).\n")
    assert not bucket.startswith(f"in.c-{branch}-")
    assert [each["id"] for each in stack.storage.get(f"{within}/buckets").json] == [bucket]
    assert stack.storage.get(f"{within}/tables/{output['id']}").json["rowsCount"] == stack.rows_count(output["id"])
    assert stack.storage.get("/v2/storage/tokens/verify").json["owner"]["features"] == ["queuev2", "storage-branches"]
    stack.storage.delete(f"{within}/buckets/{bucket}?force=1")
    assert stack.storage.get(f"{within}/buckets/{bucket}").status == 404
    assert stack.rows_count(output["id"]) > 0


def test_components_find_the_features_of_their_project(penstock: Penstock, stack: RunningStack, folder: Path) -> None:
    penstock("projects", "enable", "storage-branches", "--data-dir", folder)
    script = ["import os", "print(os.environ['KBC_PROJECT_FEATURE_GATES'])"]
    blocks = [{"name": "b", "codes": [{"name": "c", "script": ["\n".join(script)]}]}]
    job = stack.run_job("", component="keboola.python-transformation-v2", configData={"parameters": {"blocks": blocks}})

    assert job["status"] == "success", job["result"]
    assert "queuev2,storage-branches" in [event["message"] for event in stack.events(job["id"])]


def make_branch(stack: RunningStack, name: str) -> int:
    job = stack.storage.post("/v2/storage/dev-branches", {"name": name}).json["id"]
    path = f"/v2/storage/jobs/{job}"
    return wait_for(lambda: (now := stack.storage.get(path).json)["endTime"] and now)["results"]["id"]


def test_projects_are_listed_with_their_features(penstock: Penstock, folder: Path) -> None:
    where = ("--data-dir", folder)
    penstock("projects", "enable", "storage-branches", "--project", "1", *where)
    [heading, line] = penstock("projects", "list", *where).stdout.splitlines()
    disabled = penstock("projects", "disable", "storage-branches", "--json", *where)

    assert heading.split() == ["ID", "NAME", "FEATURES"]
    assert line.split()[0] == "1"
    assert line.endswith("queuev2 storage-branches")
    assert json.loads(disabled.stdout)["features"] == ["queuev2"]
    assert json.loads(penstock("projects", "list", "--json", *where).stdout) == [json.loads(disabled.stdout)]


def test_mistakes_are_sentences(penstock: Penstock, folder: Path, tmp_path: Path) -> None:
    unknown = penstock("projects", "enable", "sql", "--data-dir", folder)
    nobody = penstock("projects", "enable", "storage-branches", "--project", "999", "--data-dir", folder)
    nowhere = penstock("projects", "list", "--data-dir", tmp_path / "empty")

    assert {done.returncode for done in (unknown, nobody, nowhere)} == {1}
    assert unknown.stderr == '"sql" is not a feature of projects. Use one of: storage-branches.\n'
    assert nobody.stderr == "Project 999 not found\n"
    assert "There is no stack in" in nowhere.stderr
    assert not (tmp_path / "empty").exists()


def test_one_of_several_projects_has_to_be_named(penstock: Penstock, services_on_each: ServicesOnly) -> None:
    other = add_project(services_on_each)
    database = services_on_each.settings.database
    where = ("--data-dir", services_on_each.stack.folder, *(("--database", database) if database else ()))
    unclear = penstock("projects", "enable", "storage-branches", *where)
    named = penstock("projects", "enable", "storage-branches", "--project", str(other.caller.project_id), *where)

    def features(token: str | None) -> list[str]:
        return services_on_each.service("storage", token).get("/v2/storage/tokens/verify").json["owner"]["features"]

    assert (unclear.returncode, unclear.stderr) == (1, "The stack has 2 projects. Choose one with --project ID.\n")
    assert named.returncode == 0, named.stderr
    assert (features(None), features(other.token)) == (["queuev2"], ["queuev2", "storage-branches"])
