"""Parsers refuse what they cannot read with an error of their own, and do nothing worse."""

from __future__ import annotations

import base64
import io
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import strategies as st

from penstock.components import archives as component_archives
from penstock.extractor.records.find import DataField
from penstock.extractor.responses.large import Limits
from penstock.foundation.errors import AppError, Invalid
from penstock.foundation.secrets import Cipher, Scope, UnreadableSecret
from penstock.pgwire.errors import ProtocolViolation
from penstock.pgwire.requests import parse_request, parse_startup
from penstock.pgwire.statements import split_query
from penstock.runtime import archives
from penstock.server.backups.archive import BackupFailed
from penstock.server.backups.restoring import restore_backup
from penstock.services.scheduler.cron.timetable import read_timetable
from penstock.sql.dialect import SqlError, translate
from penstock.web.multipart import NotMultipart, parse_multipart
from tests.support.fuzzing import changed, fuzzed, joined
from tests.unit.extractor.responses.large.test_find import large, small

KIND = "multipart/form-data; boundary=XyZ"
CIPHER = Cipher(bytes(32))
SCOPE = Scope(1, "ex-generic-v2")
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@fuzzed("multipart", changed("multipart") | st.binary(max_size=200))
def test_a_form_of_any_bytes_is_read_or_refused(content: bytes) -> None:
    with suppress(NotMultipart):
        parse_multipart(content, KIND)


@fuzzed("postgresql", changed("postgresql") | st.binary(max_size=200))
def test_messages_of_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(ProtocolViolation):
        parse_startup(content)
    with suppress(ProtocolViolation):
        parse_request(content[:1] or b"Q", content[5:])
    list(split_query(content.decode(errors="replace")))


@fuzzed("cron", changed("cron") | joined("*", "/", "-", ",", " ", "5", "0", "59", "MON", "JAN", "@daily", "L", "?"))
def test_a_cron_expression_of_any_text_is_read_or_refused(content: bytes) -> None:
    text = content.decode(errors="replace")
    with suppress(Invalid):
        next(read_timetable(text, "Europe/Prague").after(START), None)


@fuzzed(
    "sql",
    changed("sql")
    | joined(
        "SELECT ", "FROM ", "WHERE ", "(", ")", "'", '"', ";", "--", "/*", "*/", "$$", "::", "a", "1", ",", ":=", "\n"
    ),
)
def test_sql_of_any_text_is_translated_or_refused(content: bytes) -> None:
    with suppress(SqlError):
        translate(content.decode(errors="replace"), database="db", schema="s")


@fuzzed("json", changed("json") | st.binary(max_size=100))
def test_a_response_of_any_bytes_is_the_same_in_memory_and_on_disk(folder: Path, content: bytes) -> None:
    field = DataField("")

    assert large(folder / "response", content, field, Limits(chunk=7, array=0, part=5)) == small(content, field)


@fuzzed("ciphers", changed("ciphers") | st.binary(max_size=100))
def test_a_cipher_of_any_text_opens_or_is_refused(content: bytes) -> None:
    text = content.decode(errors="replace")
    for value in (text, CIPHER.encrypt_text("x", SCOPE)[:20] + text, "KBC::ProjectSecure::" + text):
        with suppress(UnreadableSecret):
            CIPHER.decrypt({"#secret": value}, SCOPE)
        CIPHER.encrypt({"#secret": value}, SCOPE)
    assert CIPHER.unseal(content, "words") is None
    assert CIPHER.unseal(base64.b64encode(content), "words") is None


@fuzzed("archives", changed("archives") | st.binary(max_size=200))
def test_an_archive_of_any_bytes_is_unpacked_or_refused(folder: Path, content: bytes) -> None:
    target = folder / "unpacked"
    (folder / "archive.zip").write_bytes(content)
    with suppress(AppError):
        archives.unpack(folder / "archive.zip", target)
    shutil.rmtree(target, ignore_errors=True)
    with suppress(AppError):
        component_archives.unpack_archive(io.BytesIO(content), target)
    shutil.rmtree(target, ignore_errors=True)

    assert [path.name for path in folder.iterdir() if path.name not in ("archive.zip", "response", "backup")] == []


@fuzzed("backups", changed("backups") | st.binary(max_size=200))
def test_a_backup_of_any_bytes_is_restored_or_refused(folder: Path, content: bytes) -> None:
    (folder / "backup").write_bytes(content)
    with pytest.raises(BackupFailed):
        restore_backup(folder / "backup", folder / "restored")
    assert not (folder / "restored").exists()
