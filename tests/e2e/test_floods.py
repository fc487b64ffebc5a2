"""Floods of requests without a token: who has one does not notice."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.floods import Flood
from tests.support.http import Http
from tests.support.public_rows import list_public
from tests.support.stacks import ALL_THREADS, ONE_WORKER, RunningStack, run_copy, wait_for

CONNECTIONS = 5
MANY_CONNECTIONS = 40
PROBES = 3
"""Requests during each flood, each with a token that was never used before."""
VERIFY = "/v2/storage/tokens/verify"
MEMORY_GROWTH = 300_000_000
REPEATED_GROWTH = 60_000_000
"""Of floods like one before: caches and threads are there already."""
MAX_SECONDS = 1.0 if "PENSTOCK_SOAK_SECONDS" in os.environ else 15.0
"""In `make soak`, which has the machine for itself, and beside other tests: whoever waits for the flood waits for more
than a minute."""


@pytest.fixture(scope="module")
def stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    folder = tmp_path_factory.mktemp("floods") / "data"
    flags = ("--https", "--https-port", "0", *ONE_WORKER)
    running = run_copy(new_data_folder, folder, *flags, variables=ALL_THREADS)
    yield running
    running.stop()


def make_tokens(stack: RunningStack, count: int) -> list[str]:
    made = [stack.storage.post("/v2/storage/tokens", {"description": f"idle {number}"}) for number in range(count)]
    return [each.json["token"] for each in made]


def probe(stack: RunningStack, token: str) -> float:
    since = time.perf_counter()
    assert Http(stack.greeting["storageUrl"], token).get(VERIFY).status == 200
    return time.perf_counter() - since


def read_memory(stack: RunningStack) -> int:
    pages = Path(f"/proc/{stack.process.pid}/statm").read_text().split()[1]
    return int(pages) * 4096


def flood(
    stack: RunningStack, method: str, path: str, tokens: list[str], connections: int = CONNECTIONS
) -> list[float]:
    """How long requests with these tokens take, the first while the clients are there and the others after they
    left."""
    port = urlsplit(stack.greeting["httpsStorageUrl"]).port or 443
    requests = Flood(port, stack.greeting["authorityFile"], method, path)
    with ExitStack() as opened:
        for _ in range(connections):
            opened.enter_context(closing(requests.begin()))
        first = probe(stack, tokens[0])
    return [first, *(probe(stack, token) for token in tokens[1:])]


@pytest.mark.faults
def test_a_thousand_streams_on_any_public_row_delay_no_token(stack: RunningStack) -> None:
    rows = list_public()
    tokens = make_tokens(stack, PROBES * (len(rows) + 1))
    flood(stack, "GET", fill_path_of_document(), [tokens.pop() for _ in range(PROBES)])
    memory, times = read_memory(stack), dict[str, list[float]]()
    for method, path in rows:
        times[f"{method} {path}"] = flood(stack, method, path, [tokens.pop() for _ in range(PROBES)])

    slowest = sorted(((seconds, row) for row, found in times.items() for seconds in found), reverse=True)
    assert slowest[len(slowest) // 100][0] < MAX_SECONDS, slowest[:10]
    wait_for(lambda: read_memory(stack) - memory < MEMORY_GROWTH)


@pytest.mark.faults
def test_a_second_and_a_third_flood_take_no_more_memory_than_the_first(stack: RunningStack) -> None:
    rows = [
        ("GET", fill_path_of_document()),
        ("POST", "/_svc/management/v1/auth/login"),
        ("GET", "/_svc/developer/apps"),
    ]
    sizes = list[int]()
    for _ in range(3):
        for method, path in rows:
            flood(stack, method, path, make_tokens(stack, 2), MANY_CONNECTIONS)
        sizes.append(read_memory(stack))

    wait_for(lambda: read_memory(stack) - sizes[0] < REPEATED_GROWTH)
    assert sizes[1] - sizes[0] < 2 * REPEATED_GROWTH


def fill_path_of_document() -> str:
    return next(path for _, path in list_public() if path.endswith("/specs/storage.json"))
