"""`primaryKey` and `incremental` of a job: what the manifests of its tables say."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.extraction import parameters, try_extraction

USERS = [{"id": 1, "team": {"id": 7}, "tags": ["a"]}, {"id": 2, "team": {"id": 8}, "tags": []}]


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    with Api() as api:
        api.on_everything(lambda _seen: Response.json(USERS))
        yield api


def manifests(api: Api, out: Path, *jobs: dict[str, Any], **config: Any) -> dict[str, dict[str, Any]]:
    document = parameters(api.url, *jobs)
    document["config"] |= config
    result = try_extraction(document, out)
    assert result.error is None, result.error
    found = (out / "tables").glob("*.manifest")
    facts = {file.name.removesuffix(".manifest").removeprefix("test."): json.loads(file.read_text()) for file in found}
    return {name: {key: fact for key, fact in each.items() if key != "destination"} for name, each in facts.items()}


def test_without_them_the_manifests_are_those_of_the_original(api: Api, tmp_path: Path) -> None:
    plain = {"incremental": False}

    assert manifests(api, tmp_path, {"endpoint": "users"}) == {"users": plain, "users_tags": plain}


@pytest.mark.parametrize(
    ("given", "key"),
    [("id", ["id"]), (["id", "team_id"], ["id", "team_id"]), ("team.id", ["team_id"])],
)
def test_a_primary_key_is_that_of_the_table_and_rows_of_its_arrays_are_added_too(
    api: Api, tmp_path: Path, given: Any, key: list[str]
) -> None:
    job = {"endpoint": "users", "primaryKey": given, "incremental": True}

    assert manifests(api, tmp_path, job, {"endpoint": "orders"}) == {
        "users": {"incremental": True, "primary_key": key},
        "users_tags": {"incremental": True},
        "orders": {"incremental": False},
        "orders_tags": {"incremental": False},
    }


def test_a_job_decides_before_the_configuration(api: Api, tmp_path: Path) -> None:
    found = manifests(
        api, tmp_path, {"endpoint": "users", "incremental": False}, {"endpoint": "orders"}, incrementalOutput=True
    )

    assert [found[name]["incremental"] for name in ("users", "users_tags", "orders")] == [False, False, True]


def test_a_mapped_table_can_be_incremental(api: Api, tmp_path: Path) -> None:
    mapping = {"users": {"id": {"mapping": {"destination": "id", "primaryKey": True}}}}

    assert manifests(api, tmp_path, {"endpoint": "users", "incremental": True}, mappings=mapping) == {
        "users": {"incremental": True, "primary_key": ["id"]}
    }


@pytest.mark.parametrize(
    ("jobs", "config", "sentence"),
    [
        (
            [{"endpoint": "users", "primaryKey": "uid"}],
            {},
            "names `uid`, but its table has no such column. It has `id`,",
        ),
        (
            [{"endpoint": "users", "primaryKey": "id"}],
            {"mappings": {"users": {"id": "id"}}},
            "The columns of 'users' are mapped - at `parameters.config.jobs[0].primaryKey`.",
        ),
        (
            [
                {"endpoint": "a", "dataType": "x", "primaryKey": "id"},
                {"endpoint": "b", "dataType": "x", "incremental": 1},
            ],
            {},
            "Another job of the data type 'x' has another `primaryKey` or `incremental`",
        ),
        ([{"endpoint": "users", "incremental": "often"}], {}, "at `parameters.config.jobs[0].incremental`"),
    ],
)
def test_a_mistake_is_named(
    api: Api, tmp_path: Path, jobs: list[dict[str, Any]], config: dict[str, Any], sentence: str
) -> None:
    document = parameters(api.url, *jobs)
    document["config"] |= config

    assert sentence in (try_extraction(document, tmp_path).error or "")
