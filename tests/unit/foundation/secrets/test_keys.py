"""The file of root keys: private, one key per line, and read again when it is replaced."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from penstock.foundation.errors import Invalid
from penstock.foundation.secrets import Cipher, KeyRing, Scope, UnreadableSecret, read_or_make_key
from penstock.foundation.secrets.rewrapping import rewrap

HERE = Scope(1, "ex-generic-v2", "api.example.com")


def test_a_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    key = read_or_make_key(tmp_path / "key")

    assert len(key) == 32
    assert read_or_make_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    read_or_make_key(tmp_path / "key")
    (tmp_path / "key").chmod(mode)

    with pytest.raises(Invalid, match="chmod 600"):
        read_or_make_key(tmp_path / "key")


@pytest.mark.parametrize("content", [b"", b"short", b"!!!", b"\xff" * 40, base64.b64encode(b"x" * 16)])
def test_a_file_that_holds_no_key_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "key").chmod(0o600)

    with pytest.raises(Invalid, match="does not contain a valid key"):
        read_or_make_key(tmp_path / "key")


def test_a_new_key_encrypts_and_the_older_ones_still_decrypt(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "key")
    cipher, first = Cipher(ring), ring.current
    before = cipher.encrypt({"#a": "x"}, HERE)
    added = ring.add()
    after = cipher.encrypt({"#a": "x"}, HERE)

    assert ring.keys[0].id == added.id
    assert ring.first.id == first.id
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert cipher.decrypt(before, HERE) == cipher.decrypt(after, HERE) == {"#a": "x"}
    with pytest.raises(UnreadableSecret):
        Cipher(first.secret).decrypt(after, HERE)


def test_another_process_uses_a_new_key_at_once(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "key")
    other = Cipher(KeyRing.open(tmp_path / "key"))
    ring.add()

    assert other.fingerprint == ring.current.fingerprint
    assert other.decrypt(Cipher(ring).encrypt({"#a": "x"}, HERE), HERE) == {"#a": "x"}


def test_a_file_that_became_unreadable_leaves_the_keys_as_they_were(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "key")
    known = ring.current.id
    (tmp_path / "key").write_text("nothing")
    assert ring.current.id == known
    (tmp_path / "key").unlink()
    assert ring.current.id == known


def test_a_signature_and_the_mark_of_a_request_outlive_a_rotation(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "key")
    cipher = Cipher(ring)
    signature, mark = cipher.sign("a", "b"), cipher.make_mark()
    ring.add()

    assert cipher.verifies(signature, "a", "b")
    assert cipher.verifies(cipher.sign("a", "b"), "a", "b")
    assert not cipher.verifies(signature, "b", "a")
    assert not cipher.verifies(Cipher(bytes(32)).sign("a", "b"), "a", "b")
    assert cipher.sign("a", "b") != signature
    assert cipher.is_own_mark(mark)
    assert not Cipher(bytes(32)).is_own_mark(mark)


def test_sealed_bytes_can_be_read_after_a_rotation(tmp_path: Path) -> None:
    ring = KeyRing.open(tmp_path / "key")
    cipher = Cipher(ring)
    sealed = cipher.seal(b"content", "a", "b")
    ring.add()

    assert cipher.unseal(sealed, "a", "b") == cipher.unseal(rewrap(ring, sealed), "a", "b") == b"content"
    assert cipher.unseal(sealed, "b", "a") is None
    assert rewrap(ring, sealed) != sealed
