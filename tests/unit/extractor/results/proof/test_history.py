from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.responses.tally import JobTally
from penstock.extractor.results.proof.history import STATE_KEY, History, median, read_history

USERS = JobTally("jobs[0]", "users", items=7)


def test_a_run_is_added_and_the_oldest_forgotten():
    history = History({"jobs[0] users": (1, 2, 3)})

    assert history.after([USERS], 3).items == {"jobs[0] users": (2, 3, 7)}
    assert history.before(USERS, 2) == (2, 3)


def test_jobs_that_are_gone_are_forgotten():
    assert History({"jobs[9] gone": (5,)}).after([USERS], 3).items == {"jobs[0] users": (7,)}


def test_another_endpoint_in_the_same_place_starts_anew():
    assert History({"jobs[0] orders": (5,)}).before(USERS, 3) == ()


def test_what_is_written_is_read_again():
    state = {"time": {}, STATE_KEY: {"later": {"x": 1}, "items": {"jobs[0] users": [4]}}}

    written = read_history(state).after([USERS], 5).as_state()

    assert json.loads(json.dumps(written)) == {"later": {"x": 1}, "items": {"jobs[0] users": [4, 7]}}
    assert read_history({STATE_KEY: written}).items == {"jobs[0] users": (4, 7)}


@pytest.mark.parametrize(
    "ours", [None, 5, "x", [], {}, {"items": []}, {"items": 3}, {"items": {"jobs[0] users": "many"}}]
)
def test_what_cannot_be_understood_counts_as_not_there(ours: Any):
    assert read_history({STATE_KEY: ours}).before(USERS, 5) == ()


def test_only_counts_are_taken_from_a_list():
    state = {STATE_KEY: {"items": {"jobs[0] users": [1, "2", None, True, -3, 2.5, 10**30, 4]}}}

    assert read_history(state).before(USERS, 5) == (1, 4)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["items", "jobs[0] users", "x"]), inner),
)


@given(st.dictionaries(st.sampled_from([STATE_KEY, "time"]), JSON))
def test_any_state_can_be_read(state: dict[str, Any]):
    assert read_history(state).after([USERS], 2).items["jobs[0] users"][-1] == 7


@pytest.mark.parametrize(("numbers", "middle"), [((5,), 5), ((1, 100), 50.5), ((9, 1, 100), 9), ((4, 1, 3, 2), 2.5)])
def test_the_median_is_the_middle_of_the_ordered_numbers(numbers: tuple[int, ...], middle: float):
    assert median(numbers) == middle
