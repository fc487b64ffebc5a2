"""Jobs that ask only for what is new, and replace their table as a whole."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.config.full_loads import find_full_loads
from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction

LAST = {"time": "previousStart"}
DATE = {"function": "date", "args": ["Y-m-d", LAST]}


def config(*jobs: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {"api": {"baseUrl": "https://h/"}, "config": {"jobs": list(jobs), **settings}}


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (config({"endpoint": "a", "params": {"since": LAST}}), "config.jobs[0].params.since"),
        (config({"endpoint": "b"}, {"endpoint": "a", "params": {"filter": {"from": DATE}}}), "config.jobs[1].params"),
        (config({"endpoint": "a", "children": [{"endpoint": "b", "params": {"s": DATE}}]}), "config.jobs[0].children"),
        (config({"endpoint": {"function": "concat", "args": ["a/", LAST]}}), "config.jobs[0].endpoint"),
        (config({"endpoint": "a", "params": {"since": {"attr": "from"}}}, **{"from": DATE}), "params.since"),
    ],
)
def test_such_a_job_is_named(document: dict[str, Any], place: str) -> None:
    [sentence] = find_full_loads(document)

    assert place in sentence
    assert '"incrementalOutput": true' in sentence


@pytest.mark.parametrize(
    "document",
    [
        config({"endpoint": "a", "params": {"since": LAST}}, incrementalOutput=True),
        config({"endpoint": "a", "params": {"since": LAST}, "incremental": True}),
        config({"endpoint": "a", "params": {"until": {"time": "currentStart"}}}),
        config({"endpoint": "a", "params": {"since": {"attr": "loop"}}}, loop={"attr": "loop"}),
        {"config": None},
        {"config": {"jobs": [None, 1]}},
    ],
)
def test_others_are_not(document: dict[str, Any]) -> None:
    assert list(find_full_loads(document)) == []


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        yield api


def test_a_run_warns_before_it_asks_and_says_that_nothing_is_left(api: Api, tmp_path: Path) -> None:
    api.on("/users", Response(body=b"[]"))
    document = parameters(api.url, {"endpoint": "users", "params": {"since": LAST}})
    first = run_extraction(document, tmp_path / "1")
    second = run_extraction(document, tmp_path / "2", {"time": {"previousStart": 1767225600}})

    assert ["config.jobs[0].params.since" in each for each in first.warnings[:1]] == [True]
    assert not any("they are empty after this load" in each for each in first.warnings)
    assert any("they are empty after this load" in each for each in second.warnings)
