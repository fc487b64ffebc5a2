"""The key of a backup's secrets: with it, without it, and with another one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from penstock.foundation.secrets import read_or_make_key
from penstock.server.backups import BackupFailed, restore_backup, write_backup
from penstock.server.certificates import init_certificates
from tests.support.stacks import PENSTOCK, ServicesOnly, clean_environment
from tests.unit.server.backups.archives import Change, Members, rewrite


def test_a_backup_without_the_key_holds_no_live_token_and_no_secret(services: ServicesOnly, tmp_path: Path) -> None:
    storage, vault = services.service("storage"), services.service("vault")
    once = {"Idempotency-Key": "once", "Content-Type": "application/json"}
    made = storage.send("POST", "/v2/storage/tokens", b'{"description": "a"}', once)
    refreshed = storage.post(f"/v2/storage/tokens/{made.json['id']}/refresh", {})
    parameters = {"api": {"baseUrl": "https://a.example/"}, "#password": "canary-configuration"}
    body = {"name": "c", "configuration": {"parameters": parameters}, "state": {"#token": "canary-state"}}
    assert storage.post("/v2/storage/components/ex-generic-v2/configs", body).status == 201
    assert vault.post("/variables", {"key": "k", "value": "canary-vault", "flags": ["encrypted"]}).status == 201
    job = {"component": "ex-generic-v2", "mode": "run", "configData": {"parameters": {"#p": "canary-job"}}}
    assert services.service("queue").post("/jobs", job).status == 201
    secrets = [services.project.token, made.json["token"], refreshed.json.get("token", made.json["token"])]
    secrets += ["canary-configuration", "canary-state", "canary-vault", "canary-job"]
    key = (services.stack.folder / "key").rename(tmp_path / "key")

    write_backup(services.stack.folder, tmp_path / "b.tar", key=key)

    found = (tmp_path / "b.tar").read_bytes()
    assert [each for each in [*secrets, key.read_text().strip()] if each.encode() in found] == []
    restored = restore_backup(tmp_path / "b.tar", tmp_path / "restored")
    again = ServicesOnly(tmp_path / "restored", key_file=str(key))
    assert not restored.has_key
    assert again.project.token != services.project.token
    assert again.service("storage").get("/v2/storage/tokens/verify").status == 200
    again.close()


def test_only_a_backup_with_the_key_holds_the_key_of_the_authority(data: Path, tmp_path: Path) -> None:
    authority = init_certificates(data, "penstock.localhost").files.authority.key.read_bytes()
    write_backup(data, tmp_path / "with.tar")
    key = (data / "key").rename(tmp_path / "key")
    write_backup(data, tmp_path / "without.tar", key=key)

    assert authority in (tmp_path / "with.tar").read_bytes()
    assert b"PRIVATE KEY" not in (tmp_path / "without.tar").read_bytes()


@pytest.fixture
def wrong_key(tmp_path: Path) -> Path:
    read_or_make_key(tmp_path / "wrong")
    return tmp_path / "wrong"


def without_fingerprint(members: Members) -> None:
    """As backups were written before they had one."""
    member, content = members[0]
    header = msgspec.json.decode(content)
    header.pop("keyFingerprint", None)
    members[0] = (member, msgspec.json.encode(header))


@pytest.mark.parametrize("change", [lambda _members: None, without_fingerprint], ids=["new", "old"])
@pytest.mark.parametrize("has_own", [True, False])
def test_a_key_that_is_not_the_backups_is_refused_before_anything_is_written(
    data: Path, tmp_path: Path, wrong_key: Path, has_own: bool, change: Change
) -> None:
    key = data / "key" if has_own else (data / "key").rename(tmp_path / "key")
    write_backup(data, tmp_path / "b.tar", key=key)
    rewrite(tmp_path / "b.tar", change)
    before = sorted(tmp_path.iterdir())

    way_out = "leave out --key-file" if has_own else "Name the file of the right one: --key-file FILE"
    with pytest.raises(BackupFailed, match=f"(?s)not the key that the secrets in .* Nothing was restored.*{way_out}"):
        restore_backup(tmp_path / "b.tar", tmp_path / "restored", wrong_key)
    assert sorted(tmp_path.iterdir()) == before

    restore_backup(tmp_path / "b.tar", tmp_path / "restored", key)
    ServicesOnly(tmp_path / "restored", key_file=str(key)).close()


def test_a_backup_with_another_key_than_its_secrets_need_is_refused(
    data: Path, tmp_path: Path, wrong_key: Path
) -> None:
    right = (data / "key").rename(tmp_path / "right")
    shutil.copy(wrong_key, data / "key")
    write_backup(data, tmp_path / "b.tar")

    with pytest.raises(BackupFailed, match="The key in the backup is not the key that the secrets"):
        restore_backup(tmp_path / "b.tar", tmp_path / "restored")
    assert restore_backup(tmp_path / "b.tar", tmp_path / "restored", right).has_key


def test_the_command_refuses_a_wrong_key_and_explains_how_to_start_with_the_right_one(
    data: Path, tmp_path: Path, wrong_key: Path
) -> None:
    key = (data / "key").rename(tmp_path / "key")
    write_backup(data, tmp_path / "b.tar", key=key)

    def restore(key_file: str) -> subprocess.CompletedProcess[str]:
        command = [*PENSTOCK, "restore", "b.tar", "--data-dir", "restored", "--key-file", key_file]
        return subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True)

    refused, missing, restored = restore(str(wrong_key)), restore("nowhere"), restore("key")
    assert (refused.returncode, missing.returncode, restored.returncode) == (1, 1, 0), restored.stderr
    assert "is not the key that the secrets" in refused.stderr
    assert "There is no key at" in missing.stderr
    assert "--key-file key" in restored.stdout
