"""What a component is told about data types: the configuration's word, else the component's own, else `none`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component, messages, run

pytestmark = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)

OWN = "own.test"
SCRIPT = """
print("told", os.environ["KBC_DATA_TYPE_SUPPORT"])
write_table("a.csv", "1\\n", destination="in.c-main.a", schema=[
    {"name": "id", "data_type": {"base": {"type": "INTEGER"}}}
])
"""


def try_out(services: ServicesOnly, folder: Path, manifest: dict[str, Any], output: dict[str, Any]) -> dict[str, Any]:
    add_component(services, folder, OWN, SCRIPT, **manifest)
    return run(services, OWN, configData={"parameters": {}, "storage": {"output": output}})


@pytest.mark.parametrize(
    ("manifest", "output", "told", "is_typed"),
    [
        ({}, {}, "none", True),
        ({}, {"data_type_support": "authoritative"}, "authoritative", True),
        ({"data_type_support": "hints"}, {}, "hints", False),
        ({"data_type_support": "authoritative"}, {"data_type_support": "hints"}, "hints", False),
        ({"data_type_support": "hints"}, {"data_type_support": "none"}, "none", False),
        ({"data_type_support": "authoritative"}, {"data_type_support": ""}, "authoritative", True),
    ],
)
def test_a_component_is_told_what_types_are_and_its_tables_follow(
    services: ServicesOnly, tmp_path: Path, manifest: dict[str, Any], output: dict[str, Any], told: str, is_typed: bool
) -> None:
    job = try_out(services, tmp_path, manifest, output)

    assert job["status"] == "success", job["result"]
    assert f"told {told}" in messages(services, job)
    assert services.service("storage").get("/v2/storage/tables/in.c-main.a").json["isTyped"] == is_typed


def test_a_wrong_value_ends_the_job_before_the_component_runs(services: ServicesOnly, tmp_path: Path) -> None:
    job = try_out(services, tmp_path, {}, {"data_type_support": "maybe"})

    assert job["status"] == "error"
    assert job["result"]["message"] == (
        '"container.storage.output.data_type_support": "maybe" is not a valid value. '
        'Use "authoritative", "hints" or "none".'
    )
    assert not any(line.startswith("told") for line in messages(services, job))


@pytest.mark.parametrize("support", ["", "hints"])
def test_the_component_is_shown_with_what_it_says(services: ServicesOnly, tmp_path: Path, support: str) -> None:
    add_component(services, tmp_path, OWN, SCRIPT, data_type_support=support)

    shown = services.service("storage").get(f"/v2/storage/components/{OWN}").json

    assert shown["dataTypesConfiguration"] == ({"dataTypesSupport": support} if support else {})
