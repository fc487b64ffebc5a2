"""Configurations, what an API answered to them, and the tables that must come out: one folder per case.

    config.json      the parameters; `{api}` stands for the address of the API
    exchanges.json   the requests in their order, each with its answer: `body` is JSON, `text` is taken as it is
    in/state.json    what an earlier run left, if any
    expected/        tables/ and, if it matters, state.json (without times) and warnings.txt

Adding a case needs no code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Answer, Api, Seen
from tests.support.extraction import run_extraction

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/config.json"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_extractor_asks_and_writes_what_it_must(case: Path, tmp_path: Path):
    exchanges = json.loads((case / "exchanges.json").read_text())
    with Api() as api:
        for path in {target_of(exchange).partition("?")[0] for exchange in exchanges}:
            api.on(path, recorded(exchanges))
        config = json.loads((case / "config.json").read_text().replace("{api}", api.url))
        result = run_extraction(config, tmp_path, read_state(case))

    assert [f"{seen.path}?{seen.query}".rstrip("?") for seen in api.seen] == list(map(target_of, exchanges))
    assert read_tables(tmp_path / "tables") == read_tables(case / "expected" / "tables")
    assert result.warnings == read_warnings(case)
    if (case / "expected" / "state.json").exists():
        assert without_time(tmp_path / "state.json") == json.loads((case / "expected" / "state.json").read_text())


def recorded(exchanges: list[dict[str, Any]]):
    def script(seen: Seen) -> Answer:
        asked = f"{seen.path}?{seen.query}".rstrip("?")
        exchange = next(exchange for exchange in exchanges if target_of(exchange) == asked)
        text = exchange.get("text", json.dumps(exchange.get("body")))
        return Answer(exchange.get("status", 200), text.encode(), exchange.get("headers", {}))

    return script


def target_of(exchange: dict[str, Any]) -> str:
    return exchange["request"].removeprefix("GET ")


def read_tables(folder: Path) -> dict[str, str]:
    return {path.name: path.read_bytes().decode() for path in folder.glob("*")} if folder.exists() else {}


def read_warnings(case: Path) -> list[str]:
    path = case / "expected" / "warnings.txt"
    return path.read_text().splitlines() if path.exists() else []


def read_state(case: Path) -> dict[str, Any]:
    path = case / "in" / "state.json"
    return json.loads(path.read_text()) if path.exists() else {}


def without_time(path: Path) -> dict[str, Any]:
    state = json.loads(path.read_text())
    assert state.pop("time")["previousStart"] > 0
    return state
