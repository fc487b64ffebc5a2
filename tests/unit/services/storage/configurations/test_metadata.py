"""Metadata of configurations, and the search by it."""

from __future__ import annotations

from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.configurations.making import CONFIGS, created


def test_metadata_of_a_configuration_is_listed_overwritten_and_removed(services: ServicesOnly) -> None:
    storage, path = services.service("storage"), f"{CONFIGS}/mine/metadata"
    created(services, configurationId="mine")
    storage.post(path, {"provider": "ignored", "metadata": [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}]})
    response = storage.post(path, {"metadata": [{"key": "a", "value": "3"}]})

    assert response.status == 201
    assert [(item["key"], item["value"]) for item in response.json] == [("a", "3"), ("b", "2")]
    assert set(response.json[0]) == {"id", "key", "value", "timestamp"}
    assert storage.get(path).json == response.json
    assert storage.delete(f"{path}/{response.json[0]['id']}").status == 204
    assert [item["key"] for item in storage.get(path).json] == ["b"]
    assert storage.delete(f"{path}/{response.json[0]['id']}").json["code"] == "storage.metadata.notFound"
    assert storage.get(f"{CONFIGS}/absent/metadata").status == 404
    assert storage.post(f"{CONFIGS}/absent/metadata", {"metadata": []}).status == 404


def test_a_search_finds_configurations_by_their_metadata(services: ServicesOnly) -> None:
    storage, search = services.service("storage"), "/v2/storage/branch/default/search/component-configurations"
    for config_id, key in (("one", "x"), ("two", "y"), ("gone", "x")):
        created(services, configurationId=config_id)
        items = [{"key": key, "value": "1"}, {"key": "all", "value": "2"}]
        storage.post(f"{CONFIGS}/{config_id}/metadata", {"metadata": items})
    storage.delete(f"{CONFIGS}/gone")

    def found(query: str) -> dict[str, list[str] | None]:
        hits = storage.get(f"{search}?{query}").json
        return {
            hit["configurationId"]: [item["key"] for item in hit["metadata"]] if "metadata" in hit else None
            for hit in hits
        }

    assert found("metadataKeys[]=x") == {"one": None}
    assert found("metadataKeys[0]=x&metadataKeys[1]=all&include=filteredMetadata") == {
        "one": ["x", "all"],
        "two": ["all"],
    }
    assert found("configurationId=two&include=filteredMetadata") == {"two": ["y", "all"]}
    assert found("include=filteredMetadata") == {"one": ["x", "all"], "two": ["y", "all"]}
    assert set(found("idComponent=ex-generic-v2")) == {"one", "two", "sample-orders", "sample-customers"}
    assert found("idComponent=keboola.other") == {}
    assert found("metadataKeys[]=nothing&include=filteredMetadata") == {}


def test_a_search_needs_a_branch_and_known_conditions(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    without = storage.get("/v2/storage/search/component-configurations")
    unknown = storage.get("/v2/storage/branch/default/search/component-configurations?idConfiguration=1")

    assert (without.status, without.json["error"]) == (501, "Not implemented")
    assert unknown.status == 400
    assert "idConfiguration" in unknown.json["error"]
