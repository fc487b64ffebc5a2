"""Deleted configurations: in the trash, back from it, or gone."""

from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.configurations.making import CONFIGS, created, put


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def test_a_deleted_configuration_is_in_the_trash_and_comes_back(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine", configuration={"a": 1})

    assert storage.delete(f"{CONFIGS}/mine").status == 204
    assert storage.get(f"{CONFIGS}/mine").json["code"] == "storage.configuration.notFound"
    assert put(services, f"{CONFIGS}/mine", {"name": "x"}).status == 404
    assert "mine" not in {config["id"] for config in storage.get(CONFIGS).json}
    [trashed] = storage.get(f"{CONFIGS}?isDeleted=true").json
    assert (trashed["id"], trashed["isDeleted"], trashed["version"]) == ("mine", True, 2)
    assert trashed["changeDescription"] == "Configuration deleted"
    [component] = storage.get("/v2/storage/components?isDeleted=1").json
    assert [config["id"] for config in component["configurations"]] == ["mine"]

    restored = storage.post(f"{CONFIGS}/mine/restore")
    assert (restored.status, restored.json["version"], restored.json["isDeleted"]) == (200, 3, False)
    assert restored.json["changeDescription"] == "Configuration restored"
    assert restored.json == storage.get(f"{CONFIGS}/mine").json
    assert storage.post(f"{CONFIGS}/mine/restore").status == 404


def test_a_configuration_deleted_twice_is_gone(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine")
    storage.delete(f"{CONFIGS}/mine")

    assert storage.delete(f"{CONFIGS}/mine").status == 204
    assert storage.delete(f"{CONFIGS}/mine").json["code"] == "storage.configuration.notFound"
    assert storage.post(f"{CONFIGS}/mine/restore").status == 404
    assert created(services, configurationId="mine")["version"] == 1


def test_only_who_may_purge_empties_the_trash(services: ServicesOnly) -> None:
    created(services, configurationId="mine")
    wish = {"description": "limited", "componentAccess": ["ex-generic-v2"]}
    limited = services.service("storage", services.service("storage").post("/v2/storage/tokens", wish).json["token"])

    assert limited.delete(f"{CONFIGS}/mine").status == 204
    assert limited.delete(f"{CONFIGS}/mine").json["code"] == "accessDenied"
    assert services.service("storage").delete(f"{CONFIGS}/mine").status == 204


def test_a_trashed_id_is_used_again_without_its_rows_and_metadata(services: ServicesOnly) -> None:
    storage = services.service("storage")
    created(services, configurationId="mine")
    storage.post(f"{CONFIGS}/mine/rows", {"rowId": "1"})
    storage.post(f"{CONFIGS}/mine/metadata", {"metadata": [{"key": "k", "value": "v"}]})
    storage.delete(f"{CONFIGS}/mine")
    again = created(services, configurationId="mine")

    assert (again["version"], again["isDeleted"]) == (4, False)
    assert storage.get(f"{CONFIGS}/mine/rows").json == []
    assert storage.get(f"{CONFIGS}/mine/metadata").json == []
    assert len(storage.get(f"{CONFIGS}/mine/versions").json) == 4
