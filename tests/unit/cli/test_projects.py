"""`penstock projects`."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.cli import main
from penstock.foundation.files import locks
from penstock.server.chosen_project import read_chosen
from penstock.server.projects import create_project, use_project
from penstock.server.running import Running, remember
from tests.support.stacks import RunningStack, ServicesOnly, wait_for
from tests.unit.cli.conftest import Penstock
from tests.unit.services.fill import add_project


@pytest.fixture
def folder(stack: RunningStack, penstock: Penstock) -> Generator[Path]:
    yield stack.folder
    penstock("projects", "disable", "storage-branches", "--data-dir", stack.folder)


def test_a_job_in_a_branch_writes_the_same_ids_where_branches_have_their_own_storage(
    penstock_process: Penstock, stack: RunningStack, folder: Path
) -> None:
    stack.run_job("sample-customers")
    branch = make_branch(stack, "own storage")
    enabled = penstock_process("projects", "enable", "storage-branches", "--data-dir", folder)
    job = stack.run_job("sample-customers", branchId=branch)
    assert job["status"] == "success", job["result"]
    output = job["result"]["output"]["tables"][0]
    within, bucket = f"/v2/storage/branch/{branch}", output["id"].rpartition(".")[0]

    assert (enabled.returncode, enabled.stdout) == (0, "storage-branches is on in project 1 (My project).\n")
    assert not bucket.startswith(f"in.c-{branch}-")
    assert [each["id"] for each in stack.storage.get(f"{within}/buckets").json] == [bucket]
    assert stack.storage.get(f"{within}/tables/{output['id']}").json["rowsCount"] == stack.rows_count(output["id"])
    assert stack.storage.get("/v2/storage/tokens/verify").json["owner"]["features"] == [
        "queuev2",
        "global-search",
        "storage-branches",
    ]
    stack.storage.delete(f"{within}/buckets/{bucket}?force=1")
    assert stack.storage.get(f"{within}/buckets/{bucket}").status == 404
    assert stack.rows_count(output["id"]) > 0


def test_components_find_the_features_of_their_project(penstock: Penstock, stack: RunningStack, folder: Path) -> None:
    penstock("projects", "enable", "storage-branches", "--data-dir", folder)
    script = ["import os", "print(os.environ['KBC_PROJECT_FEATURE_GATES'])"]
    blocks = [{"name": "b", "codes": [{"name": "c", "script": ["\n".join(script)]}]}]
    job = stack.run_job("", component="keboola.python-transformation-v2", configData={"parameters": {"blocks": blocks}})

    assert job["status"] == "success", job["result"]
    assert "queuev2,global-search,storage-branches" in [event["message"] for event in stack.events(job["id"])]


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
    assert line.endswith("queuev2 global-search storage-branches")
    assert json.loads(disabled.stdout)["features"] == ["queuev2", "global-search"]
    assert json.loads(penstock("projects", "list", "--json", *where).stdout) == [json.loads(disabled.stdout)]


def test_mistakes_are_sentences(penstock: Penstock, folder: Path, tmp_path: Path) -> None:
    unknown = penstock("projects", "enable", "sql", "--data-dir", folder)
    nobody = penstock("projects", "enable", "storage-branches", "--project", "999", "--data-dir", folder)
    nowhere = penstock("projects", "list", "--data-dir", tmp_path / "empty")

    assert {done.returncode for done in (unknown, nobody, nowhere)} == {1}
    assert (
        unknown.stderr
        == '"sql" is not a feature of this stack. Features there are: storage-branches, native-types, pay-as-you-go. '
        "A super administrator creates others with POST /manage/features.\n"
    )
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
    assert (features(None), features(other.token)) == (
        ["queuev2", "global-search"],
        ["queuev2", "global-search", "storage-branches"],
    )


def test_a_second_project_is_created_and_used(penstock: Penstock, services: ServicesOnly) -> None:
    folder = services.stack.folder
    where = ("--data-dir", folder)
    made = json.loads(penstock("projects", "create", "Second", "--json", *where).stdout)
    used = penstock("projects", "use", "Second", *where)
    listed = penstock("projects", "list", *where).stdout.splitlines()

    assert used.stdout == f"Commands use project {made['id']} (Second) from now on.\n"
    assert [line.endswith("in use") for line in listed] == [False, False, True]
    assert read_chosen(folder).token == made["token"]
    assert (folder / "projects.json").stat().st_mode & 0o777 == 0o600
    owner = services.service("storage", made["token"]).get("/v2/storage/tokens/verify").json["owner"]
    assert owner["name"] == "Second"

    penstock("projects", "use", "1", *where)
    assert read_chosen(folder).token is None


def test_commands_use_the_token_of_the_chosen_project(
    services: ServicesOnly, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = services.stack.folder
    url = f"http://127.0.0.1:{services.port}/_svc/storage"
    note = Running(storage_url=url, queue_url="", portal_url="", project_id=1, token=services.project.token, pid=1)
    remember(folder, note)
    lock = locks.try_to_hold(folder / "up.lock")
    assert lock
    with lock:
        where = ["--data-dir", str(folder)]
        assert main(["projects", "create", "Second", "--use", *where]) == 0
        capsys.readouterr()
        assert main(["configs", "list", "--json", *where]) == 0
        assert json.loads(capsys.readouterr().out) == []
        main(["projects", "use", "1", *where])
        capsys.readouterr()
        main(["configs", "list", "--json", *where])
        assert len(json.loads(capsys.readouterr().out)) == 2


def test_a_revoked_token_is_replaced_when_the_project_is_chosen_again(services: ServicesOnly) -> None:
    made, token = create_project(services.settings, "Second")
    number = token.split("-")[1]
    assert services.service("storage", token).delete(f"/v2/storage/tokens/{number}").status == 204
    use_project(services.settings, made.id)

    fresh = read_chosen(services.stack.folder).token
    assert fresh not in (None, token)
    assert services.service("storage", fresh).get("/v2/storage/tokens/verify").status == 200


def test_a_mistyped_project_is_answered_with_the_nearest(penstock_process: Penstock, services: ServicesOnly) -> None:
    ended = penstock_process("projects", "use", "My projct", "--data-dir", services.stack.folder)

    assert (ended.returncode, ended.stderr) == (1, "There is no project My projct. Did you mean My project?\n")


def test_a_project_trusts_hosts_that_the_operator_names(penstock: Penstock, stack: RunningStack) -> None:
    folder = ("--data-dir", stack.folder)
    trusted = penstock("projects", "trust-host", "EU.example.com:8443", *folder)
    again = penstock("projects", "trust-host", "eu.example.com:8443", "--json", *folder)
    wrong = penstock("projects", "trust-host", "https://eu.example.com/", *folder)
    ended = penstock("projects", "distrust-host", "eu.example.com:8443", *folder)

    assert trusted.stdout == "Trusted hosts: eu.example.com:8443.\n"
    assert json.loads(again.stdout) == {"trustedHosts": ["eu.example.com:8443"]}
    assert wrong.returncode == 1
    assert "is not a host" in wrong.stderr
    assert ended.stdout == "Trusted hosts: none.\n"
