"""Uploads of layers: in one piece and in many, continued, refused and cancelled. Nothing of a refused one is kept."""

from __future__ import annotations

import http.client
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.developer.registry.uploads import MAX_UPLOADS, Upload, get_upload, images_in
from tests.support.examples import examples
from tests.support.http import Http
from tests.support.stacks import wait_for
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import (
    LAYER,
    Registry,
    codes,
    digest_of,
    make_manifest,
    open_registry,
)
from tests.unit.services.each_database import on_one_database


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


@pytest.fixture
def registry(app: App) -> Registry:
    return open_registry(app)


@pytest.fixture(scope="module")
def lasting(portal: Portal) -> Registry:
    """For all examples of a property."""
    return open_registry(portal.make_vendor().create_app())


def list_left(app: App) -> list[Path]:
    """Bytes of unfinished uploads, also of tests before."""
    return sorted((app.vendor.portal.services.stack.folder / "images" / "staged").glob("*/bytes"))


def test_a_layer_is_uploaded_in_one_request_or_in_pieces_and_is_the_same(app: App, registry: Registry) -> None:
    digest, before = digest_of(LAYER), list_left(app)
    assert registry.get(f"blobs/{digest}").status == 404
    location = registry.begin()
    first = registry.append(location, LAYER[:10], 0)
    assert (first.status, first.headers["range"]) == (202, "0-9")
    assert registry.append(first.headers["location"], LAYER[10:20], 10).headers["range"] == "0-19"
    done = registry.finish(location, digest, LAYER[20:])

    assert (done.status, done.headers["docker-content-digest"]) == (201, digest)
    assert registry.get(f"blobs/{digest}").body == LAYER
    assert registry.upload(LAYER) == digest
    assert registry.http.get(done.headers["location"]).body == LAYER
    assert list_left(app) == before


def test_a_layer_with_another_digest_is_refused_and_dropped(app: App, registry: Registry) -> None:
    before, location = list_left(app), registry.begin()
    refused = registry.finish(location, digest_of(b"other"), LAYER)
    at_once = registry.http.send("POST", f"{registry.path}/blobs/uploads/?digest={digest_of(b'other')}", LAYER)

    assert [(each.status, codes(each)) for each in (refused, at_once)] == [(400, ["DIGEST_INVALID"])] * 2
    assert registry.http.get(location).status == 404
    assert registry.get(f"blobs/{digest_of(b'other')}").status == 404
    assert list_left(app) == before


def test_a_piece_that_does_not_begin_where_the_upload_ends_is_refused_with_where_that_is(registry: Registry) -> None:
    location = registry.begin()
    registry.append(location, LAYER[:10])

    for start in (0, 5, 11):
        refused = registry.append(location, LAYER[10:], start)
        assert (refused.status, refused.headers["range"]) == (416, "0-9")
    odd = registry.http.send("PATCH", location, b"x", {"Content-Range": "bytes nonsense"})
    assert odd.status == 416
    status = registry.http.get(location)
    assert (status.status, status.headers["range"], status.headers["location"]) == (204, "0-9", location)
    assert registry.finish(location, digest_of(LAYER), LAYER[10:]).status == 201


def test_what_has_arrived_before_the_connection_broke_is_kept_and_continued(registry: Registry) -> None:
    location, content = registry.begin(), bytes(3 << 20)
    address = urlsplit(registry.http.base)
    broken = http.client.HTTPConnection(address.hostname or "", address.port)
    broken.putrequest("PATCH", location)
    for name, value in {**registry.http.headers, "Content-Length": str(len(content))}.items():
        broken.putheader(name, value)
    broken.endheaders(content[: 2 << 20])
    broken.close()

    def find_size() -> int:
        return int(registry.http.get(location).headers["range"].partition("-")[2]) + 1

    wait_for(lambda: find_size() > 1)
    rest = wait_for(lambda: (size := find_size()) and _continue(registry, location, content, size))
    assert rest
    assert registry.finish(location, digest_of(content)).status == 201


def _continue(registry: Registry, location: str, content: bytes, size: int) -> bool:
    """False while the request of the broken connection still writes."""
    return registry.append(location, content[size:], size).status == 202


def test_one_request_at_a_time_writes_to_an_upload(app: App, registry: Registry) -> None:
    stack, location = app.vendor.portal.services.stack, registry.begin()
    with stack.database.reading() as tx:
        row = get_upload(tx, app.id, location.rpartition("/")[2])
    other = Upload(images_in(stack.folder), row)
    try:
        refused = registry.append(location, LAYER)
    finally:
        other.close()

    assert (refused.status, codes(refused)) == (409, ["BLOB_UPLOAD_INVALID"])
    assert registry.append(location, LAYER).status == 202


def test_an_upload_is_cancelled_and_then_unknown(app: App, registry: Registry) -> None:
    before, location = list_left(app), registry.begin()
    registry.append(location, LAYER)
    assert registry.http.delete(location).status == 204

    for response in (registry.append(location, LAYER), registry.finish(location, digest_of(LAYER))):
        assert (response.status, codes(response)) == (404, ["BLOB_UPLOAD_UNKNOWN"])
    assert list_left(app) == before


