"""A backup contains the archives of published components."""

from __future__ import annotations

from pathlib import Path

from penstock.server.backups import restore_backup, write_backup
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import Portal
from tests.unit.services.queue.own_components import run

OUTPUT = {"storage": {"output": {"tables": [{"source": "made.csv", "destination": "in.c-made.made"}]}}}


def test_a_restored_stack_runs_published_components(services: ServicesOnly, tmp_path: Path) -> None:
    app = Portal(services).make_vendor().create_app()
    app.publish("1.0.0")
    app.approve()
    (services.stack.folder / "archives" / "incoming" / "half").write_bytes(b"an upload in progress")
    write_backup(services.stack.folder, tmp_path / "backup.tar.gz")
    restore_backup(tmp_path / "backup.tar.gz", tmp_path / "restored")

    restored = ServicesOnly(tmp_path / "restored")
    job = run(restored, app.id, configData=OUTPUT)
    restored.close()

    assert job["status"] == "success", job["result"]
    assert not (tmp_path / "restored" / "archives" / "incoming" / "half").exists()
