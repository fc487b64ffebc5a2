"""What real clients send when they push, mount, pull and delete images: recorded, and sent again."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Http
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import Registry, open_registry

RECORDINGS = Path(__file__).parents[4] / "data" / "registry"
PUSH = "crane_push_and_pull"


def replay(name: str, registry: Registry, source: str = "") -> None:
    """Each request as it was recorded, but for names, credentials, and the addresses of uploads, which the responses
    give. The status, the address and the digest of each response must be the recorded ones."""
    addresses: dict[str, str] = {}
    for line in (RECORDINGS / f"{name}.jsonl").read_text().splitlines():
        step: dict[str, Any] = json.loads(line)
        path, mark, query = _fill(step["path"], registry.name, source).partition("?")
        path = f"{addresses.get(path, path)}{mark}{query}"
        client = registry.http if step.get("signed") else Http(registry.http.base)
        body = base64.b64decode(step.get("body", ""))
        response = client.send(step["method"], path, body if step["method"] != "GET" else None, step.get("headers", {}))

        assert response.status == step["status"], (step["method"], path, response.body)
        assert response.headers.get("docker-content-digest") == step.get("digest"), path
        if location := _fill(step.get("location", ""), registry.name, source):
            if "/uploads/" in location:
                addresses[location] = response.headers["location"]
            else:
                assert response.headers["location"] == location


def _fill(text: str, repository: str, source: str) -> str:
    return text.replace("{repository}", repository).replace("{source}", source)


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


@pytest.mark.parametrize("recording", [PUSH, "skopeo_push_pull_and_delete"])
def test_what_a_client_has_sent_gets_the_same_responses(app: App, recording: str) -> None:
    replay(recording, open_registry(app))


def test_a_client_mounts_the_layers_of_another_app_of_the_vendor(app: App) -> None:
    other = app.vendor.create_app("ex-other")
    replay(PUSH, open_registry(app))

    replay("crane_mount", open_registry(other), source=open_registry(app).name)


def test_a_client_that_is_not_signed_in_is_told_how(app: App) -> None:
    registry = open_registry(app)
    response = Http(registry.http.base).get("/v2/")

    assert response.status == 401
    assert response.headers["www-authenticate"].startswith("Basic realm=")
    assert response.headers["docker-distribution-api-version"] == "registry/2.0"
    assert registry.http.get("/v2/").status == 200


def test_at_the_root_of_the_address_only_the_paths_of_a_registry_lead_to_it(app: App) -> None:
    base = open_registry(app).http.base
    storage, elsewhere = Http(base).get("/v2/storage/buckets"), Http(base, host="evil.example").get("/v2/")

    assert (storage.status, "No service of this stack answers" in storage.json["error"]) == (404, True)
    assert (elsewhere.status, "www-authenticate" in elsewhere.headers) == (404, False)
