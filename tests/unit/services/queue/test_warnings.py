"""Jobs that succeed, but may have brought too little: their results say so."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import claim, create_job, execute, messages

EXTRACTOR = "ex-generic-v2"


@pytest.fixture(scope="module")
def reaching(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """The services of a new stack whose jobs may reach loopback, for all tests of this file."""
    folder = tmp_path_factory.mktemp("reaching") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder, allow_hosts=["127.0.0.1"])
    yield stack
    stack.close()


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/items", {"items": [{"id": 1}, {"id": 2}], "total": 530})
        api.on("/all", {"items": [{"id": 1}, {"id": 2}], "total": 2})
        api.on("/none", lambda _seen: Response.json({"items": []}))
        yield api


def parameters(api: Api, endpoint: str, **job: Any) -> dict[str, Any]:
    jobs = [{"endpoint": endpoint, "dataField": "items", **job}]
    return {"api": {"baseUrl": f"{api.url}/"}, "config": {"outputBucket": "warned", "jobs": jobs}}


def run(services: ServicesOnly, document: dict[str, Any]) -> dict[str, Any]:
    create_job(services, EXTRACTOR, configData=document)
    return execute(services, claim(services))


def test_a_warning_of_the_component_is_in_the_result_and_once_in_the_log(reaching: ServicesOnly, api: Api) -> None:
    job = run(reaching, {"parameters": parameters(api, "items")})

    assert job["status"] == "success", job["result"]
    [warning] = job["result"]["warnings"]
    assert "but there seem to be more: `total` is 530." in warning
    assert len([line for line in messages(reaching, job) if "there seem to be more" in line]) == 1


def test_a_warning_of_a_load_is_in_the_result_and_once_in_the_log(reaching: ServicesOnly, api: Api) -> None:
    document = {"parameters": parameters(api, "all", dataType="grown")}
    document["parameters"]["config"]["incrementalOutput"] = True
    first = run(reaching, document)
    assert (first["status"], "warnings" in first["result"]) == ("success", False)
    job = run(reaching, document)

    [warning] = job["result"]["warnings"]
    assert "this incremental load added 2 rows to the 2 that were there" in warning
    assert len([line for line in messages(reaching, job) if "incremental load added" in line]) == 1


def test_a_job_that_brought_everything_has_no_warnings(reaching: ServicesOnly, api: Api) -> None:
    job = run(reaching, {"parameters": parameters(api, "all")})

    assert (job["status"], "warnings" in job["result"]) == ("success", False)


def test_a_configuration_without_parameters_says_where_to_put_them(reaching: ServicesOnly, api: Api) -> None:
    job = run(reaching, parameters(api, "all"))

    assert job["status"] == "error"
    assert 'put it, and what is next to it, below "parameters".' in job["result"]["message"]


def test_an_output_mapping_of_a_table_without_new_rows_is_not_an_error(reaching: ServicesOnly, api: Api) -> None:
    mapping = {"source": "warned.none", "destination": "in.c-warned.none", "primary_key": ["id"], "incremental": True}
    job = run(reaching, {"parameters": parameters(api, "none"), "storage": {"output": {"tables": [mapping]}}})

    assert job["status"] == "success", job["result"]
    assert [line for line in messages(reaching, job) if 'output mapping of "warned.none" had no effect' in line]
