"""Rotation of the root keys: nothing stops meanwhile, nothing is lost, and what clients keep still works."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from penstock.foundation import audit
from penstock.foundation.errors import Invalid
from penstock.foundation.secrets import Cipher, KeyRing, Scope
from penstock.foundation.stored_ciphers import list_tables
from penstock.server.backups import BackupFailed, restore_backup, write_backup
from penstock.server.keys import list_keys, rotate_keys
from penstock.services.encryption.interface import bindings
from tests.support.stacks import PENSTOCK, ServicesOnly, clean_environment, wait_for

CONFIGS = "/v2/storage/components/ex-generic-v2/configs"
PARAMETERS = {"api": {"baseUrl": "https://api.example.com/"}, "#password": "canary"}


def fill(services: ServicesOnly, count: int = 3) -> None:
    storage, vault, queue = (services.service(name) for name in ("storage", "vault", "queue"))
    for number in range(count):
        body = {"name": "c", "configurationId": f"c{number}", "configuration": {"parameters": PARAMETERS}}
        assert storage.post(CONFIGS, {**body, "state": {"component": {"#token": "canary"}}}).status == 201
    assert storage.put(f"{CONFIGS}/c0", {"configuration": {"parameters": PARAMETERS}}).status == 200
    row = {"rowId": "r", "configuration": {"parameters": {"#row": "canary"}}}
    assert storage.post(f"{CONFIGS}/c0/rows", row).status == 201
    assert vault.post("/variables", {"key": "k", "value": "canary", "flags": ["encrypted"]}).status == 201
    assert queue.post("/jobs", {"component": "ex-generic-v2", "configData": {"parameters": PARAMETERS}}).status == 201


def read_secrets(services: ServicesOnly, cipher: Cipher) -> list[Any]:
    """What is stored, decrypted."""
    storage, vault = services.service("storage"), services.service("vault")
    stored = storage.get(f"{CONFIGS}/c0").json
    versions = storage.get(f"{CONFIGS}/c0/versions/1").json
    bound, plain = scopes(services)
    return [
        cipher.decrypt(stored["configuration"], bound)["parameters"]["#password"],
        cipher.decrypt(versions["configuration"], bound)["parameters"]["#password"],
        cipher.decrypt(stored["rows"][0]["configuration"], bound)["parameters"]["#row"],
        cipher.decrypt(stored["state"], msgspec.structs.replace(plain, purpose="state"))["component"]["#token"],
        cipher.decrypt({"#a": vault.get("/variables").json[0]["value"]}, plain)["#a"],
    ]


def scopes(services: ServicesOnly) -> tuple[Scope, Scope]:
    return tuple(Scope(services.project.id, "ex-generic-v2", hosts) for hosts in ("api.example.com", ""))  # pyright: ignore[reportReturnType]


def encrypt(services: ServicesOnly) -> str:
    query = f"componentId=ex-generic-v2&projectId={services.project.id}"
    content = {"Content-Type": "text/plain"}
    return services.service("encryption").send("POST", f"/encrypt?{query}", b"canary", content).text


def test_after_a_rotation_all_that_is_stored_needs_only_the_new_key(services_on_each: ServicesOnly) -> None:
    services = services_on_each
    fill(services)
    settings, old = services.stack.settings, KeyRing.read(services.stack.settings.key).current
    done = rotate_keys(settings)
    ring = KeyRing.read(settings.key)

    assert [key.id for key in ring.keys] == [ring.current.id, old.id]
    assert (done.id, done.is_continued) == (ring.current.name, False)
    assert done.rows >= 7
    assert settings.key.stat().st_mode & 0o777 == 0o600
    assert read_secrets(services, services.stack.cipher) == ["canary"] * 5
    assert read_secrets(services, Cipher(ring.current.secret)) == ["canary"] * 5
    listed = list_keys(settings)
    assert [(key.is_current, key.rows >= done.rows, key.rows == 0) for key in listed.keys] == [
        (True, True, False),
        (False, False, True),
    ]
    assert (listed.is_rotated, listed.unmarked_rows) == (True, 0)
    with services.stack.database.reading() as tx:
        recorded = audit.list_entries(tx, audit.AuditFilter(event="key"))
    assert [entry.event for entry in recorded] == ["key.rotated", "key.created"]
    assert {(entry.target, entry.project_id) for entry in recorded} == {(f"key {done.id}", 0)}


def test_what_clients_keep_from_before_a_rotation_still_works(services: ServicesOnly) -> None:
    fill(services)
    kept = services.service("storage").get(f"{CONFIGS}/c0").json["configuration"]
    fresh = encrypt(services)
    rotate_keys(services.stack.settings)
    pushed = {**kept, "parameters": {**kept["parameters"], "#fresh": fresh}}
    stored = services.service("storage").put(f"{CONFIGS}/c0", {"configuration": pushed}).json["configuration"]
    recorded = bindings.to_open_later(services.stack.database)
    opened = services.stack.cipher.decrypt(stored, scopes(services)[0], bindings=recorded)

    assert opened["parameters"] == {**PARAMETERS, "#fresh": "canary"}
    assert [key.rows for key in list_keys(services.stack.settings).keys][1:] == [0], "all of it needs only the new key"


def test_a_cipher_of_an_older_key_in_any_text_is_counted_until_the_next_rotation(services: ServicesOnly) -> None:
    settings, old = services.stack.settings, encrypt(services)
    rotate_keys(settings)
    body = {"name": "n", "configurationId": "n", "description": f"Its secret was {old}."}
    assert services.service("storage").post(CONFIGS, body).status == 201
    assert list_keys(settings).keys[1].rows > 0

    rotate_keys(settings)
    assert [key.rows for key in list_keys(settings).keys][1:] == [0, 0]


def test_a_cipher_in_the_audit_log_does_not_stop_a_rotation(services_on_each: ServicesOnly) -> None:
    services, storage = services_on_each, services_on_each.service("storage")
    given, unmarked = encrypt(services), "KBC::Secure::" + "A" * 40
    agent = {"User-Agent": given, "Content-Type": "application/json"}
    for text in (given, unmarked):
        body = msgspec.json.encode({"description": text})
        assert storage.send("POST", "/v2/storage/tokens", body, agent).status < 300
    with services.stack.database.reading() as tx:
        assert given in str(audit.list_entries(tx, audit.AuditFilter()))

    rotate_keys(services.stack.settings)
    assert list_keys(services.stack.settings).is_rotated


def test_text_that_only_looks_like_a_cipher_stays_as_it_is(services: ServicesOnly) -> None:
    storage, settings = services.service("storage"), services.stack.settings
    foreign = Cipher(bytes(32)).encrypt_text("of another stack", scopes(services)[0])
    texts = ["KBC::ProjectSecure::" + "A" * 80, foreign]
    body = {"name": "t", "configurationId": "t", "configuration": {"parameters": {"#a": texts[0], "b": texts[1]}}}
    stored = storage.post(CONFIGS, body).json["configuration"]
    rotate_keys(settings)

    assert storage.get(f"{CONFIGS}/t").json["configuration"] == stored == body["configuration"]
    assert list_keys(settings).unmarked_rows > 0, "it could be a cipher from before marks"


def test_large_rows_are_read_a_few_at_a_time(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.foundation.stored_ciphers.BATCH_BYTES", 1)
    fill(services, 12)
    rotate_keys(services.stack.settings)

    newest = KeyRing.read(services.stack.settings.key).current
    assert read_secrets(services, Cipher(newest.secret)) == ["canary"] * 5
    assert [key.rows for key in list_keys(services.stack.settings).keys][1:] == [0]


def test_whoever_stores_old_ciphers_all_the_time_does_not_keep_a_rotation_from_ending(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, passes = encrypt(services), count()

    def store_again(_seconds: float) -> None:
        body = {"name": "n", "configurationId": f"n{next(passes)}", "description": old}
        assert services.service("storage").post(CONFIGS, body).status == 201

    monkeypatch.setattr("penstock.foundation.stored_ciphers.time.sleep", store_again)
    store_again(0)
    rotate_keys(services.stack.settings)

    assert next(passes) > 2


def test_a_running_stack_encrypts_with_the_new_key_at_once(services: ServicesOnly) -> None:
    rotate_keys(services.stack.settings)
    fill(services)

    newest = KeyRing.read(services.stack.settings.key).current
    assert read_secrets(services, Cipher(newest.secret)) == ["canary"] * 5


def test_a_stack_starts_with_the_rotated_keys_and_not_with_the_old_one_alone(
    services: ServicesOnly, tmp_path: Path
) -> None:
    fill(services)
    settings = services.stack.settings
    shutil.copy2(settings.key, tmp_path / "old")
    rotate_keys(settings)
    services.stack.database.close()
    again = ServicesOnly(settings.folder)

    assert read_secrets(again, again.stack.cipher) == ["canary"] * 5
    again.close()
    with pytest.raises(Invalid, match="is not the one that the secrets"):
        ServicesOnly(settings.folder, key_file=str(tmp_path / "old"))


def test_backups_from_before_and_after_a_rotation_are_restored(services: ServicesOnly, tmp_path: Path) -> None:
    fill(services)
    settings = services.stack.settings
    shutil.copy2(settings.key, tmp_path / "old")
    write_backup(settings.folder, tmp_path / "before.tar")
    rotate_keys(settings)
    write_backup(settings.folder, tmp_path / "after.tar")
    shutil.copy2(settings.key, tmp_path / "ring")

    for backup, key in (("before", None), ("before", "ring"), ("after", None), ("after", "ring")):
        folder = tmp_path / f"restored-{backup}-{key}"
        restore_backup(tmp_path / f"{backup}.tar", folder, tmp_path / key if key else None)
        again = ServicesOnly(folder, **({"key_file": str(tmp_path / key)} if key else {}))
        assert read_secrets(again, again.stack.cipher) == ["canary"] * 5
        again.close()
    with pytest.raises(BackupFailed, match="is not the key"):
        restore_backup(tmp_path / "after.tar", tmp_path / "refused", tmp_path / "old")


def test_a_rotation_that_is_killed_is_finished_by_the_next_one(services: ServicesOnly) -> None:
    fill(services, 40)
    settings = services.stack.settings
    command = [*PENSTOCK, "keys", "rotate", "--data-dir", str(settings.folder)]
    for _ in range(3):
        before = settings.key.read_bytes()
        process = subprocess.Popen(command, env=clean_environment(), stdout=subprocess.DEVNULL)
        if before.count(b"\n") == 1:
            wait_for(lambda before=before: settings.key.read_bytes() != before)
        time.sleep(random.uniform(0, 0.3))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert read_secrets(services, services.stack.cipher) == ["canary"] * 5
    while not list_keys(settings).is_rotated:
        rotate_keys(settings)

    newest = KeyRing.read(settings.key).current
    assert read_secrets(services, Cipher(newest.secret)) == ["canary"] * 5


def test_a_rotation_that_was_stopped_is_not_taken_for_a_finished_one(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(services)
    settings = services.stack.settings
    monkeypatch.setattr("penstock.server.keys.rewrap_database", stop)
    with pytest.raises(KeyboardInterrupt):
        rotate_keys(settings)
    listed = list_keys(settings)
    assert (listed.is_rotated, listed.keys[1].rows > 0) == (False, True)

    ring = settings.key.read_bytes()
    settings.key.write_bytes(ring.splitlines(keepends=True)[0])
    assert not list_keys(settings).is_rotated, "also without the older key"
    settings.key.write_bytes(ring)
    monkeypatch.undo()
    assert rotate_keys(settings).is_continued
    assert [key.rows for key in list_keys(settings).keys][1:] == [0]


def stop(*_given: object) -> int:
    raise KeyboardInterrupt


def test_every_table_can_be_searched_in_batches() -> None:
    """A table of a new service too."""
    assert [table.name for table in list_tables() if not table.primary_key.columns] == []
