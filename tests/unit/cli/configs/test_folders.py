"""`penstock configs pull`, `push` and `diff`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.cli import main
from tests.support.api import Api, Response
from tests.unit.cli.conftest import Shell

PYTHON = "keboola.python-transformation-v2"
BLOCKS = [{"name": "Load all", "codes": [{"name": "Orders", "script": ["print(1)", "print(2)\n"]}]}]


@pytest.fixture
def folder(shell: Shell, tmp_path: Path) -> Path:
    """All that the tests before have left is gone, and three configurations are pulled."""
    for each in shell.json("configs", "list"):
        shell("configs", "delete", f"{each['component']}/{each['id']}")
    shell.configure("first", {"parameters": {"x": 1, "#password": "hush"}})
    shell.configure("second", {"parameters": {"x": 2}})
    shell.configure("code", {"parameters": {"blocks": BLOCKS}}, PYTHON)
    shell("configs", "pull", tmp_path / "project")
    return tmp_path / "project"


def change(file: Path, **members: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | members))


def add_row(shell: Shell, config_id: str, row_id: str) -> None:
    body = {"rowId": row_id, "name": f"Row {row_id}", "configuration": {"parameters": {"row": row_id}}}
    path = f"/v2/storage/components/ex-generic-v2/configs/{config_id}/rows"
    assert shell.storage.post(path, body).status == 201


def test_each_configuration_is_a_folder_with_its_code_as_files(shell: Shell, folder: Path) -> None:
    script = folder / PYTHON / "code" / "scripts" / "01-load-all" / "01-orders.py"

    assert sorted(path.name for path in folder.iterdir()) == ["ex-generic-v2", PYTHON, "versions.json"]
    assert script.read_text() == "print(1)\n\n# next statement\n\nprint(2)\n\n"
    assert "print" not in (folder / PYTHON / "code" / "config.json").read_text()
    assert "hush" not in (folder / "ex-generic-v2" / "first" / "config.json").read_text()
    assert '"#password": "KBC::' in (folder / "ex-generic-v2" / "first" / "config.json").read_text()


def test_a_second_pull_and_a_push_change_nothing(shell: Shell, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert shell("configs", "pull", folder) == "Configurations changed: 0 of 3.\n"
    assert shell("configs", "diff", folder) == ""
    assert shell("configs", "push", folder, "--yes") == "Configurations changed: 0.\n"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_changed_file_is_shown_and_pushed_alone(shell: Shell, folder: Path) -> None:
    before = {each["id"]: each["version"] for each in shell.json("configs", "list")}
    change(folder / "ex-generic-v2" / "second" / "config.json", parameters={"x": 3})
    shown = shell("configs", "diff", folder)
    pushed = shell("configs", "push", folder, "--yes")

    assert '-    "x": 2' in shown
    assert '+    "x": 3' in shown
    assert pushed.endswith("updated ex-generic-v2/second\nConfigurations changed: 1.\n")
    assert shell.json("configs", "show", "second")["configuration"] == {"parameters": {"x": 3}}
    assert {each["id"]: each["version"] for each in shell.json("configs", "list")} == {
        **before,
        "second": before["second"] + 1,
    }
    assert shell("configs", "diff", folder) == ""


def test_nothing_is_sent_unless_it_is_confirmed(shell: Shell, folder: Path) -> None:
    change(folder / "ex-generic-v2" / "second" / "meta.json", name="Other")

    assert "Send the changes with --yes." in shell("configs", "push", folder, code=1)
    assert shell.json("configs", "show", "second")["name"] == "The second"


def test_changed_code_is_pushed(shell: Shell, folder: Path) -> None:
    script = folder / PYTHON / "code" / "scripts" / "01-load-all" / "01-orders.py"
    script.write_text("print(3)\n")
    shell("configs", "push", folder, "--yes")

    [block] = shell.json("configs", "show", "code")["configuration"]["parameters"]["blocks"]
    assert block["codes"] == [{"name": "Orders", "script": ["print(3)"]}]


def test_a_configuration_changed_in_the_project_is_not_overwritten(shell: Shell, folder: Path) -> None:
    path = "/v2/storage/components/ex-generic-v2/configs/second"
    assert shell.storage.put(path, {"configuration": {"parameters": {"x": "theirs"}}}).status == 200
    change(folder / "ex-generic-v2" / "second" / "config.json", parameters={"x": "mine"})
    refused = shell("configs", "push", folder, "--yes", code=1)

    assert "ex-generic-v2/second was left alone: changed in the project since it was pulled." in refused
    assert shell.json("configs", "show", "second")["configuration"] == {"parameters": {"x": "theirs"}}
    assert "changed here; push it" in shell("configs", "pull", folder, code=1)
    shell("configs", "push", folder, "--yes", "--force")
    assert shell.json("configs", "show", "second")["configuration"] == {"parameters": {"x": "mine"}}


def test_a_pull_takes_what_changed_in_the_project_and_keeps_what_changed_here(shell: Shell, folder: Path) -> None:
    path = "/v2/storage/components/ex-generic-v2/configs"
    assert shell.storage.put(f"{path}/second", {"name": "New name"}).status == 200
    shell("configs", "delete", "first")
    shell.configure("third", {"parameters": {"x": 3}})
    (folder / "ex-generic-v2" / "second" / "notes.txt").write_text("mine")
    pulled = shell("configs", "pull", folder)

    assert set(pulled.splitlines()[:-1]) == {
        "deleted ex-generic-v2/first",
        "updated ex-generic-v2/second",
        "created ex-generic-v2/third",
    }
    assert json.loads((folder / "ex-generic-v2" / "second" / "meta.json").read_text())["name"] == "New name"
    assert (folder / "ex-generic-v2" / "second" / "notes.txt").read_text() == "mine"
    assert not (folder / "ex-generic-v2" / "first").exists()
    assert shell("configs", "diff", folder) == ""


def test_rows_are_folders_and_are_created_changed_and_deleted(shell: Shell, folder: Path) -> None:
    add_row(shell, "first", "a")
    add_row(shell, "first", "b")
    shell("configs", "pull", folder)
    rows = folder / "ex-generic-v2" / "first" / "rows"
    assert sorted(path.name for path in rows.iterdir()) == ["a", "b"]

    change(rows / "a" / "config.json", parameters={"row": "changed"})
    for file in (rows / "b").iterdir():
        file.unlink()
    (rows / "new").mkdir()
    (rows / "new" / "config.json").write_text('{"parameters": {"row": "new"}}')
    shell("configs", "push", folder, "--yes")

    found = {row["id"]: row["configuration"]["parameters"] for row in shell.json("configs", "show", "first")["rows"]}
    assert found == {"a": {"row": "changed"}, "new": {"row": "new"}}
    assert shell("configs", "diff", folder) == ""


def test_a_push_that_fails_on_a_row_changes_nothing_of_the_configuration(shell: Shell, folder: Path) -> None:
    add_row(shell, "first", "a")
    shell("configs", "pull", folder)
    change(folder / "ex-generic-v2" / "first" / "meta.json", name="Half")
    bad = folder / "ex-generic-v2" / "first" / "rows" / ("x" * 250 + "%2F")
    bad.mkdir()
    (bad / "config.json").write_text("{}")
    failed = shell("configs", "push", folder, "--yes", code=1)
    now = shell.json("configs", "show", "first")

    assert "ex-generic-v2/first was not changed" in failed
    assert (now["name"], [row["id"] for row in now["rows"]]) == ("The first", ["a"])


def test_a_new_folder_becomes_a_configuration_and_its_secret_is_encrypted(shell: Shell, folder: Path) -> None:
    made = folder / "ex-generic-v2" / "copy"
    made.mkdir()
    (made / "config.json").write_text('{"parameters": {"#key": "plain-text"}}')
    shown = shell("configs", "diff", folder)
    sent = shell("configs", "push", folder, "--yes")

    assert "plain-text" not in shown + sent
    assert '+    "#key": "(not encrypted yet)"' in shown
    assert '"#key": "KBC::' in (made / "config.json").read_text()
    assert shell.json("configs", "show", "copy")["name"] == "copy"


def test_a_removed_folder_is_deleted_only_on_request(shell: Shell, folder: Path) -> None:
    for file in (folder / "ex-generic-v2" / "second").iterdir():
        file.unlink()
    shell("configs", "push", folder, "--yes")
    assert "second" in [each["id"] for each in shell.json("configs", "list")]

    shell("configs", "push", folder, "--yes", "--delete")
    assert "second" not in [each["id"] for each in shell.json("configs", "list")]


def test_a_script_outside_of_the_folder_is_not_read(shell: Shell, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    config = folder / PYTHON / "code" / "config.json"
    config.write_text(config.read_text().replace("scripts/01-load-all/01-orders.py", "../../../secret"))

    assert "names the script ../../../secret, which is not in its folder." in shell("configs", "push", folder, code=1)


def test_damaged_files_are_named(shell: Shell, folder: Path) -> None:
    (folder / "ex-generic-v2" / "first" / "config.json").write_text("{")

    assert "first/config.json is not valid JSON: " in shell("configs", "diff", folder, code=1)
    (folder / "versions.json").write_text("{")
    assert "versions.json is damaged" in shell("configs", "pull", folder, code=1)
    assert "There is no folder" in shell("configs", "push", folder / "nowhere", code=1)


def test_a_pull_of_five_hundred_configurations_is_one_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [{"id": str(number), "name": "n", "configuration": {"parameters": {}}} for number in range(500)]
    with Api() as api:
        api.on("/v2/storage/components", Response.json([{"id": "c", "configurations": made}]))
        assert main(["configs", "pull", str(tmp_path), "--url", api.url, "--token", "t"]) == 0
        assert len(api.asked("/v2/storage/components")) == 1

    assert capsys.readouterr().out.endswith("Configurations changed: 500 of 500.\n")
    assert len(list((tmp_path / "c").iterdir())) == 500


def test_the_configuration_of_the_sql_workspace_is_not_kept_in_files(shell: Shell, folder: Path) -> None:
    shell.configure("penstock-sql", {}, "keboola.sandboxes")

    assert shell("configs", "diff", folder) == ""
    assert shell("configs", "pull", folder) == "Configurations changed: 0 of 3.\n"
    (folder / "keboola.sandboxes" / "penstock-sql").mkdir(parents=True)
    (folder / "keboola.sandboxes" / "penstock-sql" / "meta.json").write_text('{"name": "Penstock SQL"}')
    assert shell("configs", "diff", folder) == ""
    assert shell("configs", "push", folder, "--yes", "--delete") == "Configurations changed: 0.\n"
    assert shell.json("configs", "show", "penstock-sql")["id"] == "penstock-sql"
