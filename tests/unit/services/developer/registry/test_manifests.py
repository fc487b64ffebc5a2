"""Manifests and tags: kept as they were sent, once everything that they name is there."""

from __future__ import annotations

import json

import pytest

from penstock.services.developer.registry.models import MAX_MANIFEST_BYTES
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import (
    CONFIG,
    IMAGE,
    INDEX,
    LAYER,
    Registry,
    codes,
    digest_of,
    make_manifest,
    open_registry,
)


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


@pytest.fixture
def registry(app: App) -> Registry:
    return open_registry(app)


def test_an_image_is_read_by_its_tag_and_its_digest_as_it_was_sent(registry: Registry) -> None:
    digest, sent = registry.push("1.0.0"), make_manifest(LAYER)

    assert digest == digest_of(sent)
    for reference in ("1.0.0", digest):
        found = registry.get(f"manifests/{reference}")
        assert (found.body, found.headers["content-type"]) == (sent, IMAGE)
        assert found.headers["docker-content-digest"] == digest
        head = registry.http.send("HEAD", f"{registry.path}/manifests/{reference}")
        assert (head.status, head.headers["content-length"], head.body) == (200, str(len(sent)), b"")


def test_a_manifest_that_names_what_was_not_pushed_is_refused(registry: Registry) -> None:
    registry.upload(CONFIG)
    refused = registry.put("1.0.0", make_manifest(b"not pushed"))
    index = {"schemaVersion": 2, "manifests": [{"mediaType": IMAGE, "digest": digest_of(b"x"), "size": 1}]}
    of_index = registry.put("1.0.0", json.dumps(index).encode(), INDEX)

    assert [(each.status, codes(each)) for each in (refused, of_index)] == [(400, ["MANIFEST_BLOB_UNKNOWN"])] * 2
    assert digest_of(b"not pushed") in refused.text
    assert codes(registry.get("manifests/1.0.0")) == ["MANIFEST_UNKNOWN"]


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"", IMAGE),
        (b"not JSON", IMAGE),
        (b"[]", IMAGE),
        (b"\xff\xfe", IMAGE),
        (b'{"schemaVersion": 1}', IMAGE),
        (b'{"schemaVersion": 2}', IMAGE),
        (b'{"schemaVersion": 2, "config": {"digest": 5}}', IMAGE),
        (b'{"schemaVersion": 2, "config": {"digest": "../../key"}}', IMAGE),
        (b'{"schemaVersion": 2, "mediaType": "text/plain"}', INDEX),
        (make_manifest(), "text/html"),
        (b"[" * 100_000, IMAGE),
    ],
)
def test_what_is_not_a_manifest_is_refused(registry: Registry, content: bytes, media_type: str) -> None:
    refused = registry.put("1.0.0", content, media_type)

    assert refused.status == 400
    assert codes(refused) in (["MANIFEST_INVALID"], ["DIGEST_INVALID"])


def test_a_manifest_may_not_be_too_large(registry: Registry) -> None:
    refused = registry.put("1.0.0", b" " * (MAX_MANIFEST_BYTES + 1))

    assert (refused.status, codes(refused)) == (413, ["SIZE_INVALID"])


def test_an_index_names_images_of_the_repository(registry: Registry) -> None:
    digest = registry.push("1.0.0-amd64")
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [{"mediaType": IMAGE, "digest": digest, "size": 1}]}
    made = registry.put("1.0.0", json.dumps(index).encode(), INDEX)

    assert made.status == 201
    assert registry.get("manifests/1.0.0").headers["content-type"] == INDEX


def test_a_layer_that_clients_get_elsewhere_need_not_be_pushed(registry: Registry) -> None:
    registry.upload(CONFIG)
    foreign = {"mediaType": "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", "digest": digest_of(b"w")}

    assert registry.put("1.0.0", make_manifest(layers=[foreign])).status == 201


def test_a_tag_moves_to_the_image_that_is_pushed_last(registry: Registry) -> None:
    first, second = registry.push("latest"), registry.push("latest", b"another layer")

    assert registry.get("manifests/latest").headers["docker-content-digest"] == second
    assert registry.get(f"manifests/{first}").status == 200


def test_a_manifest_that_is_put_under_another_digest_is_refused(registry: Registry) -> None:
    registry.push("1.0.0")

    assert codes(registry.put(digest_of(b"other"), make_manifest(LAYER))) == ["DIGEST_INVALID"]
    assert registry.put(digest_of(make_manifest(LAYER)), make_manifest(LAYER)).status == 201


def test_tags_are_listed_in_pages(registry: Registry) -> None:
    for tag in ("b", "a", "c", "B"):
        registry.push(tag)

    assert registry.get("tags/list").json == {"name": registry.name, "tags": ["B", "a", "b", "c"]}
    page = registry.get("tags/list?n=3")
    assert page.json["tags"] == ["B", "a", "b"]
    following = page.headers["link"].partition(">")[0].removeprefix("<")
    rest = registry.http.get(following)
    assert (rest.json["tags"], rest.headers.get("link")) == (["c"], None)
    assert registry.get("tags/list?n=0").json["tags"] == []


def test_tags_that_are_not_valid_are_refused(registry: Registry) -> None:
    registry.push("1")
    for tag in ("-x", ".x", "x" * 129, "a%20b", "a%00b", "%F0%9F%9A%80"):
        refused = registry.put(tag, make_manifest(LAYER))
        assert (refused.status, codes(refused)) == (400, ["TAG_INVALID"]), tag


def test_a_tag_or_an_image_is_deleted_unless_the_current_version_has_it(registry: Registry, app: App) -> None:
    digest = registry.push("1.0.0")
    registry.push("2.0.0", b"two")
    assert app.patch(repository={"tag": "1.0.0"}).status == 200

    for reference in ("1.0.0", digest):
        refused = registry.http.delete(f"{registry.path}/manifests/{reference}")
        assert (refused.status, codes(refused)) == (403, ["DENIED"])
    assert registry.http.delete(f"{registry.path}/manifests/2.0.0").status == 202
    assert registry.http.delete(f"{registry.path}/manifests/2.0.0").status == 404
    assert registry.get("tags/list").json["tags"] == ["1.0.0"]
