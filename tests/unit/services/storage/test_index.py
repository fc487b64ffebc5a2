"""The storage index: the services and components of a stack, with their addresses."""

from __future__ import annotations

import pytest

from penstock.app import list_services
from penstock.components.catalogue import CATALOGUE
from tests.support.http import Http
from tests.support.stacks import ServicesOnly


@pytest.mark.parametrize("path", ["/v2/storage", "/v2/storage/", "/v2/storage?exclude=components", "/", ""])
def test_the_index_lists_the_services_without_a_token(shared: ServicesOnly, path: str) -> None:
    index = shared.service("storage", token="").get(path).json

    assert (index["api"], index["version"], index["stack"]) == ("storage", "v2", "penstock.localhost")
    assert index["services"] == [
        {"id": name, "url": f"http://127.0.0.1:{shared.port}/_svc/{name}"}
        for name in (service.id for service in list_services() if service.listing.is_listed)
    ]
    assert {"encryption", "vault", "queue", "query", "editor"} <= {service["id"] for service in index["services"]}
    assert index["features"]
    assert "disable-legacy-bucket-prefix" not in index["features"]


def test_every_address_in_the_index_responds(shared: ServicesOnly) -> None:
    for service in shared.service("storage").get("/v2/storage").json["services"]:
        assert not service["url"].endswith("/")
        assert Http(service["url"]).get("").status == 200
        assert Http(service["url"]).get("/health-check").status == 200


def test_components_may_be_left_out(shared: ServicesOnly) -> None:
    storage = shared.service("storage")

    names = [component["id"] for component in storage.get("/v2/storage").json["components"]]

    assert names == [component.id for component in CATALOGUE]
    assert "components" not in storage.get("/v2/storage?exclude=components").json


def test_details_of_components_may_be_left_out(shared: ServicesOnly) -> None:
    storage = shared.service("storage", token="")
    short, full = storage.get("/v2/storage?exclude=componentDetails"), storage.get("/v2/storage")

    names = ("id", "name", "type", "description", "flags", "categories", "features")
    assert short.json["components"] == [{name: each[name] for name in names} for each in full.json["components"]]
    assert all("configurationSchema" in each and "longDescription" in each for each in full.json["components"])
    assert len(short.body) < len(full.body) / 10


def test_a_wrong_token_does_not_matter(shared: ServicesOnly) -> None:
    assert shared.service("storage", "nonsense").get("/v2/storage").status == 200
