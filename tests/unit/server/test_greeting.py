"""What a started stack tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from penstock.app import FirstProject
from penstock.server.greeting import describe, greet
from penstock.server.running import Running
from penstock.settings import Settings

PROJECT = FirstProject(1, "1-3-secret")


def settings(folder: Path = Path(), public_url: str | None = None) -> Settings:
    return Settings(domain="no-such-name.invalid", data_dir=str(folder), public_url=public_url)


def make(address: str = "127.0.0.1") -> Running:
    return describe(settings(), address, 8300, PROJECT)


def test_where_names_do_not_resolve_addresses_are_by_path() -> None:
    assert make().storage_url == "http://127.0.0.1:8300/_svc/storage"
    assert make("::1").portal_url == "http://[::1]:8300/_svc/portal"


def test_behind_a_proxy_people_are_told_the_public_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path, public_url="https://data.example"), as_json=False)

    assert "https://data.example" in capsys.readouterr().out


def test_a_program_gets_one_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path), as_json=True)
    [line] = capsys.readouterr().out.splitlines()

    assert {"storageUrl", "queueUrl", "portalUrl", "projectId", "token"} <= json.loads(line).keys()


def test_a_person_gets_addresses_a_token_and_what_to_try(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greet(make(), settings(tmp_path), as_json=False)
    text = capsys.readouterr().out

    assert "http://127.0.0.1:8300/_svc/portal/" in text
    assert "http://127.0.0.1:8300/_svc/storage/v2/storage" in text
    assert "1-3-secret" in text
    assert "run ex-generic-v2 sample-customers" in text
