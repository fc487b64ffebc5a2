from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.document import read_document
from penstock.extractor.errors import UserError

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
        (b"", "is not a valid JSON"),
        (b"{", "is not a valid JSON"),
        (b'"\xff"', "is not a valid JSON"),
        (b"[1]", "does not hold a JSON object"),
        (b"null", "does not hold a JSON object"),
    ],
)
def test_a_file_that_holds_no_configuration_is_refused(tmp_path: Path, content: bytes, message: str):
    (tmp_path / "config.json").write_bytes(content)

    with pytest.raises(UserError, match=message):
        read_document(tmp_path / "config.json")


def test_a_folder_is_no_configuration(tmp_path: Path):
    with pytest.raises(UserError, match="cannot be read"):
        read_document(tmp_path)