def test_an_upload_belongs_to_its_app(registry: Registry, app: App) -> None:
    other, location = open_registry(app.vendor.create_app("ex-other")), registry.begin()
    elsewhere = location.replace(registry.name, other.name)

    assert codes(other.append(elsewhere, LAYER)) == ["BLOB_UPLOAD_UNKNOWN"]
    assert codes(other.append(location, LAYER)) == ["DENIED"]


@on_one_database
def test_only_so_many_uploads_are_unfinished_at_a_time(registry: Registry) -> None:
    locations = [registry.begin() for _ in range(MAX_UPLOADS)]
    refused = registry.http.send("POST", f"{registry.path}/blobs/uploads/", b"")

    assert (refused.status, codes(refused), refused.headers["retry-after"]) == (429, ["TOOMANYREQUESTS"], "60")
    assert registry.http.delete(locations[0]).status == 204
    assert registry.begin()


def test_parts_of_a_layer_are_read_by_their_range(registry: Registry) -> None:
    digest = registry.upload(LAYER)
    part, nothing = (
        registry.get(f"blobs/{digest}", Range="bytes=2-6"),
        registry.get(f"blobs/{digest}", Range="bytes=99-"),
    )

    assert (part.status, part.body, part.headers["content-range"]) == (206, LAYER[2:7], f"bytes 2-6/{len(LAYER)}")
    assert nothing.status == 416
    head = registry.http.send("HEAD", f"{registry.path}/blobs/{digest}")
    assert (head.status, head.headers["content-length"], head.body) == (200, str(len(LAYER)), b"")


def test_layers_are_not_deleted_by_clients(registry: Registry) -> None:
    refused = registry.http.delete(f"{registry.path}/blobs/{registry.upload(LAYER)}")

    assert (refused.status, codes(refused)) == (405, ["UNSUPPORTED"])


def test_the_same_layer_of_two_vendors_is_stored_once_and_stays_when_one_app_is_removed(portal: Portal) -> None:
    apps = [portal.make_vendor().create_app() for _ in range(2)]
    layer = b"shared by two vendors"
    registries = [open_registry(each) for each in apps]
    digest = registries[0].upload(layer)
    assert registries[1].get(f"blobs/{digest}").status == 404

    registries[1].upload(layer)
    stored = (portal.services.stack.folder / "images" / "stored").glob("*/*")
    assert [each.read_bytes() for each in stored].count(layer) == 1
    assert portal.admin.delete(apps[0].path).status == 200
    assert registries[1].get(f"blobs/{digest}").body == layer
    assert registries[0].get(f"blobs/{digest}").status == 404


def test_a_layer_of_another_vendor_is_not_mounted_but_uploaded(portal: Portal, registry: Registry) -> None:
    other = open_registry(portal.make_vendor().create_app())
    digest = other.upload(b"of another vendor")
    unknown = f"{registry.path}/blobs/uploads/?mount={digest}&from="
    for source in (other.name, "nobody/nobody.app", "", "..%2F.."):
        begun = registry.http.send("POST", f"{unknown}{source}", b"")
        assert (begun.status, "/blobs/uploads/" in begun.headers["location"]) == (202, True)
    assert registry.get(f"blobs/{digest}").status == 404


@on_one_database
@examples(30, deadline=None)
@given(pieces=st.lists(st.binary(max_size=200), max_size=6))
def test_any_division_into_pieces_gives_the_layer(lasting: Registry, pieces: list[bytes]) -> None:
    registry = lasting
    location, whole = registry.begin(), b"".join(pieces)
    for piece in pieces[:-1]:
        assert registry.append(location, piece).status == 202
    done = registry.finish(location, digest_of(whole), pieces[-1] if pieces else b"")

    assert done.status == 201
    assert registry.get(f"blobs/{digest_of(whole)}").body == whole


def test_digests_that_are_not_valid_are_refused(registry: Registry) -> None:
    for digest in ("sha256:" + "A" * 64, "sha256:..%2F..%2Fkey", "md5:abc", "sha256:" + "a" * 63, "x"):
        read = registry.get(f"blobs/{digest}")
        begun = registry.http.send("POST", f"{registry.path}/blobs/uploads/?digest={digest}", b"")
        assert {read.status, begun.status} <= {400, 404}, digest
        assert begun.json["errors"][0]["code"] == "DIGEST_INVALID"
    assert codes(registry.http.send("PUT", registry.begin(), LAYER)) == ["DIGEST_INVALID"]


def test_the_address_of_an_upload_has_the_form_in_which_it_was_begun(portal: Portal, app: App) -> None:
    registry = open_registry(app)
    by_path = Registry(Http(portal.anyone.base, headers=registry.http.headers), registry.name)
    begun = by_path.http.send("POST", f"{by_path.path}/blobs/uploads/", b"")

    assert begun.headers["location"].startswith("/_svc/developer/v2/")
    finished = registry.finish(begun.headers["location"], digest_of(LAYER), LAYER)
    assert finished.status == 201
    assert by_path.put("1", make_manifest(LAYER, config=LAYER)).status == 201
