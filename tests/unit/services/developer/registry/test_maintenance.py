"""What the registry removes by itself: abandoned uploads, blobs that nothing names, bytes that belong to nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest

from penstock.foundation import clock
from penstock.services.developer.registry.maintenance import ABANDONED, maintain
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import CONFIG, LAYER, Registry, digest_of, open_registry
from tests.unit.services.each_database import open_services

LATER = ABANDONED + timedelta(minutes=1)


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


def make_old(*paths: Path) -> None:
    then = time.time() - LATER.total_seconds()
    for path in paths:
        os.utime(path, (then, then))


def images_of(app: App) -> Path:
    return app.vendor.portal.services.stack.folder / "images"


def test_an_abandoned_upload_is_removed_and_one_that_goes_on_is_not(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    registry, stack = open_registry(app), app.vendor.portal.services.stack
    abandoned, active = registry.begin(), registry.begin()
    for location in (abandoned, active):
        registry.append(location, LAYER)
    staged = images_of(app) / "staged"
    make_old(staged / abandoned.rpartition("/")[2] / "bytes")
    with monkeypatch.context() as patch:
        then = clock.now() + LATER
        patch.setattr(clock, "now", lambda: then)
        maintain(stack)

    assert registry.http.get(abandoned).status == 404
    assert registry.http.get(active).headers["range"] == f"0-{len(LAYER) - 1}"
    assert not (staged / abandoned.rpartition("/")[2]).exists()


def test_blobs_that_no_manifest_names_are_removed_after_a_day(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    registry, stack = open_registry(app), app.vendor.portal.services.stack
    registry.push("1.0.0")
    unused = registry.upload(b"of no image")
    maintain(stack)
    assert registry.get(f"blobs/{unused}").status == 200

    with monkeypatch.context() as patch:
        then = clock.now() + LATER
        patch.setattr(clock, "now", lambda: then)
        maintain(stack)
    assert registry.get(f"blobs/{unused}").status == 404
    assert [registry.get(f"blobs/{digest_of(each)}").status for each in (LAYER, CONFIG)] == [200, 200]


def test_bytes_that_belong_to_nothing_are_removed_once_they_are_old(app: App) -> None:
    registry = open_registry(app)
    registry.push("1.0.0")
    root, stack = images_of(app), app.vendor.portal.services.stack
    left, new = root / "stored" / "999999991", root / "stored" / "999999992"
    for folder in (left, new):
        folder.mkdir(parents=True)
        (folder / "content").write_bytes(b"left by a process that was killed")
    make_old(left)
    maintain(stack)

    assert (left.exists(), new.exists()) == (False, True)
    assert registry.get(f"blobs/{digest_of(LAYER)}").status == 200


@pytest.fixture(params=["sqlite"])
def small(request: pytest.FixtureRequest, new_data_folder: Path, tmp_path: Path) -> Generator[Registry]:
    with open_services(
        request, new_data_folder, tmp_path / "data", image_layer_megabytes=1, image_app_megabytes=2
    ) as it:
        services: ServicesOnly = it
        yield open_registry(Portal(services).make_vendor().create_app())


def test_a_layer_or_an_app_that_is_too_large_is_refused(small: Registry) -> None:
    layer = bytes(1_000_000)
    over = small.http.send("POST", f"{small.path}/blobs/uploads/?digest={digest_of(layer + b'x')}", layer + b"x")
    assert (over.status, "image_layer_megabytes" in over.text) == (413, True)
    location = small.begin()
    assert small.append(location, layer).status == 202
    assert small.append(location, b"x").status == 413
    assert small.http.delete(location).status == 204

    small.upload(layer)
    small.upload(b"y" * 900_000)
    full = small.http.send("POST", f"{small.path}/blobs/uploads/?digest={digest_of(b'z' * 200_000)}", b"z" * 200_000)
    assert (full.status, "image_app_megabytes" in full.text) == (413, True)
