from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.log import Log
from penstock.extractor.requests.journal import Journal
from penstock.extractor.results import Flattened
from penstock.extractor.results.legacy import LegacyFlattened
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.state import State, read_state
from penstock.foundation.redaction import Redactor
from tests.unit.extractor.results.writing import batch_of, kept

IGNORED = "Ignored request for legacy JSON parser, because configuration is already upgraded."
KNOWN = "Using legacy JSON parser, because it is in configuration state."
ASKED = "Using legacy JSON parser, because it has been explicitly requested."
USERS = {
    "_users": {
        "[]": {"_id": {"nodeType": "scalar", "headerNames": "id"}, "nodeType": "object", "headerNames": "data"},
        "nodeType": "array",
    }
}
NOTHING = {"data": [], "parent_aliases": []}


class Seeing:
    """A log, and what was written to it."""

    def __init__(self) -> None:
        self.text = io.StringIO()
        self.log = Log(self.text, Redactor())

    @property
    def warnings(self) -> list[str]:
        lines = self.text.getvalue().splitlines()
        return [line.partition(".WARNING: ")[2].removesuffix(" [] []") for line in lines if ".WARNING: " in line]


@pytest.fixture
def seeing() -> Seeing:
    return Seeing()


def learnt(state: dict[str, Any], folder: Path, *records: Any) -> dict[str, Any]:
    """The state after a run that saw these records of users."""
    memory = State(state, 100)
    journal = Journal(folder)
    parser = memory.parser(folder, Spool(journal), 3, Seeing().log)
    if records:
        parser.add(kept(journal, batch_of("users", list(records))))
    memory.learn(parser)
    journal.close()
    return json.loads(memory.text())


def test_no_state_is_an_empty_one_and_a_warning(tmp_path: Path, seeing: Seeing):
    assert read_state(tmp_path / "state.json", seeing.log) == {}
    assert seeing.warnings == [f"State file not found Configuration file '{tmp_path / 'state.json'}' not found."]


@pytest.mark.parametrize("text", ["", "{", "[1,]", "{'a': 1}"])
def test_a_state_that_is_no_json_is_not_used_and_a_warning(tmp_path: Path, seeing: Seeing, text: str):
    (tmp_path / "state.json").write_text(text)

    assert read_state(tmp_path / "state.json", seeing.log) == {}
    (warning,) = seeing.warnings
    assert warning.startswith("State file not found Configuration file is not a valid JSON: Syntax error")


@pytest.mark.parametrize("text", ["[1]", "1", '"x"'])
def test_a_state_that_is_no_object_is_not_used_and_a_warning(tmp_path: Path, seeing: Seeing, text: str):
    (tmp_path / "state.json").write_text(text)

    assert read_state(tmp_path / "state.json", seeing.log) == {}
    assert seeing.warnings == ["The state state.json is not an object and is not used."]


@pytest.mark.parametrize("text", ["{}", "[]", "null"])
def test_an_empty_state_is_none(tmp_path: Path, seeing: Seeing, text: str):
    (tmp_path / "state.json").write_text(text)

    assert read_state(tmp_path / "state.json", seeing.log) == {}
    assert seeing.warnings == []


def test_a_state_is_read(tmp_path: Path, seeing: Seeing):
    (tmp_path / "state.json").write_text(json.dumps({"time": {"previousStart": 1}}))

    assert read_state(tmp_path / "state.json", seeing.log) == {"time": {"previousStart": 1}}


@pytest.mark.parametrize(
    ("state", "previous"),
    [({}, 0), ({"time": []}, 0), ({"time": {"previousStart": 5}}, 5), ({"time": {"previousStart": None}}, 0)],
)
def test_functions_know_when_this_run_and_the_one_before_started(state: dict[str, Any], previous: int):
    assert State(state, 100).times == {"previousStart": previous, "currentStart": 100}


def test_the_next_state_keeps_what_it_does_not_know(tmp_path: Path):
    state = {"custom": {"a": 1}, "time": {"previousStart": 5, "currentStart": 6, "zone": "x"}}

    after = learnt(state, tmp_path)

    assert list(after) == ["custom", "time", "json_parser.struct", "json_parser.structVersion"]
    assert after["time"] == {"previousStart": 100, "zone": "x"}
    assert after["json_parser.structVersion"] == 3


