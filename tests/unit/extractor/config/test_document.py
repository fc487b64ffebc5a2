from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.document import Document, read_document

PARAMETERS: dict[str, Any] = {"api": {"#token": "s3cret"}, "config": {"debug": True}}


@pytest.mark.parametrize("document", [PARAMETERS, {"parameters": PARAMETERS, "storage": {}}])
def test_the_parameters_may_stand_alone(tmp_path: Path, document: dict[str, Any]):
    (tmp_path / "config.json").write_text(json.dumps(document))

    read = read_document(tmp_path / "config.json")

    assert read.values["parameters"] == PARAMETERS
    assert read.is_debug
    assert read.redactor.clean("s3cret") == "[hidden]"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "Configuration file is not a valid JSON: Syntax error"),
        (b"{", "Configuration file is not a valid JSON: Syntax error"),
        (b'"\xff"', "Configuration file is not a valid JSON: Syntax error"),
        (b"[" * 100_000, "Configuration file is not a valid JSON: Syntax error"),
        (b"[1]", "does not hold a JSON object"),
        (b"null", "does not hold a JSON object"),
        (b'"x"', "does not hold a JSON object"),
    ],
)
def test_a_file_that_holds_no_configuration_is_refused(tmp_path: Path, content: bytes, message: str):
    (tmp_path / "config.json").write_bytes(content)

    with pytest.raises(UserError, match=message):
        read_document(tmp_path / "config.json")


def test_a_folder_is_no_configuration(tmp_path: Path):
    with pytest.raises(UserError, match="cannot be read"):
        read_document(tmp_path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(UserError) as caught:
        read_document(tmp_path / "config.json")

    assert str(caught.value) == f"Configuration file '{tmp_path}/config.json' not found."


def read(tmp_path: Path, document: Any) -> Document:
    (tmp_path / "config.json").write_text(json.dumps(document))
    return read_document(tmp_path / "config.json")


@pytest.mark.parametrize(("debug", "is_debug"), [(True, True), ("1", True), ("0", False), (None, False)])
def test_debug_mode_is_known_before_the_rest_is_read(tmp_path: Path, debug: Any, is_debug: bool):
    assert read(tmp_path, {"parameters": {"config": {"debug": debug}}}).is_debug is is_debug


@pytest.mark.parametrize("document", [{}, {"parameters": []}, {"parameters": {"config": "x"}}, {"parameters": None}])
def test_a_document_without_a_configuration_is_not_debugged(tmp_path: Path, document: Any):
    assert not read(tmp_path, document).is_debug


@pytest.mark.parametrize(
    ("action", "name"), [(None, ""), ("", ""), ("run", ""), ("testConnection", "testConnection"), (["x"], "['x']")]
)
def test_everything_but_run_is_an_action(tmp_path: Path, action: Any, name: str):
    assert read(tmp_path, {"action": action, "parameters": {}}).action == name


def test_a_password_in_the_base_address_is_a_secret(tmp_path: Path):
    url = "https://ada:s3cret%2F@h/"
    redactor = read(tmp_path, {"parameters": {"api": {"baseUrl": url}}}).redactor

    assert "s3cret" not in redactor.clean(f"{url} s3cret/ {base64.b64encode(b'ada:s3cret/').decode()}")
    assert "czNjcmV0" not in redactor.clean(base64.b64encode(b"ada:s3cret/").decode())


@pytest.mark.parametrize("url", ["https://t0k3n%2F@h/", "https://t0k3n%2F:@h/"])
def test_a_user_without_a_password_is_a_secret(tmp_path: Path, url: str):
    redactor = read(tmp_path, {"parameters": {"api": {"baseUrl": url}}}).redactor

    assert "t0k3n" not in redactor.clean(f"{url} t0k3n/")
    assert "dDBrM24" not in redactor.clean(base64.b64encode(b"t0k3n/:").decode())


@pytest.mark.parametrize("url", ["https://[", "https://h:x/", {"attr": "x"}, 5, "https://h/ada@x", None])
def test_a_base_address_without_a_login_is_no_secret(tmp_path: Path, url: Any):
    assert read(tmp_path, {"parameters": {"api": {"baseUrl": url}}}).redactor.clean("ada h 5 x") == "ada h 5 x"


def test_secrets_of_every_section_are_hidden(tmp_path: Path):
    document = {
        "parameters": {"config": {"#token": "t0k3n"}, "iterations": [{"#key": "s3cret"}]},
        "authorization": {"oauth_api": {"credentials": {"#data": '{"access_token": "acc3ss"}'}}},
    }

    assert read(tmp_path, document).redactor.clean("t0k3n s3cret acc3ss") == "[hidden] [hidden] [hidden]"


def test_a_document_that_is_nested_too_deeply_is_the_users_error(tmp_path: Path):
    for depth in (500, 990, 5000):
        (tmp_path / "config.json").write_text('{"parameters": {"#a": ' + "[" * depth + "]" * depth + "}}")
        with suppress(UserError):
            read_document(tmp_path / "config.json")
