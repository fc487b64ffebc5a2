"""Runs that are killed before each step by which they write to disk: journal, tables, state, and the tidying after it.

`make test-faults` takes the first, the last and one other step of each kind, `make soak` every single one.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.resume.runs import IS_SOAK, DataFolder
from tests.e2e.resume.server import SiteApi, Trigger, serving
from tests.e2e.resume.site import Site

pytestmark = pytest.mark.faults

PARTS = 8
"""Tests among which the steps are divided, so that they can run side by side."""
SITE = Site(7, items=5, size=2)
STEPS_EXPECTED = {
    "durable write_file fsync",
    "durable write_file write",
    "entry write_entry write",
    "journal append flush",
    "pathlib mkdir mkdir",
    "pathlib replace replace",
    "pathlib unlink unlink",
    "durable sync_path fsync",
    "sync sync fsync",
}
"""Some that every run must have: if they go by other names one day, the test must not become blind to them."""


def document(url: str, parallelism: int) -> dict[str, Any]:
    """Two buckets, tables as they are and mapped ones, a layout that changes late, and jobs below."""
    below = {
        "endpoint": "items/{item}/orders",
        "dataField": "items",
        "dataType": "orders",
        "placeholders": {"item": "id"},
    }
    mapping = {"id": "id", "tags": {"type": "table", "destination": "tags", "tableMapping": {".": "tag"}}}
    return {
        "parameters": {
            "api": {"baseUrl": url, "pagination": {"method": "offset", "limit": 2}, "parallelism": parallelism},
            "config": {"jobs": [{"endpoint": "items", "dataField": "items", "children": [below]}]},
            "iterations": [{"outputBucket": "first"}, {"outputBucket": "second", "mappings": {"items": mapping}}],
        }
    }


@dataclass(frozen=True)
class Undisturbed:
    files: dict[str, bytes]
    labels: list[str]
    """Of the steps that it takes."""
    asked: Counter[str]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("parallelism", [1, 4])
def test_a_run_that_is_killed_before_a_step_ends_as_if_it_had_not_been(parallelism: int, part: int, tmp_path: Path):
    with serving(SITE) as api:
        reference = undisturbed(tmp_path, api, parallelism)
        for step in chosen(reference.labels)[part::PARTS]:
            folder = make(tmp_path / str(step), api, parallelism)
            api.asked = []
            kill_before(step, folder, api)
            assert_state_is_not_ahead(folder, reference)
            go_on(folder, api)

            assert folder.files() == reference.files, reference.labels[step - 1]
            assert api.asked_again(reference.asked) <= parallelism, reference.labels[step - 1]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_run_that_goes_on_may_be_killed_before_any_step_too(part: int, tmp_path: Path):
    with serving(SITE) as api:
        reference = undisturbed(tmp_path, api, 1)
        for step in chosen(reference.labels)[part::PARTS]:
            folder = make(tmp_path / str(step), api, 1)
            api.asked = []
            kill_in_the_middle(folder, api)
            kill_before(step, folder, api)
            assert_state_is_not_ahead(folder, reference)
            go_on(folder, api)

            assert folder.files() == reference.files, reference.labels[step - 1]
            assert api.asked_again(reference.asked) <= 2, reference.labels[step - 1]


def make(path: Path, api: SiteApi, parallelism: int) -> DataFolder:
    return DataFolder.make(path, document(api.url, parallelism), {}, fetches_ahead=parallelism > 1)


def undisturbed(path: Path, api: SiteApi, parallelism: int) -> Undisturbed:
    """One after another for what is asked, and several at once for the steps."""
    api.asked = []
    sequential = make(path / "sequential", api, 1)
    sequential.fetches_ahead = parallelism > 1
    api.begin()
    assert sequential.finish() == 0
    asked, listing = api.total, path / "steps"
    parallel = make(path / "parallel", api, parallelism)
    assert parallel.finish(listing=listing) == 0
    labels = listing.read_text().splitlines()
    assert set(labels) >= STEPS_EXPECTED
    return Undisturbed(sequential.files(), labels, asked)


def chosen(labels: list[str]) -> list[int]:
    """Steps, counted from 1."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for number, label in enumerate(labels, 1):
        kinds[label].append(number)
    if IS_SOAK:
        return list(range(1, len(labels) + 1))
    luck = random.Random(len(labels))
    return sorted({step for steps in kinds.values() for step in (steps[0], luck.choice(steps), steps[-1])})


def kill_in_the_middle(folder: DataFolder, api: SiteApi) -> None:
    api.begin()
    process = folder.start()
    api.arm(Trigger("answered", 8, process.kill, delay=0.01))
    process.wait()
    assert folder.is_open


def kill_before(step: int, folder: DataFolder, api: SiteApi) -> None:
    api.begin()
    folder.finish(step, folder.path / "steps")


def assert_state_is_not_ahead(folder: DataFolder, reference: Undisturbed) -> None:
    """Whoever finds a state finds all the tables that belong to it."""
    found = folder.files()
    if "state.json" in found:
        assert {name: found.get(name) for name in reference.files} == reference.files


def go_on(folder: DataFolder, api: SiteApi) -> None:
    if not folder.is_open:  # not begun yet, or over
        folder.attempts, api.asked = 0, []
    api.begin()
    assert folder.finish() == 0