def test_keys_of_the_state_keep_their_order(tmp_path: Path):
    state = {"json_parser.structVersion": 3, "z": 1, "json_parser.struct": NOTHING, "a": 2}

    assert list(learnt(state, tmp_path)) == ["json_parser.structVersion", "z", "json_parser.struct", "a", "time"]


def test_the_state_of_a_first_run(tmp_path: Path):
    after = learnt({}, tmp_path, {"id": 1})

    assert after == {
        "time": {"previousStart": 100},
        "json_parser.struct": {"data": USERS, "parent_aliases": []},
        "json_parser.structVersion": 3,
    }


def test_without_anything_learnt_only_the_time_is_new():
    assert State({}, 100).text() == '{"time":{"previousStart":100}}'


def test_the_state_is_compact_json_with_lists_for_empty_maps_and_whole_numbers():
    state = {"a": {}, "b": "x/é", "c": 2.0, "d": [1.5, {"0": "x", "1": {}}]}

    text = State(state, 100).text()

    assert text == '{"a":[],"b":"x\\/\\u00e9","c":2,"d":[1.5,["x",[]]],"time":{"previousStart":100}}'


def test_a_second_run_adds_to_what_the_first_has_learnt(tmp_path: Path):
    for name in ("1", "2"):
        (tmp_path / name).mkdir()

    once = learnt({}, tmp_path / "1", {"id": 1, "tags": ["x"]})
    twice = learnt(once, tmp_path / "2", {"name": "Ada", "id": 2})

    rows = twice["json_parser.struct"]["data"]["_users"]["[]"]
    assert [key for key in rows if key.startswith("_")] == ["_id", "_tags", "_name"]
    assert rows["_tags"] == once["json_parser.struct"]["data"]["_users"]["[]"]["_tags"]


@pytest.mark.parametrize(
    ("version", "struct", "level", "kind", "warnings"),
    [
        (None, None, 3, Flattened, []),
        (None, None, 2, Flattened, []),
        (None, None, 1, LegacyFlattened, [ASKED]),
        (None, None, -1, LegacyFlattened, [ASKED]),
        (2, {"users": {"id": "scalar"}}, 3, LegacyFlattened, [KNOWN]),
        (2, {"users": {"id": "scalar"}}, 1, LegacyFlattened, [KNOWN]),
        (2.0, {"users": {"id": "scalar"}}, 3, LegacyFlattened, [KNOWN]),
        (2, [], 3, Flattened, []),
        (2, [], 1, LegacyFlattened, [ASKED]),
        (3, {"data": USERS}, 3, Flattened, []),
        (3, {"data": USERS}, 1, Flattened, [IGNORED]),
        (3, [], 1, Flattened, [IGNORED]),
        (1, {"users": {"id": "scalar"}}, 1, Flattened, [IGNORED]),
        (1, {"users": {"id": "scalar"}}, 3, Flattened, []),
        (1, [], 1, LegacyFlattened, [ASKED]),
    ],
)
def test_the_state_decides_before_the_configuration_who_makes_tables(
    tmp_path: Path, seeing: Seeing, version: Any, struct: Any, level: int, kind: type, warnings: list[str]
):
    state = {"json_parser.struct": struct, "json_parser.structVersion": version} if version else {}

    spool = Spool(Journal(tmp_path))

    assert type(State(state, 100).parser(tmp_path, spool, level, seeing.log)) is kind
    assert seeing.warnings == warnings


def test_what_the_legacy_parser_has_learnt_is_of_its_own_version(tmp_path: Path, seeing: Seeing):
    memory = State({}, 100)
    journal = Journal(tmp_path)
    parser = memory.parser(tmp_path, Spool(journal), 1, seeing.log)
    parser.add(kept(journal, batch_of("users", [{"id": 1}])))
    memory.learn(parser)
    journal.close()

    after = json.loads(memory.text())

    assert after["json_parser.structVersion"] == 2
    assert "users" in json.dumps(after["json_parser.struct"])
