"""A few projects beside each noisy pattern: they see no error, and the memory of the server has a limit.

`make bench WHAT=crowd` has fifty projects, and measures how long they wait.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import pytest

from tests.benchmarks.crowd.crowd import Size, open_crowd
from tests.benchmarks.crowd.phases import Outcome
from tests.e2e.soak.noise import PATTERNS

pytestmark = pytest.mark.faults

SECONDS = 3.0
"""Of each pattern."""
MAX_SERVER_BYTES = 1_000_000_000


class Run(NamedTuple):
    outcomes: list[Outcome]
    logged: list[str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Generator[Run]:
    size = Size(projects=3, clients=2, processes=1, pause=1.0)
    with open_crowd(tmp_path_factory.mktemp("crowd") / "data", size) as crowd:
        yield Run(crowd.run(list(PATTERNS), SECONDS), crowd.list_logged_exceptions())


def test_other_projects_see_no_error_beside_any_noisy_pattern(run: Run) -> None:
    assert {each.name: each.errors for each in run.outcomes if each.errors} == {}
    assert any(each.noisy for each in run.outcomes), "others sent nothing meanwhile"


def test_a_noisy_client_gets_no_5xx_but_503_with_retry_after(run: Run) -> None:
    assert {each.name: each.unexplained for each in run.outcomes if each.unexplained} == {}


def test_no_noisy_pattern_leaves_an_exception_in_the_log(run: Run) -> None:
    assert run.logged == []


def test_the_memory_of_the_server_stays_below_a_limit(run: Run) -> None:
    assert {each.name: each.memory.server for each in run.outcomes if each.memory.server > MAX_SERVER_BYTES} == {}
