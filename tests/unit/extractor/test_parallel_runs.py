"""Several requests at once: the same rows in the same order and the same state as with one, whatever goes wrong."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from tests.support.api import Response, Seen
from tests.support.examples import examples
from tests.unit.extractor.loop_api import LoopApi
from tests.unit.extractor.scenarios import AHEAD, IN_MEMORY, Scenario, Server, faulty, scenarios, tables_in

MANY: list[Any] = [3, "auto"]
MAX_REQUESTS = {3: 3, "auto": 16}
some = st.sampled_from([0.0, 0.2, 0.5])


@pytest.fixture(scope="module")
def api() -> Iterator[LoopApi]:
    with closing(LoopApi()) as api:
        yield api


@dataclass(frozen=True)
class Result:
    """All that a run leaves, but for the time at which it began."""

    files: dict[str, bytes]
    state: dict[str, Any]
    error: str | None


def run(api: LoopApi, scenario: Scenario, server: Server, parallelism: Any) -> Result:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        out = Path(name) / "out"
        try:
            api.extract(scenario.document(api.url, parallelism), out, server.response)
        except UserError as error:
            assert {path.name for path in out.iterdir()} <= {"report.json"}
            return Result({}, {}, str(error))
        state = json.loads((out / "state.json").read_bytes())
        del state["time"]
        return Result(tables_in(out), state, None)


@given(scenarios(), some, st.sampled_from([0.0, 0.003]))
@examples(50)
def test_many_requests_at_once_leave_what_one_at_a_time_leaves(
    api: LoopApi, scenario: Scenario, faults: float, delays: float
):
    alone = Server(faulty(scenario, faults, 0.0))
    expected = run(api, scenario, alone, 1)
    assert expected.error is None
    for parallelism in MANY:
        beyond = Server(faulty(scenario, faults, delays), known=alone.asked)

        assert run(api, scenario, beyond, parallelism) == expected
        assert alone.asked <= beyond.asked


@given(scenarios(), some, st.data())
@examples(25)
def test_a_run_that_fails_says_the_same_however_many_requests_there_were_at_once(
    api: LoopApi, scenario: Scenario, faults: float, data: st.DataObject
):
    whole = Server(scenario)
    run(api, scenario, whole, 1)
    broken = data.draw(st.sampled_from(sorted(whole.asked)))
    scenario = faulty(scenario, faults, 0.002)
    expected = run(api, scenario, Server(scenario, broken=broken), 1)
    assert expected.error is not None
    assert "[404]" in expected.error
    for parallelism in MANY:
        assert run(api, scenario, Server(scenario, broken=broken), parallelism) == expected


@given(scenarios(), st.sampled_from(MANY))
@examples(25)
def test_no_page_is_asked_for_twice_and_few_in_vain(api: LoopApi, scenario: Scenario, parallelism: Any):
    alone, ahead = Server(scenario), Server(scenario)
    run(api, scenario, alone, 1)
    run(api, scenario, ahead, parallelism)
    lists = {name.partition("?")[0] for name in alone.asked}
    in_vain = ahead.asked - alone.asked

    assert set(alone.tries.values()) == set(ahead.tries.values()) == {1}
    assert len(in_vain) <= len(lists) * (MAX_REQUESTS[parallelism] - 1)
    for path in lists:
        read = sum(name.partition("?")[0] == path for name in alone.asked)
        assert sum(name.partition("?")[0] == path for name in in_vain) < max(min(MAX_REQUESTS[parallelism], read), 1)


@pytest.mark.parametrize("way", AHEAD)
@pytest.mark.parametrize("parallelism", MANY)
def test_a_job_without_a_full_page_makes_one_request(api: LoopApi, way: str, parallelism: Any):
    scenario = Scenario(seed=1, root=way, most=0, levels=0, stops={"limitStop": {"field": "total"}})
    server = Server(scenario)

    run(api, scenario, server, parallelism)

    assert {name.partition("?")[0] for name in server.asked} == {"/first", "/second"}
    assert len(server.tries) == 2


@pytest.mark.parametrize("parallelism", [1, 3, 8])
def test_no_more_requests_are_on_their_way_than_the_configuration_says(api: LoopApi, parallelism: int):
    traffic = Traffic()
    scenario = Scenario(seed=7, most=60, levels=1, below="param")

    async def slowly(seen: Seen) -> Response:
        with traffic:
            await asyncio.sleep(0.01)
            return scenario.response(seen)

    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        api.extract(scenario.document(api.url, parallelism), Path(name) / "out", slowly)

    assert min(parallelism, 3) <= traffic.most <= parallelism


class Traffic:
    def __init__(self) -> None:
        self._now = self.most = 0

    def __enter__(self) -> None:
        self._now += 1
        self.most = max(self.most, self._now)

    def __exit__(self, *_: object) -> None:
        self._now -= 1
