"""The output of a started stack."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple, cast

import msgspec
import pytest

from penstock.server.first_project import FirstProject
from penstock.server.greeting import describe, greet
from penstock.server.listening import Listening, bracketed
from penstock.server.running import NOTE, Running
from penstock.server.sandbox import SandboxRule, find_shortage
from penstock.settings import Settings

PROJECT = FirstProject(1, "1-3-secret")


def settings(folder: Path = Path(), public_url: str | None = None) -> Settings:
    return Settings(domain="no-such-name.invalid", data_dir=str(folder), public_url=public_url)


class At(NamedTuple):
    """A way in, as Listening tells it, without sockets."""

    address: str = "127.0.0.1"
    port: int = 8300
    secure_port: int | None = None
    sql_port: int | None = None

    @property
    def endpoint(self) -> str:
        return f"{bracketed(self.address)}:{self.port}"


def make(address: str = "127.0.0.1", secure_port: int | None = None, authority: Path | None = None) -> Running:
    return describe(settings(), cast(Listening, At(address, secure_port=secure_port)), PROJECT, authority)


def test_where_names_do_not_resolve_addresses_are_by_path() -> None:
    assert make().storage_url == "http://127.0.0.1:8300/_svc/storage"
    assert make("::1").portal_url == "http://[::1]:8300/_svc/portal"


def test_without_tls_nothing_is_said_about_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path), None, as_json=True)

    assert "https" not in capsys.readouterr().out


def test_with_tls_both_addresses_are_shown_and_what_is_left_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    greet(make(secure_port=8443, authority=Path("/authority.pem")), settings(tmp_path), None, as_json=False)
    text = capsys.readouterr().out

    assert "http://127.0.0.1:8300/_svc/storage/v2/storage" in text
    assert "https://127.0.0.1:8443/_svc/storage/v2/storage" in text
    assert f"tls show --data-dir {tmp_path}" in text
    assert "hosts install --domain no-such-name.invalid" in text


def test_a_certificate_of_ones_own_is_for_names(tmp_path: Path) -> None:
    assert make(secure_port=8443).https_storage_url == "https://connection.no-such-name.invalid:8443"
    assert make(secure_port=443).https_storage_url == "https://connection.no-such-name.invalid"
    assert make(secure_port=443).authority_file is None


def test_the_own_certificate_is_not_for_other_addresses_of_the_machine() -> None:
    shown = make("192.0.2.1", 443, Path("/authority.pem"))

    assert shown.https_storage_url == "https://connection.no-such-name.invalid"
    assert shown.storage_url == "http://192.0.2.1:8300/_svc/storage"


def test_behind_a_proxy_the_public_address_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path, public_url="https://data.example"), None, as_json=False)

    assert "https://data.example" in capsys.readouterr().out


def test_a_program_gets_one_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path), None, as_json=True)
    [line] = capsys.readouterr().out.splitlines()

    assert {"storageUrl", "queueUrl", "portalUrl", "projectId", "token"} <= json.loads(line).keys()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_kept_names_where_the_token_is_and_not_the_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = msgspec.structs.replace(make(), login_url="http://127.0.0.1:8300/link?code=secret-code")
    greet(running, settings(tmp_path), None, as_json=False)
    text = capsys.readouterr().out

    assert "secret" not in text
    assert f"Token     in {tmp_path / NOTE}" in text
    assert f"login link --data-dir {tmp_path}" in text
    assert json.loads((tmp_path / NOTE).read_bytes())["token"] == "1-3-secret"


def test_a_person_gets_addresses_a_token_and_what_to_try(tmp_path: Path) -> None:
    with redirect_stdout(Terminal()) as terminal:
        greet(make(), settings(tmp_path), None, as_json=False)
    text = terminal.getvalue()

    assert "http://127.0.0.1:8300/_svc/portal/" in text
    assert "http://127.0.0.1:8300/_svc/storage/v2/storage" in text
    assert "1-3-secret" in text
    assert "run ex-generic-v2 sample-customers" in text


def test_links_of_e_mails_that_work_only_here_are_said_at_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mailing = msgspec.structs.replace(settings(tmp_path), smtp_host="smtp.example.com")
    greet(make(), mailing, None, as_json=False)
    greet(make(), msgspec.structs.replace(mailing, public_url="https://data.example"), None, as_json=False)

    text = capsys.readouterr().out
    assert text.count("WARNING: Links in e-mails lead to http://connection.no-such-name.invalid:8300") == 1
    assert "Set public_url" in text


def test_a_missing_sandbox_is_said_at_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path), find_shortage(SandboxRule(setting="off"), 1), as_json=False)

    text = capsys.readouterr().out
    assert "WARNING: Components run without a sandbox" in text
    assert 'Set sandbox = "auto".' in text
