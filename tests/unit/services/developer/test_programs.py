"""Programs of published components: unpacked once on each machine, and run by jobs in the version that they name."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from penstock.components import archives
from penstock.components.component import Component
from penstock.foundation.stack import Stack
from penstock.services.developer import interface as developer
from penstock.services.developer import programs
from penstock.services.developer.errors import ArchiveDamaged
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import App, Portal, make_archive
from tests.unit.services.queue.own_components import claim, execute, messages, run

OUTPUT = {"storage": {"output": {"tables": [{"source": "made.csv", "destination": "in.c-made.made"}]}}}


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


@pytest.fixture
def cached(shared: ServicesOnly, tmp_path: Path) -> Stack:
    """The stack as a machine with a cache of its own sees it."""
    return shared.stack.with_settings(component_cache=str(tmp_path / "cache"))


def find(stack: Stack, app: App, tag: str = "") -> Component:
    with stack.database.reading() as tx:
        found = developer.find_component(tx, app.id, tag)
    assert found
    return found


def published(app: App, *tags: str) -> App:
    for tag in tags:
        app.publish(tag)
        app.approve()
    return app


def said(services: ServicesOnly, app: App, **wish: Any) -> tuple[str, list[str], str]:
    """How a job ended, what its program said, and its tag."""
    job = run(services, app.id, **({"configData": OUTPUT} | wish))
    known = [line for line in messages(services, job) if line[:1].isdigit()]
    return job["status"], known, job["tag"]


def test_a_job_runs_the_current_version_and_says_which(shared: ServicesOnly, app: App) -> None:
    published(app, "1.0.0")
    first = said(shared, app)
    published(app, "1.1.0")
    second = said(shared, app)
    job = run(shared, app.id, configData=OUTPUT)

    assert first == ("success", ["1.0.0"], "1.0.0")
    assert second == ("success", ["1.1.0"], "1.1.0")
    digest = f"sha256:{hashlib.sha256(make_archive(app.id, '1.1.0', '1.1.0')).hexdigest()}"
    assert job["result"]["images"] == [[{"id": f"{app.id}:1.1.0", "digests": [digest]}]]
    assert f"The program is that of {app.id} 1.1.0 with the digest {digest}." in messages(shared, job)


def test_a_job_or_a_configuration_may_pin_a_version(shared: ServicesOnly, app: App) -> None:
    published(app, "1.0.0", "1.1.0")
    pinned = OUTPUT | {"runtime": {"tag": "1.0.0"}}
    storage, path = shared.service("storage"), f"/v2/storage/components/{app.id}/configs"
    storage.post(path, {"name": "x", "configurationId": "x", "configuration": pinned})

    assert said(shared, app, tag="1.0.0") == ("success", ["1.0.0"], "1.0.0")
    assert said(shared, app, configData=pinned) == ("success", ["1.0.0"], "1.0.0")
    assert said(shared, app, config="x", configData=None) == ("success", ["1.0.0"], "1.0.0")
    assert said(shared, app) == ("success", ["1.1.0"], "1.1.0")


def test_a_job_runs_the_version_that_was_rolled_back_to(shared: ServicesOnly, app: App) -> None:
    published(app, "1.0.0", "1.1.0")
    app.vendor.client.post(f"{app.path}/versions/2/rollback")

    assert said(shared, app) == ("success", ["1.0.0"], "1.0.0")


def test_a_job_with_a_tag_that_no_version_has_is_refused(shared: ServicesOnly, app: App) -> None:
    published(app, "1.0.0", "1.1.0")
    refused = shared.service("queue").post("/jobs", {"component": app.id, "configData": {}, "tag": "9.9.9"})

    assert refused.status == 422
    assert refused.json["error"] == (
        f'The component "{app.id}" has no version with the tag "9.9.9". '
        "Use one of: 1.1.0, 1.0.0. Without a tag, the current version runs."
    )


def test_a_job_keeps_its_version_while_others_are_published(shared: ServicesOnly, app: App) -> None:
    """It was created before, and runs after."""
    published(app, "1.0.0")
    made = shared.service("queue").post("/jobs", {"component": app.id, "configData": OUTPUT})
    published(app, "2.0.0")
    job = execute(shared, claim(shared))

    assert job["id"] == made.json["id"]
    assert (job["status"], job["tag"]) == ("success", "1.0.0")
    assert "1.0.0" in messages(shared, job)


def test_an_app_that_is_not_approved_cannot_be_run_or_configured(shared: ServicesOnly, app: App) -> None:
    app.publish("1.0.0")
    storage = shared.service("storage")

    assert shared.service("queue").post("/jobs", {"component": app.id, "configData": {}}).status == 400
    assert storage.post(f"/v2/storage/components/{app.id}/configs", {"name": "x"}).status == 404


def test_a_synchronous_action_runs_the_version_that_it_names(shared: ServicesOnly, app: App) -> None:
    command = ["python", "-c", "print('{\"version\": 1}')"]
    app.publish("1.0.0", command=command, synchronous_actions=["tell"])
    app.approve()
    app.publish("2.0.0", command=[*command[:2], "print('{\"version\": 2}')"], synchronous_actions=["tell"])
    app.approve()
    actions = shared.service("sync-actions")
    wanted = {"componentId": app.id, "action": "tell", "configData": {}}

    assert actions.post("/actions", wanted).json == {"version": 2}
    assert actions.post("/actions", {**wanted, "tag": "1.0.0"}).json == {"version": 1}


def test_an_archive_is_unpacked_once(cached: Stack, app: App) -> None:
    component = find(cached, published(app, "1.0.0"))
    first = programs.place_program(cached, component)
    assert first.folder
    (first.folder / "seen").touch()

    assert programs.place_program(cached, component).folder == first.folder
    assert (first.folder / "seen").exists()
    assert sorted(path.name for path in first.folder.iterdir()) == ["component.json", "main.py", "seen"]
    assert first.folder.stat().st_mode & 0o777 == 0o755


def test_an_archive_whose_bytes_have_changed_is_not_run(cached: Stack, app: App, shared: ServicesOnly) -> None:
    component = find(cached, published(app, "1.0.0"))
    assert component.archive
    content = cached.folder / "archives" / "stored" / str(component.archive.id) / component.archive.content
    changed = bytearray(content.read_bytes())
    changed[-1] ^= 1
    content.write_bytes(changed)

    with pytest.raises(ArchiveDamaged, match="is damaged"):
        programs.place_program(cached, component)
    content.unlink()
    with pytest.raises(ArchiveDamaged, match="is not in the object store"):
        programs.place_program(cached, component)
    assert [path.suffix for path in programs.cache_folder(cached).iterdir()] == [".lock"]
    job = run(shared, app.id, configData=OUTPUT)
    assert job["status"] == "error"
    assert "publish a version with a new tag" in job["result"]["message"]


def test_two_workers_at_once_unpack_it_once(cached: Stack, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    component, count = find(cached, published(app, "1.0.0")), list[int]()
    unpack = archives.unpack_archive

    def counted(*given: Any) -> Any:
        count.append(1)
        return unpack(*given)

    monkeypatch.setattr(programs, "unpack_archive", counted)
    with ThreadPoolExecutor(8) as threads:
        folders = {each.folder for each in threads.map(lambda _: programs.place_program(cached, component), range(16))}

    assert len(folders) == len(count) == 1


def test_what_a_killed_worker_has_left_is_removed(cached: Stack, app: App) -> None:
    component = find(cached, published(app, "1.0.0"))
    assert component.archive
    partial = programs.cache_folder(cached) / f"{component.archive.sha256}.partial"
    partial.mkdir(parents=True)
    (partial / "half").touch()
    placed = programs.place_program(cached, component)

    assert placed.folder
    assert not (placed.folder / "half").exists()
    assert not partial.exists()


def test_the_cache_loses_programs_of_removed_versions_that_are_not_used(cached: Stack, app: App) -> None:
    published(app, "1.0.0", "2.0.0")
    old, new = (programs.place_program(cached, find(cached, app, tag)).folder for tag in ("1.0.0", "2.0.0"))
    assert old
    assert new
    app.vendor.client.delete(f"{app.path}/versions/2")

    programs.maintain(cached)
    assert old.exists()
    for folder in (old, new):
        os.utime(folder, (0, 0))
    programs.maintain(cached)
    assert not old.exists()
    assert new.exists()
