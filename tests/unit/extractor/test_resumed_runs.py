"""Runs that are interrupted anywhere and go on: the same tables, and nothing is asked for that was answered before."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.requests.journal.entry import read_entry
from penstock.foundation import clock
from tests.support.api import Response, Seen
from tests.support.examples import examples
from tests.support.extraction import Extraction, parameters
from tests.unit.extractor.loop_api import LoopApi
from tests.unit.extractor.scenarios import IN_MEMORY, SCROLLERS, SIZE, Scenario, name_of, scenarios, tables_in

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LATER = BEGAN + timedelta(hours=5)
ALL = tuple(sorted(SCROLLERS))
parallelisms = st.sampled_from([1, 1, 3, "auto"])


@pytest.fixture(scope="module")
def api() -> Iterator[LoopApi]:
    with closing(LoopApi()) as api:
        yield api


@pytest.fixture(autouse=True)
def clock_back() -> Iterator[None]:
    before = clock.source
    yield
    clock.source = before


class Attempts:
    """Attempts at one run, in one folder."""

    def __init__(self, api: LoopApi, scenario: Scenario, folder: Path, parallelism: Any) -> None:
        self._api, self._scenario = api, scenario
        self.document = scenario.document(api.url, parallelism)
        self.out = folder / "out"
        self.asked: list[str] = []
        """By the last attempt, in order."""

    def run(self, at: datetime = BEGAN, until: int | None = None, told: io.StringIO | None = None) -> bool:
        """Whether it got to its end; it is cancelled when it asks for the n-th time."""
        clock.source = lambda: at
        self.asked = []

        async def response(seen: Seen) -> Response:
            self.asked.append(name_of(seen))
            if len(self.asked) == until:
                self._api.stop()
            return self._scenario.response(seen)

        try:
            self._api.extract(self.document, self.out, response, told)
        except asyncio.CancelledError:
            return False
        return True

    def cut(self, share: float) -> None:
        """Leave so much of the responses, as a crash might."""
        path = self.out / ".extracting" / "pages"
        path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])

    @property
    def kept(self) -> list[str]:
        """What is still answered."""
        names: list[str] = []
        with (self.out / ".extracting" / "pages").open("rb") as file:
            end = 0
            while (kept := read_entry(file, end)) is not None:
                if kept.entry.last < 0:  # otherwise it is the end of a list, and no response
                    names.append(json.loads(kept.body)["asked"])
                end = kept.end
        return names


def undisturbed(api: LoopApi, scenario: Scenario, parallelism: Any = 1) -> tuple[dict[str, bytes], bytes, list[str]]:
    """Tables, state, and what was asked for."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        attempts = Attempts(api, scenario, Path(name), parallelism)
        assert attempts.run()
        return tables_in(attempts.out), (attempts.out / "state.json").read_bytes(), attempts.asked


@given(scenarios(ALL), parallelisms, st.data())
@examples(80)
def test_a_run_goes_on_from_any_byte_of_its_answers(
    api: LoopApi, scenario: Scenario, parallelism: Any, data: st.DataObject
):
    tables, state, asked = undisturbed(api, scenario)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        attempts = Attempts(api, scenario, Path(name), parallelism)
        assert not attempts.run(until=data.draw(st.integers(1, len(asked)), "interrupted at request"))
        attempts.cut(data.draw(st.floats(0.0, 1.0), "share of the answers that is left"))
        kept = attempts.kept
        assert attempts.run(LATER)

        assert tables_in(attempts.out) == tables
        assert (attempts.out / "state.json").read_bytes() == state
        assert not (attempts.out / ".extracting").exists()
        assert len(attempts.asked) == len(set(attempts.asked))
        if parallelism == 1:
            assert attempts.asked == asked[len(kept) :]
            assert kept == asked[: len(kept)]
        assert set(attempts.asked) & set(asked) == set(asked) - set(kept)
        assert not set(attempts.asked) & set(kept)


