"""Components in Storage, bundled and added ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from penstock.services.developer import interface as developer
from tests.support.stacks import ServicesOnly

OWN = Path(__file__).parents[2] / "components" / "own"
WRITER = "/v2/storage/components/kds-team.wr-generic"


@pytest.fixture
def added(services: ServicesOnly) -> ServicesOnly:
    """A stack with a custom component."""
    wanted = developer.read_folder(OWN)
    with services.stack.database.writing() as tx:
        developer.add_component(tx, wanted)
    return services


def test_a_component_is_shown_with_what_is_needed_to_configure_and_run_it(shared: ServicesOnly) -> None:
    shown = shared.service("storage", token="").get(WRITER).json

    assert (shown["id"], shown["type"], shown["hasRun"]) == ("kds-team.wr-generic", "writer", True)
    assert shown["uri"].endswith(WRITER)
    assert shown["configurationSchema"]["required"] == ["api"]
    assert shown["emptyConfiguration"]["parameters"]["request_parameters"]["method"] == "POST"
    assert shown["data"]["definition"]["tag"] == "1.0.0"
    assert (shown["data"]["memory"], shown["data"]["process_timeout"]) == ("2048m", 14400)
    assert (shown["data"]["default_bucket"], shown["data"]["default_bucket_stage"]) == (False, "in")


def test_an_agent_finds_what_it_needs_to_configure_the_extractor(shared: ServicesOnly) -> None:
    shown = shared.service("storage", token="").get("/v2/storage/components/ex-generic-v2").json
    validator = Draft202012Validator(shown["editorSchema"])

    assert not validator.is_valid({"api": {}, "config": {"jobs": [{"endpoint": "users"}]}})
    assert validator.is_valid({"api": {"baseUrl": "https://h/"}, "config": {"jobs": [{"endpoint": "users"}]}})
    assert validator.is_valid(shown["emptyConfiguration"]["parameters"])
    assert shown["flags"] == ["genericDockerUI"]
    assert shown["longDescription"].count("```json") >= 5
    assert "`parameters.api.baseUrl`" in shown["configurationDescription"]


@pytest.mark.parametrize(
    ("component_id", "kind", "has_run"),
    [
        ("keboola.mcp-server-tool", "other", False),
        ("keboola.snowflake-transformation", "transformation", True),
        ("keboola.ex-aws-s3", "extractor", False),
        ("keboola.ex-db-mysql", "extractor", False),
        ("transformation", "transformation", False),
        ("keboola.wr-db-mysql", "writer", False),
        ("keboola.ex-azure-cost-management", "extractor", False),
        ("kds-team.app-custom-python", "application", False),
        ("kds-team.app-orchestration-trigger-queue-v2", "application", False),
    ],
)
def test_components_that_clients_expect_have_configurations(
    services: ServicesOnly, component_id: str, kind: str, has_run: bool
) -> None:
    storage, path = services.service("storage"), f"/v2/storage/components/{component_id}"

    shown = storage.get(path).json
    made = storage.post(f"{path}/configs", {"name": "Mine", "configuration": {"parameters": {"a": 1}}})
    listed = {each["id"]: each for each in storage.get("/v2/storage/components").json}

    assert (shown["id"], shown["type"], shown["hasRun"]) == (component_id, kind, has_run)
    assert made.status == 201
    assert [each["id"] for each in listed[component_id]["configurations"]] == [made.json["id"]]
    if not has_run:
        job = services.service("queue").post("/jobs", {"component": component_id, "config": made.json["id"]})
        assert job.status == 400
        assert f'"{component_id}" is not runnable. ' in job.json["error"]


def test_official_programs_get_what_they_expect_of_components(shared: ServicesOnly) -> None:
    storage = shared.service("storage", token="")
    listed = {each["id"]: each for each in storage.get("/v2/storage").json["components"]}
    for shown in (listed, {name: storage.get(f"/v2/storage/components/{name}").json for name in listed}):
        assert shown["ex-generic-v2"]["configurationSchema"] == {}
        assert shown["keboola.ex-aws-s3"]["data"]["default_bucket"] is True
        assert shown["keboola.snowflake-transformation"]["emptyConfiguration"] == {}
        assert [name for name, each in shown.items() if "editorSchema" in each] == ["ex-generic-v2"]


def test_an_alias_is_shown_under_its_id(shared: ServicesOnly) -> None:
    shown = shared.service("storage").get("/v2/storage/components/keboola.ex-generic-v2").json

    assert shown["id"] == "ex-generic-v2"


def test_every_schema_in_the_index_is_one(added: ServicesOnly) -> None:
    components = added.service("storage", token="").get("/v2/storage").json["components"]

    assert components[-1]["id"] == "tests.ex-doubles"
    for component in components:
        Draft202012Validator.check_schema(component["configurationSchema"])
        Draft202012Validator.check_schema(component["configurationRowSchema"])


def test_an_added_component_has_configurations_like_any_other(added: ServicesOnly) -> None:
    storage, path = added.service("storage"), "/v2/storage/components/tests.ex-doubles"

    shown = storage.get(path).json
    made = storage.post(f"{path}/configs", {"name": "Mine", "configuration": {"parameters": {"#key": "secret"}}})

    assert shown["longDescription"].startswith("# Doubles")
    assert (shown["data"]["memory"], shown["data"]["default_bucket"]) == ("256m", True)
    assert made.status == 201
    assert "secret" not in made.text
    assert "tests.ex-doubles" in {component["id"] for component in storage.get("/v2/storage/components").json}


def test_a_token_may_be_given_an_added_component(added: ServicesOnly) -> None:
    storage = added.service("storage")

    made = storage.post("/v2/storage/tokens", {"description": "x", "componentAccess": ["tests.ex-doubles"]})
    wrong = storage.post("/v2/storage/tokens", {"description": "x", "componentAccess": ["tests.nothing"]})

    assert made.json["componentAccess"] == ["tests.ex-doubles"]
    assert wrong.status == 400


def test_the_parameters_of_an_image_are_not_public(services: ServicesOnly, tmp_path: Path) -> None:
    (tmp_path / "component.json").write_text(
        '{"id": "me.x", "name": "X", "type": "other", "command": ["python"], "image_parameters": {"#key": "hush"}}'
    )
    wanted = developer.read_folder(tmp_path)
    with services.stack.database.writing() as tx:
        developer.add_component(tx, wanted)

    assert "hush" not in services.service("storage", token="").get("/v2/storage/components/me.x").text
