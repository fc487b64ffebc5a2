"""A backup contains the images of the registry, without uploads in progress."""

from __future__ import annotations

from pathlib import Path

from penstock.server.backups import restore_backup, write_backup
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import Portal
from tests.unit.services.developer.registry.images import LAYER, digest_of, open_registry


def test_a_restored_stack_has_the_images_that_were_pushed(services: ServicesOnly, tmp_path: Path) -> None:
    app = Portal(services).make_vendor().create_app()
    registry = open_registry(app)
    registry.push("1.0.0")
    registry.append(registry.begin(), b"an upload in progress")
    write_backup(services.stack.folder, tmp_path / "backup.tar.gz")
    restore_backup(tmp_path / "backup.tar.gz", tmp_path / "restored")

    restored = ServicesOnly(tmp_path / "restored")
    try:
        again = open_registry(app, Portal(restored).admin)
        assert again.get("tags/list").json["tags"] == ["1.0.0"]
        assert again.get(f"blobs/{digest_of(LAYER)}").body == LAYER
        assert list((tmp_path / "restored" / "images" / "staged").glob("*/bytes")) == []
    finally:
        restored.close()