@given(
    scenarios(ALL),
    parallelisms,
    st.lists(st.tuples(st.integers(1, 12), st.sampled_from([1.0, 1.0, 0.95])), min_size=2, max_size=5),
)
@examples(20)
def test_a_run_may_be_interrupted_again_and_again(
    api: LoopApi, scenario: Scenario, parallelism: Any, stops: list[tuple[int, float]]
):
    tables, state, asked = undisturbed(api, scenario)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        attempts = Attempts(api, scenario, Path(name), parallelism)
        times = number = 0
        has_ended = False
        while not has_ended:
            stop, share = stops[number] if number < len(stops) else (None, 1.0)
            has_ended = attempts.run(BEGAN + timedelta(hours=number), stop)
            if not has_ended:
                attempts.cut(share)
            times += len(attempts.asked)
            number += 1

        assert tables_in(attempts.out) == tables
        assert (attempts.out / "state.json").read_bytes() == state
        if parallelism == 1 and all(share == 1.0 for _stop, share in stops):
            assert times < len(asked) + number


def interrupt(*_given: object) -> None:
    """At the last moment."""
    raise asyncio.CancelledError


@pytest.mark.parametrize("parallelism", [1, 4])
def test_a_run_that_has_all_answers_asks_for_none_of_them(
    api: LoopApi, tmp_path: Path, parallelism: int, monkeypatch: pytest.MonkeyPatch
):
    scenario = Scenario(seed=5, most=30, root="pagenum", below="cursor")
    tables, state, asked = undisturbed(api, scenario)
    attempts = Attempts(api, scenario, tmp_path, parallelism)
    monkeypatch.setattr("penstock.extractor.run.publish", interrupt)
    assert not attempts.run()
    monkeypatch.undo()
    assert set(attempts.kept) >= set(asked)

    assert attempts.run(LATER)
    assert not set(attempts.asked) & set(asked)
    assert tables_in(attempts.out) == tables
    assert (attempts.out / "state.json").read_bytes() == state


@pytest.mark.parametrize("parallelism", [1, 4])
@pytest.mark.parametrize("levels", [0, 1])
def test_time_between_attempts_takes_no_page_away(api: LoopApi, tmp_path: Path, parallelism: int, levels: int):
    scenario = Scenario(seed=3, most=60, levels=levels, stops={"forceStop": {"time": 60}})
    attempts = Attempts(api, scenario, tmp_path, parallelism)
    assert not attempts.run(until=16)
    answered = {int(name.rpartition("=")[2]) for name in attempts.kept if name.startswith("/first?")}
    in_a_row = next(start for start in range(0, 99, SIZE) if start not in answered)
    assert attempts.run(LATER)

    first = (attempts.out / "tables" / "test.first").read_text()
    assert in_a_row > SIZE
    assert all(f'"first-{number}"' in first for number in range(in_a_row))


def test_functions_of_time_give_again_what_they_gave(api: LoopApi, tmp_path: Path):
    """In what was asked for and in columns: by the start of the run, and by the moment at which each job began."""
    shown = {"function": "date", "args": ["H:i"]}
    child = {"endpoint": "kids/{id}", "dataType": "kids", "dataField": "items", "placeholders": {"id": "id"}}
    job = {"endpoint": "first", "dataField": "items", "params": {"at": shown}, "userData": {"began": shown}}
    attempts = Attempts(api, Scenario(seed=3), tmp_path, 1)
    given = parameters(
        api.url,
        {**job, "children": [{**child, "params": {"at": shown}, "userData": {"began": shown}}]},
        {**job, "endpoint": "second", "params": {"at": shown, "from": {"time": "currentStart"}}},
    )
    attempts.document = {"parameters": given}
    assert not attempts.run(BEGAN, until=3)
    kept = len(attempts.kept)
    assert attempts.run(LATER)

    assert kept == 2
    assert attempts.asked[0].endswith("?at=05%3A00")  # the job below that had no response begins now
    assert attempts.asked[-1] == f"/second?at=05%3A00&from={int(BEGAN.timestamp())}"
    result = Extraction(attempts.out, "")
    assert set(result.column("test.first", "began")) == {"00:00"}
    assert set(result.column("test.second", "began")) == {"05:00"}
    assert result.column("test.kids", "began")[0] == "00:00"
