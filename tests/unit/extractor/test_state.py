from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.records.tree import Tree
from penstock.extractor.state import known_tree, next_state, read_state, state_text
from penstock.foundation.redaction import Redactor


def quiet() -> Log:
    return Log(io.StringIO(), Redactor())


def test_the_next_state_keeps_what_it_does_not_know():
    state = {"custom": {"a": 1}, "time": {"previousStart": 5, "currentStart": 6, "zone": "x"}}

    after = next_state(state, Tree(), 100)

    assert list(after) == ["custom", "time", "json_parser.struct", "json_parser.structVersion"]
    assert after["time"] == {"previousStart": 100, "zone": "x"}
    assert after["json_parser.structVersion"] == 3


def test_the_state_is_compact_json():
    assert state_text({"a": "b/c"}) == '{"a":"b\\/c"}'


def test_no_state_is_an_empty_one(tmp_path: Path):
    assert read_state(tmp_path / "state.json", quiet()) == {}


@pytest.mark.parametrize("text", ["", "{", "[1]", "1"])
def test_a_state_that_cannot_be_read_is_not_used_and_a_warning(tmp_path: Path, text: str):
    (tmp_path / "state.json").write_text(text)
    out = io.StringIO()

    assert read_state(tmp_path / "state.json", Log(out, Redactor())) == {}
    assert "logger.WARNING" in out.getvalue()


def test_a_state_is_read(tmp_path: Path):
    (tmp_path / "state.json").write_text(json.dumps({"time": {"previousStart": 1}}))

    assert read_state(tmp_path / "state.json", quiet()) == {"time": {"previousStart": 1}}


@pytest.mark.parametrize("version", [2, 2.0, "2"])
def test_the_state_of_the_legacy_parser_is_refused(version: object):
    with pytest.raises(UserError, match="legacy parser"):
        known_tree({"json_parser.struct": {"users": {"id": "scalar"}}, "json_parser.structVersion": version})
