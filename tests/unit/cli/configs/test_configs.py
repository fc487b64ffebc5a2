"""`penstock configs list`, `show`, `create`, `edit` and `delete`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Shell

PARAMETERS: dict[str, Any] = {
    "api": {"baseUrl": "https://api.example/"},
    "config": {"outputBucket": "b", "jobs": [{"endpoint": "users"}]},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "users.json"
    path.write_text(json.dumps({"parameters": PARAMETERS}))
    return path


def test_a_configuration_is_created_from_a_file_shown_and_deleted(shell: Shell, file: Path) -> None:
    created = shell("configs", "create", file, "--id", "users", "--description", "All of them")
    shown = shell("configs", "show", "users")

    assert created == "Created ex-generic-v2/users (users). Run it: penstock configs run users\n"
    assert "Description    All of them\n" in shown
    assert json.loads(shown[shown.index("{") :]) == {"parameters": PARAMETERS}
    assert shell("configs", "delete", "users") == "Moved ex-generic-v2/users (users) to the trash.\n"
    assert "users" not in [each["id"] for each in shell.json("configs", "list")]


def test_configurations_are_listed_by_component_and_id(shell: Shell) -> None:
    shell.configure("zebra")
    shell.configure("ant")
    ids = [each["id"] for each in shell.json("configs", "list")]
    header = shell("configs", "list", "--component", "keboola.orchestrator")

    assert ids.index("ant") < ids.index("zebra")
    assert header.split() == ["ID", "COMPONENT", "NAME", "VERSION"]


def test_parameters_alone_are_put_in_their_place(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "bare.json").write_text(json.dumps(PARAMETERS))
    made = shell.json("configs", "create", tmp_path / "bare.json")

    assert made["name"] == "bare"
    assert made["configuration"] == {"parameters": PARAMETERS}


def test_yaml_has_the_types_of_json(shell: Shell, tmp_path: Path) -> None:
    text = """
    parameters:
      api: {baseUrl: "https://api.example/"}
      config:
        outputBucket: b
        jobs:
          - endpoint: users
            params: {since: 2026-01-31, country: no, active: true, limit: 5}
    """
    (tmp_path / "users.yaml").write_text(text)
    made = shell.json("configs", "create", tmp_path / "users.yaml")

    [job] = made["configuration"]["parameters"]["config"]["jobs"]
    assert job["params"] == {"since": "2026-01-31", "country": "no", "active": True, "limit": 5}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("c.json", '{"parameters": {,}}', "is not valid JSON: "),
        ("c.json", "[]", "does not hold an object"),
        ("c.yaml", "a: [", "is not valid YAML: "),
        ("c.json", '{"parameters": {"strict": true, "ap": {}}}', "`parameters.ap` is not a setting and has no effect."),
        ("c.json", '{"parameters": {"api": {}}}', "The configuration is not valid: The 'config' section is required"),
    ],
)
def test_what_cannot_be_right_is_not_sent(shell: Shell, tmp_path: Path, name: str, text: str, sentence: str) -> None:
    before = shell.json("configs", "list")
    (tmp_path / name).write_text(text)

    assert sentence in shell("configs", "create", tmp_path / name, code=1)
    assert shell.json("configs", "list") == before


def test_force_sends_what_only_the_component_may_understand(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"parameters": {"api": {}}}')

    assert shell("configs", "create", tmp_path / "odd.json", "--force").startswith("Created ")


def test_values_that_variables_provide_are_not_checked(shell: Shell, tmp_path: Path) -> None:
    document = {"parameters": {**PARAMETERS, "api": "{{ api }}"}}
    (tmp_path / "variables.json").write_text(json.dumps(document))

    assert shell("configs", "create", tmp_path / "variables.json").startswith("Created ")


def test_a_document_is_changed_in_the_editor(shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("configs", "create", file, "--id", "edited")
    monkeypatch.setenv("EDITOR", "sed -i s/users/orders/")

    assert shell("configs", "edit", "edited") == "Changed ex-generic-v2/edited, now version 2.\n"
    changed = shell.json("configs", "show", "edited")
    assert changed["configuration"]["parameters"]["config"]["jobs"] == [{"endpoint": "orders"}]
    assert shell("configs", "edit", "edited") == "ex-generic-v2/edited is unchanged.\n"


def test_a_mistake_in_the_editor_keeps_the_text(shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("configs", "create", file, "--id", "broken")
    monkeypatch.setenv("EDITOR", "sed -i s/{//")
    said = shell("configs", "edit", "broken", code=1)
    kept = Path(said.strip().rpartition(" ")[2].removesuffix("."))

    assert "is not valid JSON" in said
    assert "users" in kept.read_text()
    assert shell.json("configs", "show", "broken")["version"] == 1
    kept.unlink()


def test_a_document_is_replaced_by_a_file(shell: Shell, file: Path) -> None:
    shell("configs", "create", file, "--id", "replaced")
    file.write_text(file.read_text().replace("users", "orders"))

    assert shell.json("configs", "edit", "replaced", "--file", file)["version"] == 2


def test_a_mistyped_id_is_answered_with_the_nearest(shell: Shell) -> None:
    shell.configure("customers-of-shop")

    assert "Did you mean customers-of-shop" in shell("configs", "show", "customer-of-shop", code=1)


def test_an_id_of_two_components_has_to_name_one(shell: Shell) -> None:
    shell.configure("twice")
    shell.configure("twice", component="keboola.python-transformation-v2")
    unclear = shell("configs", "show", "twice", code=1)

    assert "Give one of: ex-generic-v2/twice, keboola.python-transformation-v2/twice." in unclear
    assert shell.json("configs", "show", "ex-generic-v2/twice")["component"] == "ex-generic-v2"
